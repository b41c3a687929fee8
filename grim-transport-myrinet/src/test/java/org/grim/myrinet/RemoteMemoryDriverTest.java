// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.grim.SendStatus;
import org.grim.myrinet.memory.TestPages;
import org.grim.transport.MemoryHop;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.grim.myrinet.MemoryCluster.BOTH;
import static org.grim.myrinet.MemoryCluster.READ;
import static org.grim.myrinet.MemoryCluster.WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Operations between two real boards, at the hop. */
@Timeout(180)
final class RemoteMemoryDriverTest
{
    private static final int PAGE = TestPages.PAGE;

    @TempDir
    private Path directory;

    private MemoryCluster open(final Object... settings)
    {
        final Map<String, Object> map = new HashMap<>();
        for (int i = 0; i < settings.length; i += 2)
        {
            map.put((String)settings[i], settings[i + 1]);
        }
        return new MemoryCluster(directory, map);
    }

    @ParameterizedTest
    @ValueSource(strings = {"duty-cycle", "thread"})
    void shouldWriteByBothKindsOfAddressWhoeverAnswersMisses(final String translation)
    {
        try (MemoryCluster cluster = open("grim.myrinet.translation", translation))
        {
            final TestPages.Region region = cluster.far.pages.register(5 * PAGE, BOTH);
            final int lengthMax = cluster.hop.writeLengthMax();
            int value = 0;
            for (final int length : new int[]{1, 3, 4, 5, 63, 64, 2_000, lengthMax - 1, lengthMax})
            {
                for (final boolean isPhysical : new boolean[]{false, true})
                {
                    final int start = 4_000 + length % 7;
                    final long base = isPhysical ? region.physicalAddress() : region.virtualAddress();
                    final int word = ++value;
                    cluster.far.memory.setMemory(region.offset(), 5 * PAGE, (byte)0);

                    cluster.write(isPhysical, base + start, word, length, base + 8, word, 7);
                    cluster.await(() -> cluster.far.memory.getIntVolatile(region.offset() + 8) == word, "the word");

                    assertTrue(cluster.hasPayload(cluster.far.memory, region.offset() + start, word, length));
                    assertEquals(0, cluster.far.memory.getByte(region.offset() + start - 1));
                    assertEquals(0, cluster.far.memory.getByte(region.offset() + start + length));
                }
            }
            cluster.settle();
            assertEquals(List.of(), cluster.outcomes);
            assertTrue(cluster.hop.drainRefusals(cluster::onOutcome) == 0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"word-stores", "one-copy", "double-buffered", "zero-copy"})
    void shouldInjectAsThePlanSays(final String mechanism)
    {
        try (MemoryCluster cluster = open("grim.myrinet.injection.mechanism", mechanism))
        {
            final TestPages.Region source = cluster.near.pages.register(2 * PAGE, READ);
            final TestPages.Region target = cluster.far.pages.register(2 * PAGE, WRITE);
            cluster.near.memory.putBytes(source.offset(), cluster.payload, 0, 2 * PAGE);

            for (int length = 1; length <= cluster.hop.writeLengthMax(); length = length * 3 + 1)
            {
                final int value = length;
                final int bytes = length;
                cluster.await(() -> cluster.hop.tryWrite(false, target.virtualAddress() + 64, cluster.near.memory,
                    source.offset() + 4, bytes, target.virtualAddress(), value, 0) == SendStatus.SENT, "room");
                cluster.await(() -> cluster.far.memory.getIntVolatile(target.offset()) == value, "the word");
                assertTrue(cluster.hasPayload(cluster.far.memory, target.offset() + 64, 4, length));
            }
        }
    }

    @Test
    void shouldReadIntoItsOwnMemory()
    {
        try (MemoryCluster cluster = open())
        {
            final TestPages.Region source = cluster.far.pages.register(4 * PAGE, READ);
            final TestPages.Region target = cluster.near.pages.register(4 * PAGE, READ);
            cluster.far.memory.putBytes(source.offset(), cluster.payload, 0, 4 * PAGE);
            int value = 0;
            for (final int length : new int[]{1, 4, 7, 4_096, cluster.hop.readLengthMax()})
            {
                final int word = ++value;
                cluster.read(source.virtualAddress() + 1_001, target.virtualAddress() + 3_001, length,
                    target.virtualAddress() + 4, word);
                cluster.await(() -> cluster.near.memory.getIntVolatile(target.offset() + 4) == word, "the word");

                assertTrue(cluster.hasPayload(cluster.near.memory, target.offset() + 3_001, 1_001, length));
                assertEquals(0, cluster.near.memory.getByte(target.offset() + 3_001 + length));
            }
            cluster.settle();
            assertEquals(List.of(), cluster.outcomes);
            assertEquals((16 << 10) / 2 - 40, cluster.hop.readLengthMax());
        }
    }

    @Test
    void shouldRefuseBeforeItSendsWhatCanNeverBe()
    {
        try (MemoryCluster cluster = open())
        {
            final TestPages.Region far = cluster.far.pages.register(PAGE, BOTH);
            final TestPages.Region near = cluster.near.pages.register(PAGE, BOTH);
            final long word = far.virtualAddress();

            cluster.write(false, word, 0, 0, 0);
            cluster.write(false, -4, 8, 0, 0);
            cluster.write(true, Long.MIN_VALUE | -2, 8, 0, 0);
            cluster.write(false, word, 8, word + 2, 0);
            cluster.read(word, near.virtualAddress(), 0, 0, 0);
            cluster.read(word, near.virtualAddress() + PAGE - 4, 8, 0, 0);
            cluster.read(word, -4, 8, 0, 0);
            cluster.read(word, near.virtualAddress(), 8, near.virtualAddress() + 1, 0);
            cluster.read(word, near.virtualAddress(), 8, near.virtualAddress() + PAGE, 0);
            assertEquals(9, cluster.drain());

            assertEquals(List.of("7 0 ZERO_LENGTH", "7 8 WRAP_AROUND", "7 8 WRAP_AROUND", "7 8 MISALIGNED_NOTIFICATION",
                "8 0 ZERO_LENGTH", "8 8 OUT_OF_RANGE", "8 8 WRAP_AROUND", "8 8 MISALIGNED_NOTIFICATION",
                "8 8 NOTIFICATION_OUT_OF_RANGE"), cluster.outcomes);
            assertEquals(0, cluster.near.transport.sessionForTest().unsettledCount());
            assertEquals(0, cluster.drain());
            assertThrows(IllegalArgumentException.class, () -> cluster.hop.tryWrite(
                false, word, cluster.payload, 0, cluster.hop.writeLengthMax() + 1, 0, 0, 0));
            assertThrows(IndexOutOfBoundsException.class, () -> cluster.hop.tryWrite(
                false, word, cluster.payload, cluster.payload.capacity() - 4, 8, 0, 0, 0));
        }
    }

    @Test
    void shouldTellWhatTheFarInterfaceRefuses()
    {
        try (MemoryCluster cluster = open())
        {
            final TestPages.Region readOnly = cluster.far.pages.register(PAGE, READ);
            final TestPages.Region writeOnly = cluster.far.pages.register(PAGE, WRITE);
            final TestPages.Region target = cluster.near.pages.register(PAGE, BOTH);
            cluster.far.memory.setMemory(0, cluster.far.memory.capacity(), (byte)0x5A);

            cluster.write(false, readOnly.virtualAddress(), 0, 8, 0, 0, 1);
            cluster.write(false, writeOnly.virtualAddress(), 0, 8, readOnly.virtualAddress(), 1, 2);
            cluster.write(false, writeOnly.virtualAddress() + PAGE - 4, 0, 8, 0, 0, 3);
            cluster.write(true, cluster.far.memory.capacity() - 4, 0, 8, 0, 0, 4);
            cluster.write(true, writeOnly.physicalAddress(), 0, 8, cluster.far.memory.capacity(), 1, 5);
            cluster.write(false, 1L << 50, 0, 0, 0, 0, 6);
            cluster.write(false, 1L << 50, 0, 8, 0, 0, 7);
            cluster.read(writeOnly.virtualAddress(), target.virtualAddress(), 8, target.virtualAddress() + 64, 5);
            cluster.settle();

            assertEquals(List.of("1 8 BY_NETWORK_INTERFACE", "2 8 BY_NETWORK_INTERFACE", "3 8 BY_NETWORK_INTERFACE",
                "4 8 BY_NETWORK_INTERFACE", "5 8 BY_NETWORK_INTERFACE", "6 0 ZERO_LENGTH", "7 8 BY_NETWORK_INTERFACE",
                "8 8 BY_NETWORK_INTERFACE"), cluster.outcomes);
            for (int i = 0; i < cluster.far.memory.capacity(); i++)
            {
                assertEquals(0x5A, cluster.far.memory.getByte(i));
            }
            assertEquals(0, cluster.near.memory.getInt(target.offset() + 64));
            assertEquals(0, cluster.connection.hop().unknownCount() + cluster.connection.hop().undeliveredCount());
            cluster.write(false, writeOnly.virtualAddress(), 8, writeOnly.virtualAddress() + 8, 9);
            cluster.await(() -> cluster.far.memory.getIntVolatile(writeOnly.offset() + 8) == 9, "a good one");
        }
    }

    @Test
    void shouldNotifyBehindEverythingBefore()
    {
        try (MemoryCluster cluster = open())
        {
            final TestPages.Region region = cluster.far.pages.register(8 * PAGE, BOTH);
            final long base = region.virtualAddress();
            for (int round = 1; round <= 200; round++)
            {
                final int value = round;
                final int shift = round % 50;
                cluster.write(false, base + PAGE, shift, 5_000, 0, 0, 7);
                cluster.write(true, region.physicalAddress() + 3 * PAGE, shift + 1, 3_000, 0, 0, 7);
                cluster.write(false, base + 6 * PAGE, shift + 2, 10, base + 4, value, 7);
                cluster.await(() ->
                {
                    cluster.far.step();
                    return cluster.far.memory.getIntVolatile(region.offset() + 4) == value;
                }, "the word");
                assertTrue(cluster.hasPayload(cluster.far.memory, region.offset() + PAGE, shift, 5_000));
                assertTrue(cluster.hasPayload(cluster.far.memory, region.offset() + 3 * PAGE, shift + 1, 3_000));
                assertTrue(cluster.hasPayload(cluster.far.memory, region.offset() + 6 * PAGE, shift + 2, 10));
            }
        }
    }

    @Test
    void shouldPushBackAndGoOn()
    {
        try (MemoryCluster cluster = open())
        {
            final TestPages.Region region = cluster.far.pages.register(4 * PAGE, BOTH);
            final TestPages.Region target = cluster.near.pages.register(PAGE, BOTH);
            cluster.stopFar();
            int count = 0;
            while (cluster.hop.tryWrite(false, region.virtualAddress(), cluster.payload, 0, 4, 0, 0, 1) ==
                SendStatus.SENT)
            {
                count++;
            }
            assertTrue(count > 100, "count=" + count);
            assertEquals(SendStatus.BACK_PRESSURED,
                cluster.hop.tryRead(region.virtualAddress(), target.virtualAddress(), 8, 0, 0, 1));

            cluster.await(() ->
            {
                cluster.far.step();
                return cluster.near.transport.sessionForTest().unsettledCount() == 0;
            }, "all of them");
            assertEquals(0, cluster.drain());
            cluster.hop.closeMemory();
            assertEquals(SendStatus.CLOSED,
                cluster.hop.tryWrite(false, region.virtualAddress(), cluster.payload, 0, 4, 0, 0, 1));
            assertEquals(MemoryHop.NO_NOTIFICATION, 0);
            assertFalse(cluster.connection.hop().isPeerGone());
        }
    }
}
