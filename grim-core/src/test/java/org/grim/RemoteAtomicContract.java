// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.RemoteLink.SignalOperation;
import org.grim.buffer.Buffers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Atomic operations and signals: what they do, once, in order with all else on the link, and what they refuse. */
public abstract class RemoteAtomicContract extends RemoteWriteContract
{
    private static final int LENGTH = 4_096;
    private static final List<SignalOperation> SIGNALS = List.of(SignalOperation.values());

    @Test
    void shouldExecuteEveryOperationOnWordsOf32Bits()
    {
        start();
        final FarRegion far = registerFar("a", LENGTH, MemoryRegion.Rights.READ_WRITE);
        final RemoteRegion region = far.virtual();
        final RemoteMemory.Atomic done = near().endpoint().memory().newAtomic();
        final RemoteLink remote = remote(0);

        assertEquals(0, run(done, () -> remote.fetchAddInt(region, 4, -3, done)));
        assertEquals(-3, run(done, () -> remote.fetchAddInt(region, 4, Integer.MIN_VALUE, done)));
        assertEquals(Integer.MAX_VALUE - 2, run(done, () -> remote.getAndSetInt(region, 4, -7, done)));
        assertEquals(-7, run(done, () -> remote.compareAndSetInt(region, 4, 7, 1, done)));
        assertEquals(-7, run(done, () -> remote.compareAndSetInt(region, 4, -7, Integer.MIN_VALUE, done)));
        assertEquals(Integer.MIN_VALUE, run(done, () -> remote.fetchOrInt(region, 4, 0x00FF_0F0F, done)));
        assertEquals(0x80FF_0F0F, run(done, () -> remote.fetchXorInt(region, 4, 0x8001_0001, done)));
        assertEquals(0x00FE_0F0E, run(done, () -> remote.fetchAndInt(region, 4, 0xFFF0_00FF, done)));
        assertEquals(0x00F0_000E, run(done, () -> remote.fetchAndInt(region, 4, -1, done)));

        assertContent(4, 0x00F0_000E, 0);
        assertEquals(9, counter(near(), "memory-atomics channel=0"));
    }

    @Test
    void shouldExecuteEveryOperationOnWordsOf64Bits()
    {
        start();
        final FarRegion far = registerFar("a", LENGTH, MemoryRegion.Rights.READ_WRITE);
        final RemoteRegion region = far.virtual();
        final RemoteMemory.Atomic done = near().endpoint().memory().newAtomic();
        final RemoteLink remote = remote(0);
        final long wide = 0x1234_5678_9ABC_DEF0L;

        assertEquals(0, run(done, () -> remote.fetchAddLong(region, 8, wide, done)));
        assertEquals(wide, run(done, () -> remote.fetchAddLong(region, 8, Long.MIN_VALUE, done)));
        assertEquals(wide + Long.MIN_VALUE, run(done, () -> remote.getAndSetLong(region, 8, -wide, done)));
        assertEquals(-wide, run(done, () -> remote.compareAndSetLong(region, 8, -wide & 0xFFFF_FFFFL, 1, done)));
        assertEquals(-wide, run(done, () -> remote.compareAndSetLong(region, 8, -wide, wide, done)));
        assertEquals(wide, run(done, () -> remote.fetchXorLong(region, 8, -1, done)));
        assertEquals(~wide, run(done, () -> remote.fetchOrLong(region, 8, 0x1000_0000_0000_0010L, done)));
        assertEquals(~wide | 0x1000_0000_0000_0010L, run(done, () -> remote.fetchAndLong(region, 8, ~wide, done)));
        assertEquals(~wide, run(done, () -> remote.fetchAddLong(region, 8, 0, done)));

        assertContent(8, (int)~wide, (int)(~wide >>> 32));
    }

    @Test
    void shouldKeepOrderWithWritesAndReads()
    {
        start();
        final FarRegion far = registerFar("a", LENGTH, MemoryRegion.Rights.READ_WRITE);
        final RemoteRegion region = far.virtual();
        final RemoteLink remote = remote(0);
        final RemoteMemory.Atomic added = near().endpoint().memory().newAtomic();
        final RemoteMemory.Atomic set = near().endpoint().memory().newAtomic();
        final RemoteMemory.Read read = near().endpoint().memory().newRead();
        final MemoryRegion target = near().endpoint().memory().register(64);

        for (int i = 1; i <= 100; i++)
        {
            final int value = i * 10;
            source.putLong(0, value);
            accept(() -> remote.write(region, 8, source, 0, 8));
            accept(() -> remote.fetchAddLong(region, 8, 1, added));
            accept(() -> remote.read(region, 8, target, 0, 8, read));
            accept(() -> remote.compareAndSetLong(region, 8, value + 1, value + 2, set));
            source.putLong(0, value + 3);
            accept(() -> remote.write(region, 16, source, 0, 8, far.word(), value));
            await(() -> added.isComplete() && read.isComplete() && set.isComplete(), () -> "the operations");

            assertEquals(value, added.previous());
            assertEquals(value + 1, target.buffer().getLong(0));
            assertEquals(value + 1, set.previous());
        }
        awaitFarWord("a", 0, 1_000);
        assertEquals("1002", far("word a 8"));
        assertEquals("1003", far("word a 16"));
    }

    @Test
    void shouldNotLetAMessageOvertakeAnAtomicOperation()
    {
        start();
        final FarRegion far = registerFar("words", LENGTH, MemoryRegion.Rights.READ_WRITE);
        final HandlerId check = resolve(FarMemory.CHECK_WORD);
        final RemoteMemory.Atomic done = near().endpoint().memory().newAtomic();
        final int count = 200;

        for (int i = 1; i <= count; i++)
        {
            final int value = i;
            accept(() -> remote(0).fetchAddInt(far.virtual(), 12, 1, done));
            await(() -> link(0).send(check, 12, value, 0, 0, payload, 0, 0) == SendStatus.SENT, () -> "room");
            await(done::isComplete, () -> "the operation");
        }

        await(() -> far("checked").startsWith("checked=" + count + " "), () -> far("checked"));
        assertEquals("checked=" + count + " bad=0", far("checked"));
    }

    @Test
    void shouldAddUpIncrementsOfSeveralLinksAndOfTheTargetItself()
    {
        start();
        final FarRegion far = registerFar("a", LENGTH, MemoryRegion.Rights.READ_WRITE);
        final int count = 2_000;
        final int ownCount = 500;
        final RemoteMemory.Atomic[] done = new RemoteMemory.Atomic[4];
        final BitSet seen = new BitSet();
        far("add a 8 " + ownCount);

        for (int i = 0; i < count + done.length; i++)
        {
            final int slot = i % done.length;
            final RemoteMemory.Atomic handle = i < done.length ? near().endpoint().memory().newAtomic() : done[slot];
            done[slot] = handle;
            await(handle::isComplete, () -> "the operation");
            if (i >= done.length)
            {
                assertFalse(seen.get((int)handle.previous()), "two operations found " + handle.previous());
                seen.set((int)handle.previous());
            }
            if (i < count)
            {
                accept(() -> remote(slot & 1).fetchAddLong(far.virtual(), 8, 1, handle));
            }
        }
        await(() -> far("added").equals(Integer.toString(ownCount)), () -> far("added"));

        assertEquals(count, seen.cardinality());
        assertEquals(Integer.toString(count + ownCount), far("word a 8"));
    }

    @Test
    void shouldExecuteEachOfManyOnceAndInOrderThoughTheirAnswersWait()
    {
        start();
        final FarRegion far = registerFar("a", LENGTH, MemoryRegion.Rights.READ_WRITE);
        final RemoteLink remote = remote(0);
        final List<RemoteMemory.Atomic> done = new ArrayList<>();
        final int count = 3_000;

        while (done.size() < count)
        {
            final RemoteMemory.Atomic next = near().endpoint().memory().newAtomic();
            while (!remote.fetchAddLong(far.virtual(), 8, 1, next).isAccepted())
            {
                if (cluster().stepFar() == 0)
                {
                    cluster().pollNear();
                }
            }
            done.add(next);
        }
        await(() -> done.stream().allMatch(RemoteMemory.Atomic::isComplete), () -> "the operations");

        for (int i = 0; i < count; i++)
        {
            assertNull(done.get(i).refusal());
            assertEquals(i, done.get(i).previous());
        }
        assertEquals(Integer.toString(count), far("word a 8"));
    }

    @Test
    void shouldLoseNoBitOfSeveralLinksAndOfTheTargetItself()
    {
        start();
        final FarRegion far = registerFar("a", LENGTH, MemoryRegion.Rights.READ_WRITE);
        final int count = 1_024;
        final RemoteMemory.Atomic[] done = new RemoteMemory.Atomic[3];
        far("flip a 8 63 " + (count / 2 + 1));

        for (int i = 0; i < count; i++)
        {
            final int slot = i % done.length;
            final int bit = i % 32;
            final RemoteMemory.Atomic handle = i < done.length ? near().endpoint().memory().newAtomic() : done[slot];
            final RemoteLink remote = remote(i / 32 & 1);
            done[slot] = handle;
            await(handle::isComplete, () -> "the operation");
            switch (i / 32 % 4)             // Each bit is set, cleared, inverted, and inverted again.
            {
                case 0 -> accept(() -> remote.fetchOrLong(far.virtual(), 8, 1L << bit, handle));
                case 1 -> accept(() -> remote.fetchAndLong(far.virtual(), 8, ~(1L << bit), handle));
                default -> accept(() -> remote.fetchXorLong(far.virtual(), 8, 1L << bit, handle));
            }
            if (bit == 31)
            {
                for (final RemoteMemory.Atomic last : done)
                {
                    await(last::isComplete, () -> "the operation");
                }
                final int expected = i / 32 % 2 == 0 ? -1 : 0;
                assertEquals(expected, (int)run(handle, () -> remote.fetchOrLong(far.virtual(), 8, 0, handle)));
            }
        }
        await(() -> far("added").equals(Integer.toString(count / 2 + 1)), () -> far("added"));

        assertContent(8, 0, Integer.MIN_VALUE);
    }

    @Test
    void shouldChangeSignalsOfBothWidthsAndNothingBeside()
    {
        start();
        final FarRegion far = registerFar("a", LENGTH, MemoryRegion.Rights.WRITE);
        final RemoteRegion signal = far.virtual().slice(16, 8);
        final long wide = 0x1234_5678_9ABC_DEF0L;
        source.putLong(0, 0);

        signal(far, SignalOperation.SET_LONG, signal, wide);
        awaitFarWord("a", 16, (int)wide);
        signal(far, SignalOperation.ADD_LONG, signal, 0x6543_2110L);
        awaitFarWord("a", 16, 0);
        assertContent(16, 0, (int)(wide >>> 32) + 1);
        signal(far, SignalOperation.ADD_INT, signal, 1L << 32 | 5);
        awaitFarWord("a", 16, 5);
        signal(far, SignalOperation.ADD_LONG, signal, -6);
        awaitFarWord("a", 16, -1);
        assertContent(16, -1, (int)(wide >>> 32));
        signal(far, SignalOperation.SET_INT, signal, 1L << 32 | 7);
        awaitFarWord("a", 16, 7);

        assertContent(16, 7, (int)(wide >>> 32));
    }

    @Test
    void shouldSignalAfterTheLastByteOfThisAndEveryEarlierOperation()
    {
        start();
        final int length = 100_000;
        final FarRegion far = registerFar("pattern", SLOT_COUNT + length, MemoryRegion.Rights.WRITE);
        far("watch pattern");

        final RemoteRegion signal = far.virtual().slice(0, 8);
        for (int value = 1; value <= 20; value++)
        {
            final int next = value;
            final SignalOperation operation = SIGNALS.get(value % SIGNALS.size());
            final boolean isAdded = operation.atomic() == RemoteLink.AtomicOperation.FETCH_ADD;
            Payloads.fill(source, 0, length, value);
            accept(() -> remote(0).write(far.virtual(), SLOT_COUNT, source, 0, length - 1_000));
            accept(() -> remote(0).writeWithSignal(far.virtual(), SLOT_COUNT + length - 1_000, source, length - 1_000,
                1_000, operation, signal, isAdded ? 1 : next));
            await(() -> far("seen pattern").startsWith("last=" + next + " "), () -> far("seen pattern"));
        }
        accept(() -> remote(0).writeWithSignal(far.virtual(), SLOT_COUNT, source, 0, length, far.word(), 0));
        accept(() -> remote(0).writeWithSignal(far.virtual(), SLOT_COUNT, source, 0, length, far.word(), -20));

        awaitFarWord("pattern", 0, 0);
        assertTrue(far("seen pattern").endsWith(" torn=0"), far("seen pattern"));
    }

    @Test
    @Tag(LOCAL)
    void shouldAddUpSignalsOfSeveralWriters()
    {
        start();
        final FarRegion far = registerFar("a", LARGE_LENGTH, MemoryRegion.Rights.WRITE);
        Payloads.fill(source, 0, LARGE_LENGTH, 3);

        for (int i = 0; i < 200; i++)
        {
            final int channel = i & 1;
            final int length = i == 100 ? (1 << 20) + 5 : 1 + i * 7;
            accept(() -> remote(channel).writeWithSignal(far.virtual(), 8, source, 0, length, far.word(), 1));
        }

        awaitFarWord("a", 0, 200);
        assertEquals("-1", far("check a 8 " + ((1 << 20) + 5) + " 3"));
    }

    @Test
    @Tag(LOCAL)
    void shouldSayAtOnceWhatIsNoWordOrSignal()
    {
        start();
        final FarRegion far = registerFar("a", LENGTH, MemoryRegion.Rights.READ_WRITE);
        final RemoteRegion region = far.virtual();
        final FarRegion readOnly = registerFar("readOnly", LENGTH, MemoryRegion.Rights.READ);
        final FarRegion writeOnly = registerFar("writeOnly", LENGTH, MemoryRegion.Rights.WRITE);
        final RemoteMemory.Atomic done = near().endpoint().memory().newAtomic();
        final RemoteLink remote = remote(0);

        refuseAtOnce(() -> remote.fetchAddInt(region, 2, 1, done));
        refuseAtOnce(() -> remote.fetchAddLong(region, 4, 1, done));
        refuseAtOnce(() -> remote.fetchAddLong(region, -8, 1, done));
        refuseAtOnce(() -> remote.fetchAddLong(region, LENGTH - 4, 1, done));
        refuseAtOnce(() -> remote.fetchAddLong(region.slice(8, 4), 0, 1, done));
        refuseAtOnce(() -> remote.fetchAddInt(readOnly.virtual(), 0, 1, done));
        refuseAtOnce(() -> remote.fetchAddInt(writeOnly.virtual(), 0, 1, done));
        refuseAtOnce(() -> remote.fetchAddInt(far.physical(), 0, 1, done));
        refuseAtOnce(() -> remote.fetchAndInt(region, 2, 1, done));
        refuseAtOnce(() -> remote.fetchOrLong(region, LENGTH - 4, 1, done));
        refuseAtOnce(() -> remote.fetchXorLong(readOnly.virtual(), 0, 1, done));
        for (final RemoteLink.AtomicOperation operation : RemoteLink.AtomicOperation.values())
        {
            for (final int length : new int[]{0, 1, 2, 5, 16, -4})
            {
                refuseAtOnce(() -> remote.atomic(operation, region, 0, length, 1, 0, done));
            }
        }
        for (final SignalOperation operation : SignalOperation.values())
        {
            final int bytes = operation.length();
            refuseAtOnce(() -> remote.writeWithSignal(
                far.physical(), 0, source, 0, 8, operation, far.physical().slice(0, bytes), 1));
            refuseAtOnce(() -> remote.writeWithSignal(
                region, 0, source, 0, 8, operation, region.slice(0, bytes - 1), 1));
            assertThrows(NullPointerException.class,
                () -> remote.writeWithSignal(region, 0, source, 0, 8, operation, null, 1));
        }
        assertThrows(NullPointerException.class, () -> remote.writeWithSignal(region, 0, source, 0, 8, null, 1));
        assertThrows(IllegalStateException.class, done::previous);
        assertTrue(done.isComplete());
        assertContent(0, 0, 0);
    }

    @Test
    void shouldEndWithTheReasonOfItsRefusal()
    {
        start();
        final FarRegion freed = registerFar("freed", LENGTH, MemoryRegion.Rights.READ_WRITE);
        final FarRegion readOnly = registerFar("readOnly", LENGTH, MemoryRegion.Rights.READ);
        final FarRegion far = registerFar("a", LENGTH, MemoryRegion.Rights.READ_WRITE);
        final RemoteMemory.Atomic done = near().endpoint().memory().newAtomic();
        final List<RemoteRefusal> refused = new ArrayList<>();
        near().endpoint().memory().onRefused((destination, remoteAddress, length, reason) -> refused.add(reason));
        far("free freed");

        for (int i = 0; i < 3; i++)
        {
            accept(() -> remote(0).fetchAddLong(freed.virtual(), 0, 1, done));
            await(done::isComplete, () -> "the refusal");
            assertRefusal(RemoteRefusal.FREED, done.refusal());
            assertThrows(IllegalStateException.class, done::previous);
            accept(() -> remote(0).getAndSetInt(claimingAllRights(readOnly), 4, 1, done));
            await(done::isComplete, () -> "the refusal");
            assertRefusal(RemoteRefusal.NO_RIGHT, done.refusal());
            assertEquals(i, run(done, () -> remote(0).fetchAddLong(far.virtual(), 16, 1, done)));
        }
        accept(() -> remote(0).writeWithSignal(freed.virtual(), 8, source, 0, 8, far.word(), 1));
        accept(() -> remote(0).writeWithSignal(far.virtual(), 8, source, 0, 8, freed.word(), 1));
        signal(far, SignalOperation.SET_LONG, freed.virtual().slice(0, 8), 1);
        signal(far, SignalOperation.ADD_LONG, claimingAllRights(readOnly).slice(8, 8), 1);
        await(() -> refused.size() == 10, () -> "refusals=" + refused);
        signal(far, SignalOperation.ADD_INT, far.virtual().slice(2, 4), 1);
        signal(far, SignalOperation.SET_LONG, far.virtual().slice(4, 8), 1);
        signal(far, SignalOperation.ADD_LONG, far.virtual().slice(4, 8), 1);
        await(() -> refused.size() == 13, () -> "refusals=" + refused);
        settle();

        assertEquals(13, refused.size());
        refused.subList(10, 13).forEach(reason -> assertRefusal(RemoteRefusal.MISALIGNED_NOTIFICATION, reason));
        assertEquals("0", far("word readOnly 8"));
        assertEquals("0", far("word readOnly 4"));
        assertEquals("0", far("word a 0"));
    }

    @Test
    @Tag(LOCAL)
    void shouldHaveAHandlersAtomicOperationsWaitBehindItsMessages()
    {
        start();
        assumeTrue(cluster().hasPeer());
        final HandlerId record = resolve(FarNode.RECORD);
        final EndpointId farEndpoint = farId(1);
        final FarRegion far = registerFar("a", LENGTH, MemoryRegion.Rights.READ_WRITE);
        final RemoteMemory.Atomic added = near().endpoint().memory().newAtomic();
        final RemoteMemory.Atomic set = near().endpoint().memory().newAtomic();
        final RemoteMemory.Atomic exchanged = near().endpoint().memory().newAtomic();
        final RemoteMemory.Atomic inverted = near().endpoint().memory().newAtomic();
        final int count = moreThanCapacity();
        final List<SendStatus> statuses = new ArrayList<>();
        Payloads.fill(source, 0, 2_000, 9);
        final HandlerId local = registerNear("near.local", message ->
        {
            final RemoteLink remote = near().endpoint().memory().link(1, farEndpoint);
            for (int i = 0; i < count; i++)
            {
                near().endpoint().link(1, farEndpoint).send(record, i, crc(8, i), 0, 0, payload, 0, 8);
            }
            statuses.add(remote.writeWithSignal(far.virtual(), 16, source, 0, 2_000, far.word(), 5));
            statuses.add(remote.fetchAddInt(far.virtual(), 0, 1, added));
            statuses.add(remote.compareAndSetInt(far.virtual(), 0, 6, Integer.MIN_VALUE, set));
            statuses.add(remote.getAndSetLong(far.virtual(), 8, -1, exchanged));
            statuses.add(remote.writeWithSignal(far.virtual(), 3_000, source, 0, 500, SignalOperation.ADD_LONG,
                far.virtual().slice(2_048, 8), 3L << 32 | 2));
            statuses.add(remote.fetchXorInt(far.virtual(), 2_048, 7, inverted));
        });
        cluster().far("stop");
        sendToSelf(local);
        await(() -> statuses.size() == 6, () -> "the handler");
        final boolean isCompleteBefore = added.isComplete() || set.isComplete() || exchanged.isComplete();
        cluster().far("continue");

        awaitHistory(1, count);
        await(() -> added.isComplete() && set.isComplete() && exchanged.isComplete() && inverted.isComplete(),
            () -> "the operations");

        assertEquals(Collections.nCopies(6, SendStatus.QUEUED), statuses);
        assertFalse(isCompleteBefore);
        assertEquals(5, added.previous());
        assertEquals(6, set.previous());
        assertEquals(0, exchanged.previous());
        assertEquals(Integer.toString(Integer.MIN_VALUE), far("word a 0"));
        assertEquals("-1", far("word a 8"));
        assertEquals("-1", far("check a 16 2000 9"));
        assertEquals(2, inverted.previous());
        assertEquals("5", far("word a 2048"));
        assertEquals("3", far("word a 2052"));
        assertEquals("-1", far("check a 3000 500 9"));
    }

    @Test
    void shouldEndAnAtomicOperationWhosePeerGoes()
    {
        start("grim.liveness.interval", "1ms");
        assumeTrue(cluster().hasPeer());

        endsWhenThePeer(() -> cluster().far("leave"));
    }

    @Test
    void shouldEndAnAtomicOperationWhosePeerIsKilled()
    {
        start("grim.liveness.interval", "1ms");

        endsWhenThePeer(() -> assumeTrue(cluster().tryKillFar()));
    }

    /** Checks the reason of a refusal, as far as the transport reports it. */
    abstract void assertRefusal(RemoteRefusal expected, RemoteRefusal actual);

    /** A read and an atomic operation that wait when the peer goes end with the same reason. */
    private void endsWhenThePeer(final Runnable goes)
    {
        final HandlerId record = resolve(FarNode.RECORD);
        final EndpointId farEndpoint = farId(0);
        final FarRegion far = registerFar("a", LENGTH, MemoryRegion.Rights.READ_WRITE);
        final RemoteMemory.Atomic done = near().endpoint().memory().newAtomic();
        final RemoteMemory.Read read = near().endpoint().memory().newRead();
        final MemoryRegion target = near().endpoint().memory().register(8);
        final RemoteLink remote = remote(0);
        final SendStatus[] status = new SendStatus[1];
        final HandlerId local = registerNear("near.local", message ->
        {
            for (int i = 0; i < smallCapacity() * 2; i++)
            {
                near().endpoint().link(farEndpoint).send(record, i, crc(8, i), 0, 0, payload, 0, 8);
            }
            remote.read(far.virtual(), 0, target, 0, 8, read);
            status[0] = remote.fetchAddLong(far.virtual(), 0, 1, done);
        });
        if (cluster().hasPeer())
        {
            cluster().far("stop");
        }
        sendToSelf(local);
        await(() -> status[0] != null, () -> "the handler");
        final boolean isCompleteBefore = done.isComplete();

        goes.run();
        await(() -> done.isComplete() && read.isComplete(), () -> "the end of the operations");

        assertFalse(isCompleteBefore);
        assertEquals(RemoteRefusal.PEER_GONE, read.refusal());
        assertEquals(RemoteRefusal.PEER_GONE, done.refusal());
        assertEquals(SendStatus.PEER_GONE, remote.fetchAddLong(far.virtual(), 0, 1, done));
    }

    /** Writes eight bytes to the region's first ones, and then changes a signal. */
    private void signal(
        final FarRegion far, final SignalOperation operation, final RemoteRegion signal, final long value)
    {
        accept(() -> remote(0).writeWithSignal(far.virtual(), 8, source, 0, 8, operation, signal, value));
    }

    private void accept(final Supplier<SendStatus> operation)
    {
        await(() -> operation.get().isAccepted(), () -> "room");
    }

    /** Runs an operation to its end. */
    private long run(final RemoteMemory.Atomic completion, final Supplier<SendStatus> operation)
    {
        accept(operation);
        await(completion::isComplete, () -> "the operation");
        assertNull(completion.refusal());
        return completion.previous();
    }

    private static void refuseAtOnce(final Supplier<SendStatus> operation)
    {
        assertThrows(IllegalArgumentException.class, operation::get);
    }

    private static RemoteRegion claimingAllRights(final FarRegion region)
    {
        return new RemoteRegion(region.virtual().endpoint(), region.virtual().address(), LENGTH,
            MemoryRegion.Rights.READ_WRITE, false);
    }

    /** Region a has two words, and nothing beside. */
    private void assertContent(final int at, final int first, final int second)
    {
        final AtomicBuffer model = Buffers.allocate(LENGTH);
        model.putInt(at, first);
        model.putInt(at + 4, second);
        assertEquals(Payloads.crc(model, 0, LENGTH), Integer.parseInt(far("crc a")));
    }
}
