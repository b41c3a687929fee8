// SPDX-License-Identifier: Apache-2.0
package org.grim.wire;

/**
 * Ids of the built-in handlers that carry messages longer than the MTU. The application sees none of them: a long
 * message counts as one message, when its {@link #FINAL} part or its {@link #IN_PLACE} notice is sent and received.
 * <p>Thread: any; no state.
 */
public final class LargeMessageIds
{
    /** Sender to receiver: asks for a transfer; carries the application's arguments. */
    public static final int BEGIN = 5;
    /** Sender to receiver: some bytes of it. In an overflow queue: the place of a stream that is open. */
    public static final int BODY = 6;
    /** Sender to receiver: the last bytes, if any are left. */
    public static final int FINAL = 7;
    /** Receiver to sender: the answer to {@link #BEGIN}. */
    public static final int GRANT = 8;
    /** Sender to receiver: the transfer ends here and is not a message. */
    public static final int ABORT = 9;
    /** Sender to receiver: a whole message stands in the sender's own memory. */
    public static final int IN_PLACE = 10;
    /** Receiver to sender: what stands in the sender's memory cannot be looked at. */
    public static final int NOT_IN_PLACE = 11;

    private LargeMessageIds()
    {
    }

    /** Returns whether a handler id is one of these. True for all of the above. */
    public static boolean isBuiltIn(final int handler)
    {
        return handler >= BEGIN && handler <= NOT_IN_PLACE;
    }

    /**
     * Returns whether a message is no message of the application, but belongs to one.
     *
     * @param handler id of the message.
     * @return true for all of the above that are not counted as messages.
     */
    public static boolean isPart(final int handler)
    {
        return isBuiltIn(handler) && handler != FINAL && handler != IN_PLACE;
    }
}
