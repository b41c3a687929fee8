// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.explorer;

import org.grim.ni.guard.Guard;
import org.grim.ni.guard.Guards;

/**
 * The size of a model. Immutable.
 *
 * @param bits             of a sequence number, 1 to {@value #BITS_MAX}.
 * @param window           most messages in flight.
 * @param messageCount     messages that are offered, 1 to {@value #MESSAGE_COUNT_MAX}.
 * @param forwardCapacity  most packets in flight to the receiver, 1 to {@value #CAPACITY_MAX}.
 * @param backwardCapacity most answers in flight to the sender, 1 to {@value #CAPACITY_MAX}.
 * @param mayLose          whether the wire may lose and repeat packets; if not, the sender never times out either.
 * @param mayDeny          whether the receiver may refuse messages for good.
 * @param guards           that hold.
 */
public record ExplorerConfig(
    int bits,
    int window,
    int messageCount,
    int forwardCapacity,
    int backwardCapacity,
    boolean mayLose,
    boolean mayDeny,
    Guards guards)
{
    /** Widest sequence of a model. */
    public static final int BITS_MAX = 3;
    /** Most messages of a model. */
    public static final int MESSAGE_COUNT_MAX = 7;
    /** Most packets in one direction of a model's wire. */
    public static final int CAPACITY_MAX = 5;

    /** Checks the limits; whether the window fits the sequence is for the windows to say. */
    public ExplorerConfig
    {
        check("sequence bits", bits, BITS_MAX);
        check("message count", messageCount, MESSAGE_COUNT_MAX);
        check("forward capacity", forwardCapacity, CAPACITY_MAX);
        check("backward capacity", backwardCapacity, CAPACITY_MAX);
    }

    /**
     * A model with all guards and without denials, whose wire may lose, and has room for a whole window and one copy
     * (at most {@value #CAPACITY_MAX} packets) in each direction.
     *
     * @param bits         of a sequence number.
     * @param window       most messages in flight.
     * @param messageCount messages that are offered.
     */
    public static ExplorerConfig of(final int bits, final int window, final int messageCount)
    {
        final int capacity = Math.min(window + 1, CAPACITY_MAX);
        return new ExplorerConfig(bits, window, messageCount, capacity, capacity, true, false, Guards.ALL);
    }

    /** The same model with one bug. */
    public ExplorerConfig without(final Guard guard)
    {
        return new ExplorerConfig(
            bits, window, messageCount, forwardCapacity, backwardCapacity, mayLose, mayDeny, Guards.without(guard));
    }

    /**
     * The same model with another wire.
     *
     * @param forward  most packets in flight to the receiver.
     * @param backward most answers in flight to the sender.
     */
    public ExplorerConfig withCapacity(final int forward, final int backward)
    {
        return new ExplorerConfig(bits, window, messageCount, forward, backward, mayLose, mayDeny, guards);
    }

    /** {@return the same model with a wire that loses and repeats nothing: the other model} */
    public ExplorerConfig withoutLoss()
    {
        return new ExplorerConfig(
            bits, window, messageCount, forwardCapacity, backwardCapacity, false, mayDeny, guards);
    }

    /** {@return the same model with a receiver that may refuse messages for good: the other model} */
    public ExplorerConfig withDenials()
    {
        return new ExplorerConfig(
            bits, window, messageCount, forwardCapacity, backwardCapacity, mayLose, true, guards);
    }

    /**
     * Returns the most steps until rest, once the wire loses and repeats nothing and the receiver has room. Until the
     * wire is empty, each packet on it is delivered, and answered or not: {@code 2 x forward + backward}. Then every
     * message is sent, delivered and answered once at most before the one time-out, and once at most after it (each of
     * these sends settles the oldest message, for nothing is lost): {@code 6 x messages + 1}. Offering them adds
     * {@code messages}. The receiver takes nothing behind a denial that the sender does not know, so that at most one
     * denial sends what is behind it once more: {@code 3 x messages}.
     */
    public int restStepCountMax()
    {
        return 2 * forwardCapacity + backwardCapacity + (mayDeny ? 10 : 7) * messageCount + 1;
    }

    private static void check(final String what, final int value, final int max)
    {
        if (value < 1 || value > max)
        {
            throw new IllegalArgumentException(what + "=" + value + " is outside 1 to " + max);
        }
    }
}
