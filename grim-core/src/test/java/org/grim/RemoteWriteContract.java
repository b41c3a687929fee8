// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.io.IOException;
import java.nio.channels.Selector;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Bytes of remote memory arrive unchanged where they belong, and nowhere else; rows; notification words; order. */
public abstract class RemoteWriteContract extends ContractSupport
{
    static final int MTU = 65_504;
    static final int[] LENGTHS = {1, 3, 4, 7, 8, 63, 64, 65, MTU - 9, MTU - 8, MTU - 7, MTU - 1, MTU, MTU + 1,
        (1 << 20) + 1};
    static final int LARGE_LENGTH = (1 << 20) + 8_192;

    private static final int POKE_COUNT = 30;
    private static final long BELL_PATIENCE_MS = 60_000;

    final AtomicBuffer source = Buffers.allocate(LARGE_LENGTH);

    /** A region of the far node. */
    record FarRegion(String name, RemoteRegion virtual, RemoteRegion physical)
    {
        RemoteRegion of(final boolean isPhysical)
        {
            return isPhysical ? physical : virtual;
        }

        RemoteRegion word()
        {
            return virtual.slice(0, 4);
        }
    }

    @Test
    void shouldWriteEverySizeUnchangedAndNothingBeside()
    {
        start();
        final FarRegion far = registerFar("a", LARGE_LENGTH, MemoryRegion.Rights.READ_WRITE);
        int value = 0;

        for (int i = 0; i < LENGTHS.length * 2; i++)
        {
            final int length = LENGTHS[i / 2];
            final boolean isPhysical = i % 2 == 1;
            final int at = 64 + i * 3;
            final int from = i;
            final int next = ++value;
            Payloads.fill(source, from, length, i);
            await(() -> write(isPhysical, far, at, from, length, next), () -> "room");
            awaitFarWord("a", 0, value);
            source.setMemory(0, LARGE_LENGTH, (byte)0);
            Payloads.fill(source, at, length, i);
            source.putInt(0, value);
            assertEquals(Payloads.crc(source, 0, LARGE_LENGTH), Integer.parseInt(far("crc a")),
                "length=" + length + " physical=" + isPhysical);
            far("clear a");
        }
    }

    @Test
    void shouldReadEverySizeUnchangedAndWriteNothingBeside()
    {
        start();
        final FarRegion far = registerFar("a", LARGE_LENGTH, MemoryRegion.Rights.READ);
        far("fill a 5");
        final MemoryRegion target = near().endpoint().memory().register(LARGE_LENGTH, MemoryRegion.Rights.READ);
        final MemoryRegion word = near().endpoint().memory().register(4);
        final RemoteMemory.Read read = near().endpoint().memory().newRead();
        Payloads.fill(source, 0, LARGE_LENGTH, 5);

        for (int i = 0; i < LENGTHS.length * 2; i++)
        {
            final int length = LENGTHS[i / 2];
            final int from = 17 + i;
            final int to = 33 + i * 3;
            final int value = i + 1;
            target.buffer().setMemory(0, LARGE_LENGTH, (byte)0);
            if (i % 2 == 0)
            {
                await(() -> remote(0).read(far.virtual, from, target, to, length, read).isAccepted(),
                    () -> "room");
                await(read::isComplete, () -> "the read");
                assertNull(read.refusal());
            }
            else
            {
                await(() -> remote(0).read(far.virtual, from, target, to, length, word.remote(), value).isAccepted(),
                    () -> "room");
                await(() -> word.buffer().getIntVolatile(0) == value, () -> "the notification");
            }
            assertReadBetweenZeros(target.buffer(), from, to, length);
        }
    }

    @Test
    void shouldNotifyAfterTheLastByteOfThisAndEveryEarlierOperation()
    {
        start();
        final int length = 8 * 1024;
        final FarRegion far = registerFar("pattern", SLOT_COUNT + length, MemoryRegion.Rights.READ_WRITE);
        far("watch pattern");

        for (int value = 1; value <= 100; value++)
        {
            final int next = value;
            Payloads.fill(source, 0, length, value);
            for (int at = 0; at < length; at += 1_000)
            {
                final int from = at;
                final int count = Math.min(1_000, length - at);
                final boolean isLast = at + count == length;
                await(() -> remote(0).write(far.virtual, 64 + from, source, from, count,
                    isLast ? far.word() : null, next) == SendStatus.SENT, () -> "room");
            }
            await(() -> far("seen pattern").startsWith("last=" + next + " "), () -> far("seen pattern"));
        }

        assertEquals("last=100 decreased=0 torn=0", far("seen pattern"));
    }

    @Test
    void shouldWakeASleeperByANotificationASignalAndAnAtomicOperation() throws IOException
    {
        start();
        assumeTrue(cluster().hasPeer());
        final HandlerId poke = resolve(FarMemory.POKE);
        final MemoryRegion region = near().endpoint().memory().register(2 * FarMemory.SLOT_LENGTH);
        region.remote().writeTo(payload, 0);
        cluster().far("release");
        final AtomicBoolean isOver = new AtomicBoolean();
        final CompletableFuture<Void> stepping = onThreadOfItsOwn(() ->
        {
            while (!isOver.get())
            {
                pause(cluster().stepFar() == 0 ? Integer.MAX_VALUE : 0);
            }
            cluster().far("release");
        });

        try (Selector selector = Selector.open())
        {
            near().endpoint().doorbell().listen(selector);
            for (int i = 0; i < POKE_COUNT; i++)
            {
                region.buffer().putLongVolatile(0, 0);
                final int kind = i % FarMemory.POKE_KIND_COUNT;
                while (link(0).send(poke, kind, 0, 0, 0, payload, 0, RemoteRegion.LENGTH) != SendStatus.SENT)
                {
                    near().endpoint().poll();
                }
                sleepUntilWritten(selector, region.buffer(), kind);
            }
        }
        finally
        {
            isOver.set(true);
            stepping.join();
        }
    }

    /** Nothing else is looked at for longer than the bell takes. */
    private void sleepUntilWritten(final Selector selector, final AtomicBuffer word, final int kind) throws IOException
    {
        final Endpoint.Doorbell doorbell = near().endpoint().doorbell();
        while (word.getIntVolatile(0) == 0)
        {
            near().endpoint().poll();
            if (doorbell.prepareToSleep())
            {
                final boolean isAwake = word.getIntVolatile(0) != 0 || selector.select(BELL_PATIENCE_MS) > 0;
                selector.selectedKeys().clear();
                doorbell.awake();
                assertTrue(isAwake, () -> "the bell was not rung: kind=" + kind + " word=" + word.getIntVolatile(0));
            }
        }
    }

    @Test
    void shouldNotLetAMessageOvertakeAnOperation()
    {
        start();
        final int count = 400;
        final FarRegion far = registerFar("slots", count * FarMemory.SLOT_LENGTH, MemoryRegion.Rights.WRITE);
        final HandlerId check = resolve(FarMemory.CHECK);

        for (int i = 0; i < count; i++)
        {
            final int slot = i;
            Payloads.fill(source, 0, FarMemory.SLOT_LENGTH, slot);
            await(() -> write(slot % 2 == 0, far, slot * FarMemory.SLOT_LENGTH, 0, FarMemory.SLOT_LENGTH),
                () -> "room");
            await(() -> link(0).send(check, slot, 0, 0, 0, payload, 0, 0) == SendStatus.SENT, () -> "room");
        }

        await(() -> far("checked").startsWith("checked=" + count + " "), () -> far("checked"));
        assertEquals("checked=" + count + " bad=0", far("checked"));
    }

    @Test
    @Tag(LOCAL)
    void shouldNotLetAnOperationOvertakeAnother()
    {
        start();
        final int count = 20_000;
        final FarRegion far = registerFar("word", 4_096, MemoryRegion.Rights.READ_WRITE);
        far("watch word");

        for (int i = 1; i <= count; i++)
        {
            final int value = i;
            source.putInt(0, value);
            await(() -> write(value % 2 == 0, far, 0, 0, 4), () -> "room");
        }

        awaitFarWord("word", 0, count);
        await(() -> far("seen word").startsWith("last=" + count), () -> far("seen word"));
        assertEquals("last=" + count + " decreased=0 torn=0", far("seen word"));
    }

    @Test
    void shouldWriteRowsWithEveryKindOfStride()
    {
        start();
        final int length = 128 * 1024;
        final FarRegion far = registerFar("rows", length, MemoryRegion.Rights.WRITE);
        final AtomicBuffer model = Buffers.allocate(length);
        final Random random = new Random(1);
        Payloads.fill(source, 0, length, 3);

        for (int i = 0; i < 60; i++)
        {
            final int rowLength = 1 + random.nextInt(200);
            final int rowCount = 1 + random.nextInt(40);
            final int stride = random.nextInt(1_200) - 600;             // Rows may overlap, and go backwards.
            final int sourceStride = random.nextInt(1_200) - 600;
            final int at = 64 * 1024 + random.nextInt(64);
            final int from = 64 * 1024 + random.nextInt(64);
            final int value = i + 1;
            final RemoteLink.Rows rows = new RemoteLink.Rows(rowLength, rowCount, stride, sourceStride);
            await(() -> remote(0).writeRows(far.virtual, at, source, from, rows, far.word(), value).isAccepted(),
                () -> "room");
            for (int row = 0; row < rowCount; row++)
            {
                model.putBytes(at + row * stride, source, from + row * sourceStride, rowLength);
            }
            model.putInt(0, value);
        }

        awaitFarWord("rows", 0, 60);
        assertEquals(Payloads.crc(model, 0, length), Integer.parseInt(far("crc rows")));
    }

    @Test
    @Tag(LOCAL)
    void shouldKeepTwoChannelsApart()
    {
        start();
        final FarRegion first = registerFar("first", 8_192, MemoryRegion.Rights.WRITE);
        final FarRegion second = registerFar("second", 8_192, MemoryRegion.Rights.WRITE);
        final int count = 500;

        for (int i = 1; i <= count; i++)
        {
            final int value = i;
            Payloads.fill(source, 0, 3_000, value);
            await(() -> remote(0).write(first.virtual, 8, source, 0, 3_000, first.word(), value)
                .isAccepted(), () -> "room");
            await(() -> remote(1).write(second.virtual, 8, source, 5, 2_900, second.word(), -value)
                .isAccepted(), () -> "room");
        }

        awaitFarWord("first", 0, count);
        awaitFarWord("second", 0, -count);
        assertEquals("-1", far("check first 8 3000 " + count));
        assertTrue(remote(0) != remote(1));
    }

    final String far(final String command)
    {
        return cluster().far("memory " + command);
    }

    @SuppressWarnings("StringSplitter")
    final FarRegion registerFar(final String name, final int bytes, final MemoryRegion.Rights rights)
    {
        final String[] words = far("register " + name + " " + bytes + " " + rights.name()).split(" ");
        return new FarRegion(name, new RemoteRegion(farId(0), Long.parseLong(words[0]), bytes, rights, false),
            new RemoteRegion(farId(0), Long.parseLong(words[1]), bytes, rights, true));
    }

    final RemoteLink remote(final int channel)
    {
        return near().endpoint().memory().link(farId(channel));
    }

    /** Writes from the source's first bytes, without a notification. */
    final boolean write(
        final boolean isPhysical, final FarRegion far, final int at, final int from, final int length)
    {
        return remote(0).write(far.of(isPhysical), at, source, from, length).isAccepted();
    }

    final void awaitFarWord(final String name, final int at, final int value)
    {
        await(() -> far("word " + name + " " + at).equals(Integer.toString(value)),
            () -> "word=" + far("word " + name + " " + at) + " instead of " + value);
    }

    private boolean write(
        final boolean isPhysical, final FarRegion far, final int at, final int from, final int length, final int value)
    {
        final RemoteRegion region = far.of(isPhysical);
        return remote(0).write(region, at, source, from, length, region.slice(0, 4), value).isAccepted();
    }

    private void assertReadBetweenZeros(final AtomicBuffer target, final int from, final int to, final int length)
    {
        final AtomicBuffer model = Buffers.allocate(LARGE_LENGTH);
        model.putBytes(to, source, from, length);
        assertEquals(Payloads.crc(model, 0, LARGE_LENGTH), Payloads.crc(target, 0, LARGE_LENGTH), "length=" + length);
    }
}
