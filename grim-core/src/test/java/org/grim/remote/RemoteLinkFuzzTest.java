// SPDX-License-Identifier: Apache-2.0
package org.grim.remote;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.CountingErrorHandler;
import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.HostileInput;
import org.grim.MemoryRegion;
import org.grim.RemoteLink;
import org.grim.RemoteLink.AtomicOperation;
import org.grim.RemoteLink.SignalOperation;
import org.grim.RemoteMemory;
import org.grim.RemoteRefusal;
import org.grim.RemoteRegion;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.node.ScriptedEndpoint;

import com.code_intelligence.jazzer.junit.FuzzTest;

import static org.grim.node.ScriptedTransport.FAR_ADDRESS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Operations with any addresses and lengths, over a hop with any room that refuses with any tickets: an accepted
 * operation is taken whole, or reported, and nothing is read outside of the named range.
 */
final class RemoteLinkFuzzTest
{
    private static final CountingErrorHandler ERRORS = new CountingErrorHandler();
    private static final GrimConfig CONFIG = ScriptedEndpoint.config("8KiB", ERRORS);
    private static final int STEP_COUNT_MAX = 48;
    private static final int LENGTH_MAX = 1_500;

    private final AtomicBuffer source = Buffers.allocate(LENGTH_MAX);
    private ScriptedEndpoint own;
    private RemoteLink remote;
    private MemoryRegion target;
    private RemoteMemory.Atomic read;
    private long acceptedLength;
    private long reportedCount;
    private long refusedCount;

    @FuzzTest
    void shouldTakeWholeWhatWasAccepted(final byte[] bytes)
    {
        final HostileInput input = new HostileInput(bytes);
        own = new ScriptedEndpoint(CONFIG, ERRORS);
        own.hop.pieceLengthMax = 1 + input.nextBelow(400);
        remote = own.remote();
        target = own.memory().register(LENGTH_MAX);
        read = own.memory().newAtomic();
        acceptedLength = 0;
        reportedCount = 0;
        refusedCount = 0;
        own.memory().onRefused((destination, remoteAddress, length, reason) ->
        {
            reportedCount++;
            issue(input);
        });
        for (int step = 0; step < STEP_COUNT_MAX && input.hasMore(); step++)
        {
            step(input);
        }
        own.hop.room = Integer.MAX_VALUE;
        own.memory().onRefused((destination, remoteAddress, length, reason) -> reportedCount++);
        own.poll();
        own.poll();

        assertEquals(0, own.endpoint.overflowDepth());
        assertEquals(acceptedLength, takenLength());
        assertEquals(refusedCount, reportedCount);
        assertEquals(0, own.errors.count(), () -> "thrown: " + own.errors.last());
        own.close();
    }

    private void step(final HostileInput input)
    {
        switch (input.nextBelow(5))
        {
            case 0 -> own.hop.room = input.nextBelow(12);
            case 1 -> own.poll();
            case 2 -> refuse(
                input.nextBelow(2) == 0 ? input.nextInt() : ((ReadHandle)read).ticket() | input.nextBelow(2));
            default -> issue(input);
        }
    }

    private void refuse(final int ticket)
    {
        refusedCount++;
        own.refuse(ticket, RemoteRefusal.FREED);
    }

    private void issue(final HostileInput input)
    {
        final int length = input.nextBelow(4) == 0 ? 8 : input.nextBelow(LENGTH_MAX + 2) - 1;
        final long address = input.nextBelow(2) == 0 ? FAR_ADDRESS + input.nextBelow(60_000) : input.nextPosition();
        try
        {
            final SendStatus status = issue(input, address, length);
            acceptedLength += status.isAccepted() ? length : 0;
        }
        catch (final IllegalArgumentException | IllegalStateException | GrimException ex)
        {
            assertTrue(!ex.getMessage().isEmpty());         // Said before anything happened: the sum must not change.
        }
    }

    private SendStatus issue(final HostileInput input, final long address, final int length)
    {
        final int kind = input.nextBelow(6);
        final RemoteRegion region = at(address, Long.MAX_VALUE, kind == 1);
        return switch (kind)
        {
            case 0 -> remote.write(
                region, 0, source, input.nextBelow(8), length, at(input.nextPosition(), 4, false), input.nextInt());
            case 1 -> remote.write(region, 0, source, 0, length, at(input.nextPosition(), 4, true), input.nextInt());
            case 2 -> remote.read(region, 0, target, input.nextBelow(8), length, read);
            case 3 -> remote.writeWithSignal(region, 0, source, 0, length, any(input, SignalOperation.values()),
                at(input.nextPosition(), 4 + input.nextBelow(8), false), input.nextPosition());
            case 4 -> remote.atomic(any(input, AtomicOperation.values()), region, 0, length,
                input.nextPosition(), input.nextPosition(), read);
            default -> remote.writeRows(region, Long.MAX_VALUE / 2, source, length / 2,
                new RemoteLink.Rows(1, Math.max(0, length), input.nextPosition(), input.nextBelow(9) - 4), null, 0);
        };
    }

    private static <T> T any(final HostileInput input, final T[] values)
    {
        return values[input.nextBelow(values.length)];
    }

    private RemoteRegion at(final long address, final long length, final boolean isPhysical)
    {
        return new RemoteRegion(own.destination, address, length, MemoryRegion.Rights.READ_WRITE, isPhysical);
    }

    private long takenLength()
    {
        return own.hop.taken.stream().mapToLong(what -> Long.parseLong(what.replaceAll(".*\\+(\\d+).*", "$1"))).sum();
    }
}
