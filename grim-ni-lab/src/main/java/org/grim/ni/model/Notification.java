// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.model;

/** Kind of notification of the receiving host about a message. */
public enum Notification
{
    /** By a second transfer: the pointer of the arrival queue, or the notification word of a remote-memory write. */
    POINTER("pointer"),
    /** By the last word of the message itself, which lands last: a remote-memory write without the optional word. */
    TAIL_FLAG("tail-flag");

    private final String label;

    Notification(final String label)
    {
        this.label = label;
    }

    /**
     * Names it for people, who know no pointer and no tail flag of a remote-memory write: that has a word, or none.
     *
     * @param mode of the messages.
     */
    public String label(final Mode mode)
    {
        return mode.isMessage() ? label : this == POINTER ? "word" : "nothing";
    }

    /** Its name for programs; {@code pointer} or {@code tail-flag}. */
    public String label()
    {
        return label;
    }
}
