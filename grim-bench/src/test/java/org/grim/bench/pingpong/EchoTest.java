// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.pingpong;

import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

import org.HdrHistogram.Histogram;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.ActiveMessage;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.bench.process.BoundedSpin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import com.sun.management.ThreadMXBean;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

final class EchoTest
{
    private static final long SHORT_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long WARM_UP_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final int SIZE_MAX = 2048;

    private final Histogram roundTrips = new Histogram(TimeUnit.SECONDS.toNanos(10), 3);
    private Grim grim;
    private EchoClient client;

    @BeforeEach
    void connect()
    {
        grim = Grim.enable(GrimConfig.builder().nodeName("echo").transports("null").build());
        client = new EchoClient(grim, spin(), SIZE_MAX);
        new EchoServer(grim);
        grim.handlers().synchronise();
        client.connect(grim.host().id());
    }

    @AfterEach
    void close()
    {
        grim.close();
    }

    @Test
    void shouldVerifyEveryEcho()
    {
        client.measure(33, SHORT_NS, roundTrips);

        assertTrue(roundTrips.getTotalCount() > 0);
        assertEquals(roundTrips.getTotalCount(), client.takeVerifiedCount());
    }

    @Test
    void shouldVerifyEveryStreamedMessage()
    {
        assertTrue(client.stream(SIZE_MAX, SHORT_NS) > 0);
        assertTrue(client.takeVerifiedCount() > 0);
    }

    @Test
    void shouldFailWhenOneBitOfAnEchoIsWrong()
    {
        try (Grim other = Grim.enable(GrimConfig.builder().nodeName("flipped").transports("null").build()))
        {
            final EchoClient otherClient = new EchoClient(other, spin(), SIZE_MAX);
            other.handlers().register(EchoServer.ECHO, EchoTest::replyWithOneBitWrong);
            for (final String name :
                new String[] {EchoServer.STREAM, EchoServer.STREAM_END, EchoServer.RAW, EchoServer.SWITCH})
            {
                other.handlers().register(name, message -> fail("nobody sends this"));
            }
            other.handlers().synchronise();
            otherClient.connect(other.host().id());

            final GrimException error =
                assertThrows(GrimException.class, () -> otherClient.measure(33, SHORT_NS, roundTrips));

            assertTrue(error.getMessage().startsWith("payload came back changed: size=33 bytes"), error::getMessage);
        }
    }

    @Test
    void shouldAllocateNothingPerMessage()
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        client.measure(256, WARM_UP_NS, roundTrips);
        client.stream(256, WARM_UP_NS);
        client.takeVerifiedCount();

        final long before = threads.getCurrentThreadAllocatedBytes();
        client.measure(256, WARM_UP_NS, roundTrips);
        client.stream(256, WARM_UP_NS);
        final long allocatedLength = threads.getCurrentThreadAllocatedBytes() - before;

        // By time, not by message, core's exchange of handler names allocates a little. No object is under 16 bytes.
        final long messageCount = client.takeVerifiedCount();
        assertTrue(allocatedLength < messageCount,
            () -> "allocated=" + allocatedLength + " bytes for messages=" + messageCount);
    }

    @Test
    void shouldSeeOneWrongBit()
    {
        final Checksum checksum = new Checksum();
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[100]);
        final int before = checksum.of(buffer, 1, 98);

        buffer.putByte(98, (byte)1);

        assertTrue(checksum.of(buffer, 1, 98) != before);
        assertEquals(before, checksum.of(new UnsafeBuffer(new byte[98]), 0, 98));
    }

    private static BoundedSpin spin()
    {
        return new BoundedSpin(false, 10_000, "answer", () ->
        {
        });
    }

    private static void replyWithOneBitWrong(final ActiveMessage message)
    {
        final byte[] payload = new byte[message.length()];
        message.buffer().getBytes(message.offset(), payload);
        payload[payload.length / 2] ^= 1;
        message.reply(message.argument(3), message.argument(0), 0, 0, 0, new UnsafeBuffer(payload), 0, payload.length);
    }
}
