// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.util.stream.Stream;

/** Why an agent refuses a message or a connection; those with a code are answered by it. */
enum Refusal
{
    /** Its tag is not that of this key: another key, or a changed message. */
    OTHER_KEY(1, "its key is not this cluster's (grim.network.key-file)"),
    /** It has no seal, and this host has a key. */
    NO_KEY(2, "it has no key, and this cluster has one (grim.network.key-file)"),
    /** It has a seal, and this host has no key. */
    KEY(3, "it has a key, and this cluster has none (grim.network.key-file)"),
    /** Its agent is of another version of GRIM. */
    VERSION(4, "it speaks another version of the agents' protocol"),
    /** It was received before, sent before the first one that came from its sender, or was for another host. */
    REPLAYED(0, "it was received before, is older than the first one, or was sent to another host"),
    /** It did not begin as an agent does. */
    GREETING(0, "it does not greet as an agent does"),
    /** A frame is longer than allowed, or does not open. */
    FRAME(0, "its frame is too long, or was changed"),
    /** A frame holds messages of a kind that agents do not send. */
    MESSAGE(0, "it sent what agents do not send"),
    /** It did not greet in time, or was silent for long. */
    SILENT(0, "it said nothing for too long"),
    /** More connections of its kind were open than allowed. */
    NO_ROOM(0, "too many connections are open that are not the members'");

    private final int code;
    private final String text;

    Refusal(final int code, final String text)
    {
        this.code = code;
        this.text = text;
    }

    /** {@return the refusal with a code that was answered; null for none} */
    static Refusal ofCode(final int code)
    {
        return Stream.of(values()).filter(refusal -> code != 0 && refusal.code == code).findFirst().orElse(null);
    }

    /** {@return what is answered; 0 if nothing is} */
    int code()
    {
        return code;
    }

    /** {@return the reason in words} */
    String text()
    {
        return text;
    }

    /** {@return the reason as the refused host reads it} */
    String text(final String label)
    {
        return "host=" + label + " refuses it: " + text;
    }
}
