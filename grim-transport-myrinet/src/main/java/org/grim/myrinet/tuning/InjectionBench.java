// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.tuning;

import java.util.HashMap;
import java.util.Map;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.GrimException;
import org.grim.board.BoardGeometry;
import org.grim.board.ChannelRegisters;
import org.grim.board.Doorbell;
import org.grim.buffer.Buffers;
import org.grim.myrinet.injection.InjectionResult;
import org.grim.myrinet.injection.InjectionTarget;
import org.grim.myrinet.injection.Injector;
import org.grim.myrinet.injection.Injectors;
import org.grim.myrinet.injection.Mechanism;
import org.grim.myrinet.injection.SizeClasses;

import static org.grim.GrimException.Reason.BAD_DATA;
import static org.grim.board.ChannelRegisters.BACK_AND_FILLED;

/**
 * Injects into a channel's queue without ever publishing: nothing is sent, and the room is used again and again.
 * <p>Thread: the channel's sender. Owns: the channel, and the registered memory that it was given.
 */
public final class InjectionBench implements InjectionTrial
{
    /** Bytes of registered memory that the bench needs. */
    public static final int REGISTERED_LENGTH = SizeClasses.SIZE_MAX * 4;
    /** Least length of the channel's queue. */
    public static final int QUEUE_LENGTH_MIN = SizeClasses.SIZE_MAX * 2;

    private static final int SOURCE_MASK = REGISTERED_LENGTH / SizeClasses.SIZE_MAX - 1;

    private final AtomicBuffer source = Buffers.allocate(REGISTERED_LENGTH);
    private final AtomicBuffer registered;
    private final InjectionTarget target;
    private final Injectors injectors;
    private final Map<Candidate, Injector> made = new HashMap<>();
    private final Doorbell doorbell;
    private final int channel;
    private final int queueIndex;
    private final int queueLength;
    private int turn;

    /**
     * Takes a channel, which must be enabled and never used.
     *
     * @param sram       the board's memory.
     * @param geometry   of the board, with queues of {@link #QUEUE_LENGTH_MIN} or more.
     * @param channel    NI channel.
     * @param target     of the channel.
     * @param registered in the target's region: {@link #REGISTERED_LENGTH} bytes.
     * @param injectors  that makes what is measured.
     * @throws IllegalArgumentException if a length is too small, or the channel was used.
     */
    public InjectionBench(
        final AtomicBuffer sram, final BoardGeometry geometry, final int channel, final InjectionTarget target,
        final AtomicBuffer registered, final Injectors injectors)
    {
        queueLength = geometry.queueLength();
        if (queueLength < QUEUE_LENGTH_MIN)
        {
            throw new IllegalArgumentException("queue length=" + queueLength + " is below min=" + QUEUE_LENGTH_MIN);
        }
        if (registered.capacity() < REGISTERED_LENGTH)
        {
            throw new IllegalArgumentException(
                "registered length=" + registered.capacity() + " is below min=" + REGISTERED_LENGTH);
        }
        final long backAndFilled = new ChannelRegisters(sram, geometry, channel).getAcquire(BACK_AND_FILLED);
        if (backAndFilled != 0)
        {
            throw new IllegalArgumentException("channel=" + channel + " was used before: its back is " +
                ChannelRegisters.back(backAndFilled));
        }
        this.channel = channel;
        this.target = target;
        this.registered = registered;
        this.injectors = injectors;
        doorbell = new Doorbell(sram, geometry);
        queueIndex = geometry.queueOffset(channel);
    }

    @Override
    public void inject(final Candidate candidate, final int length, final int repetitions)
    {
        Injector injector = made.get(candidate);
        if (injector == null)
        {
            injector = injectors.of(candidate.mechanism(), candidate.burstLength());
            made.put(candidate, injector);
        }
        final AtomicBuffer from = candidate.mechanism() == Mechanism.ZERO_COPY ? registered : source;
        for (int i = 0; i < repetitions; i++)
        {
            turn++;
            // Payloads come from several places, and go to the queue's first and second half in turn.
            final int half = (turn & 1) * (queueLength / 2);
            target.at(queueIndex + half, half);
            final InjectionResult result =
                injector.inject(target, from, (turn & SOURCE_MASK) * SizeClasses.SIZE_MAX, length);
            if (result != InjectionResult.COMPLETE)
            {
                throw new GrimException(BAD_DATA, "the board did not take a payload of length=" + length + " by " +
                    candidate.label() + ": " + result + (result == InjectionResult.PENDING ?
                    "; its firmware did not pull by the deadline" : "; its firmware stopped the channel"));
            }
        }
    }

    @Override
    public void ring(final int repetitions)
    {
        for (int i = 0; i < repetitions; i++)
        {
            doorbell.ring(channel);
        }
    }
}
