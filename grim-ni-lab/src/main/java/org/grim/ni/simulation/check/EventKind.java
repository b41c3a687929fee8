// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation.check;

/** Kind of event in a run, with its text. {@code {n}} is a number, {@code {d}} a detail's name. */
public enum EventKind
{
    /** A host has put a message into its channel. */
    APPENDED("message {0} to NI {1} channel {2}, {3} bytes, appended at {4}"),
    /** A message begins to leave. */
    TRANSMITTED("message {0} to NI {1} channel {2}, sequence {3} token {4}, sent"),
    /** A message begins to leave once more. */
    REPEATED("message {0} to NI {1} channel {2}, sequence {3} token {4}, sent again"),
    /** An answer has come. */
    ANSWERED("NI {0} channel {1} answers {d}, sequence {2} token {3}"),
    /** A triple goes back after a NACK. */
    ROLLED_BACK("to NI {0} channel {1}: back by {2} messages after NACK"),
    /** A triple goes back after a time-out. */
    TIMED_OUT("to NI {0} channel {1}: back by {2} messages after time-out"),
    /** The outcome of a message is known. */
    SETTLED("message {0} is {d}"),
    /** A message was handed to the host. */
    ACCEPTED("sequence {2} of NI {0} channel {1} accepted"),
    /** A packet was dropped. */
    DROPPED("packet of NI {0} dropped: {d}"),
    /** A peer changed its state. */
    PEER("NI {0} is {d}"),
    /** A channel was stopped. */
    STOPPED("channel stopped, reason {0}"),
    /** A host has read a message. */
    DELIVERED("number {2} of NI {0} channel {1} delivered, {3} bytes"),
    /** A remote write was seen by its notification. */
    NOTIFIED("notification {2} of NI {0} channel {1}"),
    /** Something from outside. */
    DISTURBED("{d} for {0} ns, argument {1}"),
    /** It is over. */
    RELIEVED("end of {d}"),
    /** All faults cease. */
    HEALED("all faults cease"),
    /** A message that was being sent was cut, since its host does not go on. */
    HELD("message {0} cut, to be sent when it is complete"),
    /** A tree's root has given a ticket. */
    TICKETED("tree {0} epoch {1}: ticket {2} given"),
    /** A child is gone. */
    CHILD_CUT("tree {0} epoch {1}: child NI {2} cut out"),
    /** A tree's owner has announced an epoch. */
    TREE_OPENED("tree {0} epoch {1} opened, {2} subscribers, root NI {3}"),
    /** A host has read a multicast. */
    MULTICAST("tree {0} epoch {1}: ticket {2} delivered, {3} bytes");

    private final String template;

    EventKind(final String template)
    {
        this.template = template;
    }

    String text(final String detail, final int... numbers)
    {
        String text = template.replace("{d}", detail);
        for (int i = 0; i < numbers.length; i++)
        {
            text = text.replace("{" + i + "}", Integer.toString(numbers[i]));
        }
        return text;
    }
}
