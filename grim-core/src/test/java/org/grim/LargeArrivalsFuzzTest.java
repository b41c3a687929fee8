// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.ArrayList;
import java.util.List;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.grim.endpoint.EndpointLink;
import org.grim.large.BeginWords;
import org.grim.large.FragmentDescriptor;
import org.grim.large.InPlaceWords;
import org.grim.wire.LargeMessageIds;
import org.grim.wire.MessageHeader;

import com.code_intelligence.jazzer.junit.FuzzTest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Parts of long messages with any words, beside honest long messages on another channel: those arrive whole, nothing
 * throws, no more memory is held than was configured, and what a hostile peer holds is its own share.
 */
final class LargeArrivalsFuzzTest
{
    private static final int PART_COUNT_MAX = 64;
    private static final int LENGTH_MAX = 65_504;
    private static final int HONEST_LENGTH = 20_000;
    private static final int POLL_COUNT = 32;

    private final List<Throwable> errors = new ArrayList<>();
    private final AtomicBuffer words = Buffers.allocate(256);
    private final AtomicBuffer honest = Buffers.allocate(HONEST_LENGTH);
    private Grim grim;
    private int wholeCount;
    private int badCount;

    @FuzzTest
    void shouldKeepHonestMessagesWhole(final byte[] bytes)
    {
        errors.clear();
        wholeCount = 0;
        badCount = 0;
        final HostileInput input = new HostileInput(bytes);
        try (Grim node = Grim.enable(GrimConfig.builder().transports("null").errorHandler(errors::add)
            .set("grim.handlers.resolve-timeout", "60s").set("grim.queue.slot-count", 64)
            .set("grim.queue.ring-length", 16 * 1024).set("grim.queue.shared", 0).set("grim.channels.host", 2)
            .set("grim.message.length-max", LENGTH_MAX)
            .set("grim.message.reassembly-length", 3 * LENGTH_MAX)
            .set("grim.message.outbox-length", input.nextBelow(2) * 128 * 1024).build()))
        {
            grim = node;
            exchange(input);
        }
    }

    private void exchange(final HostileInput input)
    {
        grim.handlers().register("whole", this::onWhole);
        grim.handlers().registerStream("pieces", new Pieces());
        grim.start();
        final HandlerId whole = grim.handlers().resolve("whole");
        final EndpointId self = grim.endpoint().id();
        final Link honestLink = grim.endpoint().link(0, self);
        final Link hostileLink = grim.endpoint().link(1, self.onChannel(1));
        int honestCount = 0;
        for (int i = 0; i < PART_COUNT_MAX && input.hasMore(); i++)
        {
            part(input, hostileLink, whole.number());
            if (input.nextBelow(8) == 0)
            {
                Payloads.fill(honest, 0, HONEST_LENGTH, honestCount);
                honestCount += honestLink.send(whole, honestCount, 1, 0, 0, honest, 0, HONEST_LENGTH).isAccepted() ?
                    1 : 0;
            }
            grim.endpoint().poll();
            assertTrue(ContractSupport.counter(grim, "reassembly-length") <= 3 * LENGTH_MAX + 64);
        }
        for (int i = 0; i < POLL_COUNT || (wholeCount < honestCount && i < POLL_COUNT * 100); i++)
        {
            grim.endpoint().poll();
        }

        assertEquals(honestCount, wholeCount);
        assertEquals(0, badCount);
        assertEquals(List.of(), errors);
    }

    private void part(final HostileInput input, final Link link, final int whole)
    {
        final int id = LargeMessageIds.BEGIN + input.nextBelow(7);
        int length = input.nextBelow(64);
        if (id == LargeMessageIds.BEGIN && input.nextBelow(4) != 0)
        {
            BeginWords.write(words, 0, whole + input.nextBelow(3), input.nextBelow(300),
                MessageHeader.pair(input.nextBelow(3), input.nextBelow(4)));
            length = FragmentDescriptor.BEGIN_LENGTH;
        }
        else if (id == LargeMessageIds.IN_PLACE && input.nextBelow(4) != 0)
        {
            // Where no message can stand: this node is its own peer, and could only harm itself with a real place.
            final boolean isNear = input.nextBelow(2) == 0;
            InPlaceWords.write(words, 0, whole, isNear ? Integer.MAX_VALUE >>> input.nextBelow(8) : input.nextInt(),
                isNear ? input.nextBelow(3) : input.nextInt(), isNear ? input.nextBelow(64) : input.nextInt() | 1 << 30,
                input.nextInt(), input.nextBelow(3));
            length = FragmentDescriptor.IN_PLACE_LENGTH;
        }
        else
        {
            words.putBytes(0, input.nextBytes(64));
        }
        final int first = input.nextBelow(2) == 0 ? input.nextBelow(4) : input.nextInt();
        final int second = input.nextBelow(2) == 0 ? input.nextBelow(4) : input.nextInt();
        final int third = input.nextBelow(2) == 0 ? input.nextBelow(300) : input.nextInt();
        final boolean hasPosition = id == LargeMessageIds.BODY || id == LargeMessageIds.FINAL;
        ((EndpointLink)link).sendBuiltIn(id, MessageHeader.pair(first, second),
            hasPosition ? third : MessageHeader.pair(third, 0), words, 0, length, true);
    }

    /** Argument 1 says that the message is an honest one. */
    private void onWhole(final ActiveMessage message)
    {
        if (message.argument(1) == 1 && message.source().channel() == 0)
        {
            boolean isGood = message.length() == HONEST_LENGTH && message.argument(0) == wholeCount;
            for (int i = 0; isGood && i < HONEST_LENGTH; i += 997)
            {
                isGood = message.buffer().getByte(message.offset() + i) == Payloads.at(wholeCount, i);
            }
            badCount += isGood ? 0 : 1;
            wholeCount++;
        }
    }

    /** Checks that pieces come in order. */
    private final class Pieces implements ActiveMessage.Stream.Handler
    {
        @Override
        public void onBegin(final ActiveMessage.Stream stream)
        {
            stream.attach(new int[1]);
        }

        @Override
        public void onPiece(
            final ActiveMessage.Stream stream, final DirectBuffer buffer, final int offset, final int length,
            final long position)
        {
            final int[] next = (int[])stream.attachment();
            badCount += position == next[0] && position + length <= stream.totalLength() ? 0 : 1;
            next[0] += length;
        }

        @Override
        public void onEnd(final ActiveMessage.Stream stream)
        {
            badCount += ((int[])stream.attachment())[0] == stream.totalLength() ? 0 : 1;
        }

        @Override
        public void onAbort(final ActiveMessage.Stream stream)
        {
            badCount += ((int[])stream.attachment())[0] > stream.totalLength() ? 1 : 0;
        }
    }
}
