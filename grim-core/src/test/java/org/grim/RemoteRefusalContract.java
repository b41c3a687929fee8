// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Refusals of remote memory: nothing is written, and the refusal is reported once, and counted. */
public abstract class RemoteRefusalContract extends RemoteAtomicContract
{
    private static final int PAGE_LENGTH = 4_096;

    private final List<RemoteRefusal> reported = new ArrayList<>();
    private FarRegion before;
    private FarRegion own;
    private FarRegion behind;
    private FarRegion readOnly;
    private FarRegion writeOnly;
    private FarRegion freed;

    /** Whether the target's own reason comes back; else that of its network interface may. */
    protected boolean isReasonExact()
    {
        return true;
    }

    /** Whether RM-P finds out that a page is another region's, is not to be written, or was freed. */
    protected boolean isPhysicalCheckedByPage()
    {
        return true;
    }

    /** Most bytes that one operation writes: longer ones are cut, and each piece is refused or not. */
    protected int pieceLengthMax()
    {
        return Integer.MAX_VALUE;
    }

    /** Expectations for a reason; the target finds reasons that no sender can. */
    final RemoteRefusal expected(final RemoteRefusal reason)
    {
        return switch (reason)
        {
            case ZERO_LENGTH, WRAP_AROUND, MISALIGNED_NOTIFICATION -> reason;
            default -> isReasonExact() ? reason : RemoteRefusal.BY_NETWORK_INTERFACE;
        };
    }

    @Test
    @Tag(LOCAL)
    void shouldRefuseWritesByVirtualAddressThatLeaveTheirRegion()
    {
        startWithRegions();
        final long start = own.virtual().address();

        refuse(RemoteRefusal.OUT_OF_RANGE, () -> write(false, start - 1, 8, 0));
        refuse(RemoteRefusal.OUT_OF_RANGE, () -> write(false, start + PAGE_LENGTH - 7, 8, 0));
        refuse(RemoteRefusal.OUT_OF_RANGE, () -> write(false, start + PAGE_LENGTH, 8, 0));
        if (PAGE_LENGTH < pieceLengthMax())
        {
            refuse(RemoteRefusal.OUT_OF_RANGE, () -> write(false, start, PAGE_LENGTH + 1, start));
        }
        final int throughBoth = (int)(behind.virtual().address() - start) + 8;
        if (throughBoth <= pieceLengthMax())
        {
            refuse(RemoteRefusal.OUT_OF_RANGE, () -> write(false, start, throughBoth, 0));
        }
        refuse(RemoteRefusal.OUT_OF_RANGE, () -> write(false, 64, 8, 0));
        refuse(RemoteRefusal.OUT_OF_RANGE, () -> write(false, Long.MAX_VALUE - 4_096, 8, 0));
        refuse(RemoteRefusal.OUT_OF_RANGE, () -> write(false, Long.MIN_VALUE, 8, 0));
        refuse(RemoteRefusal.OUT_OF_RANGE, () -> write(false, behind.virtual().address() + (1L << 30), 8, 0));
    }

    @Test
    @Tag(LOCAL)
    void shouldRefuseWritesByPhysicalAddressThatLeaveTheirPages()
    {
        startWithRegions();
        final long start = own.physical().address();

        if (isPhysicalCheckedByPage())
        {
            refuse(null, () -> write(true, start - 1, 8, 0));
            refuse(RemoteRefusal.OUT_OF_RANGE, () -> write(true, start + PAGE_LENGTH - 7, 8, 0));
            refuse(null, () -> write(true, start + PAGE_LENGTH, 8, 0));
            if (PAGE_LENGTH < pieceLengthMax())
            {
                refuse(RemoteRefusal.OUT_OF_RANGE, () -> write(true, start, PAGE_LENGTH + 1, start));
            }
            refuse(RemoteRefusal.OUT_OF_RANGE, () -> write(true, 64, 8, 0));
        }
        refuse(RemoteRefusal.OUT_OF_RANGE, () -> write(true, start + (1L << 36), 8, 0));
        refuse(null, () -> write(true, Long.MAX_VALUE - 4_096, 8, 0));
        refuse(null, () -> write(true, Long.MIN_VALUE, 8, 0));
    }

    @Test
    @Tag(LOCAL)
    void shouldRefuseWritesByPhysicalAddressThatLeaveRegisteredMemory()
    {
        startWithRegions();

        refuse(null, () -> write(true, own.physical().address() + (1L << 36), 8, 0));
        refuse(null, () -> write(true, Long.MAX_VALUE - 4_096, 8, 0));
        refuse(null, () -> write(true, Long.MIN_VALUE, 8, 0));
        refuse(null, () -> write(true, own.physical().address(), 8, own.physical().address() + (1L << 36)));
    }

    @Test
    @Tag(LOCAL)
    void shouldRefuseWhatTheRegionDoesNotGrant()
    {
        startWithRegions();
        final MemoryRegion target = near().endpoint().memory().register(64);

        refuse(RemoteRefusal.NO_RIGHT, () -> write(false, readOnly.virtual().address(), 8, 0));
        if (isPhysicalCheckedByPage())
        {
            refuse(RemoteRefusal.NO_RIGHT, () -> write(true, readOnly.physical().address(), 8, 0));
        }
        refuse(RemoteRefusal.NO_RIGHT,
            () -> read(writeOnly.virtual().address(), target, 8, target.remote().address()));
        assertEquals(0, target.buffer().getLong(0));
    }

    @Test
    @Tag(LOCAL)
    void shouldRefuseWhatWasFreedAndAddressesOfEarlierRegistrations()
    {
        startWithRegions();
        final FarRegion next = registerFar("next", PAGE_LENGTH, MemoryRegion.Rights.READ_WRITE);
        final MemoryRegion target = near().endpoint().memory().register(64);

        refuse(RemoteRefusal.FREED, () -> write(false, freed.virtual().address(), 8, 0));
        if (isPhysicalCheckedByPage())
        {
            refuse(RemoteRefusal.FREED, () -> write(true, freed.physical().address(), 8, 0));
        }
        refuse(RemoteRefusal.FREED,
            () -> read(freed.virtual().address(), target, 8, target.remote().address()));
        assertEquals(crcOfZeros(), far("crc next"));
        assertTrue(next.virtual().address() != freed.virtual().address());
        assertTrue(next.physical().address() != freed.physical().address());
    }

    @Test
    @Tag(LOCAL)
    void shouldRefuseRangesThatGoOnAtAddressZero()
    {
        startWithRegions();
        final MemoryRegion target = near().endpoint().memory().register(64);

        refuse(RemoteRefusal.WRAP_AROUND, () -> write(false, -4, 8, 0));
        refuse(RemoteRefusal.WRAP_AROUND, () -> write(true, -4, 8, 0));
        refuse(RemoteRefusal.WRAP_AROUND, () -> read(-4, target, 8, target.remote().address()));
        assertEquals(0, target.buffer().getInt(0));
    }

    @Test
    @Tag(LOCAL)
    void shouldRefuseNotificationWordsThatAreMisalignedOrNotToBeWritten()
    {
        startWithRegions();
        final long data = own.virtual().address() + 64;
        final long physicalData = own.physical().address() + 64;
        final MemoryRegion target = near().endpoint().memory().register(PAGE_LENGTH);

        refuse(RemoteRefusal.MISALIGNED_NOTIFICATION, () -> write(false, data, 8, own.virtual().address() + 2));
        refuse(RemoteRefusal.MISALIGNED_NOTIFICATION, () -> write(true, physicalData, 8, own.physical().address() + 1));
        refuse(RemoteRefusal.MISALIGNED_NOTIFICATION,
            () -> read(data, target, 8, target.remote().address() + 3));
        refuse(RemoteRefusal.NOTIFICATION_OUT_OF_RANGE,
            () -> write(false, data, 8, own.virtual().address() + PAGE_LENGTH));
        refuse(RemoteRefusal.NOTIFICATION_OUT_OF_RANGE, () -> write(false, data, 8, readOnly.virtual().address()));
        refuse(RemoteRefusal.NOTIFICATION_OUT_OF_RANGE, () -> write(false, data, 8, freed.virtual().address()));
        if (isPhysicalCheckedByPage())
        {
            refuse(RemoteRefusal.NOTIFICATION_OUT_OF_RANGE,
                () -> write(true, physicalData, 8, readOnly.physical().address()));
            refuse(RemoteRefusal.NOTIFICATION_OUT_OF_RANGE,
                () -> write(true, physicalData, 8, freed.physical().address()));
        }
        refuse(null, () -> read(data, target, 8, target.remote().address() + PAGE_LENGTH));
        assertEquals(RemoteRefusal.NOTIFICATION_OUT_OF_RANGE, reported.get(reported.size() - 1));
    }

    @Test
    @Tag(LOCAL)
    void shouldRefuseOperationsOnNothing()
    {
        startWithRegions();
        final MemoryRegion target = near().endpoint().memory().register(64);

        refuse(RemoteRefusal.ZERO_LENGTH, () -> write(false, own.virtual().address(), 0, own.virtual().address()));
        refuse(RemoteRefusal.ZERO_LENGTH, () -> write(true, own.physical().address(), 0, own.physical().address()));
        refuse(RemoteRefusal.ZERO_LENGTH,
            () -> read(own.virtual().address(), target, 0, target.remote().address()));
        refuse(RemoteRefusal.ZERO_LENGTH, () -> remote(0).writeRows(own.virtual(), 0, source, 0,
            new RemoteLink.Rows(0, 100, 8, 8), own.word(), 1));
        assertEquals(0, target.buffer().getInt(0));
    }

    @Test
    void shouldEndAReadWithTheReasonOfItsRefusal()
    {
        startWithRegions();
        final MemoryRegion target = near().endpoint().memory().register(PAGE_LENGTH);
        final RemoteMemory.Read read = near().endpoint().memory().newRead();

        for (int i = 0; i < 3; i++)
        {
            refuse(RemoteRefusal.FREED, () -> remote(0).read(freed.virtual(), 0, target, 0, 64, read));
            assertTrue(read.isComplete());
            assertReason(RemoteRefusal.FREED, read.refusal());
            await(() -> remote(0).read(own.virtual(), 0, target, 0, 64, read).isAccepted(), () -> "room");
            await(read::isComplete, () -> "the read");
            assertNull(read.refusal());
        }
    }

    @Test
    @Tag(LOCAL)
    void shouldRefuseOneRowAndWriteTheOthers()
    {
        startWithRegions();
        Payloads.fill(source, 0, 3 * 16, 1);
        final int reportedBefore = reported.size();

        await(() -> remote(0).writeRows(at(false, own.virtual().address(), 2 * PAGE_LENGTH), PAGE_LENGTH, source, 0,
            new RemoteLink.Rows(16, 3, -16, 16), null, 0).isAccepted(), () -> "room");
        await(() -> reported.size() > reportedBefore, () -> "the refusal");
        awaitFarWord("own", PAGE_LENGTH - 32, source.getInt(32));
        settle();

        assertEquals(reportedBefore + 1, reported.size());
        assertReason(RemoteRefusal.OUT_OF_RANGE, reported.get(reportedBefore));
        for (int at = 0; at < 16; at += 4)
        {
            assertEquals(Integer.toString(source.getInt(16 + at)), far("word own " + (PAGE_LENGTH - 16 + at)));
        }
    }

    @Test
    @Tag(LOCAL)
    void shouldTellEachOfManyRefusalsOnce()
    {
        startWithRegions();
        final int count = 1_000;

        for (int i = 0; i < count; i++)
        {
            final int at = i;
            await(() -> write(false, freed.virtual().address() + at, 8, 0).isAccepted(), () -> "room");
        }
        await(() -> reported.size() >= count, () -> "refusals=" + reported.size());
        settle();

        assertEquals(count, reported.size());
    }

    private void startWithRegions()
    {
        start();
        reported.clear();
        before = registerFar("before", PAGE_LENGTH, MemoryRegion.Rights.READ_WRITE);
        own = registerFar("own", PAGE_LENGTH, MemoryRegion.Rights.READ_WRITE);
        behind = registerFar("behind", PAGE_LENGTH, MemoryRegion.Rights.READ_WRITE);
        readOnly = registerFar("readOnly", PAGE_LENGTH, MemoryRegion.Rights.READ);
        writeOnly = registerFar("writeOnly", PAGE_LENGTH, MemoryRegion.Rights.WRITE);
        freed = registerFar("freed", PAGE_LENGTH, MemoryRegion.Rights.READ_WRITE);
        far("free freed");
        Payloads.fill(source, 0, 8 * PAGE_LENGTH, 99);
        near().endpoint().memory().onRefused((destination, remoteAddress, length, reason) -> reported.add(reason));
    }

    private SendStatus write(
        final boolean isPhysical, final long address, final int length, final long notificationAddress)
    {
        return remote(0).write(at(isPhysical, address, length), 0, source, 0, length,
            notificationAddress == 0 ? null : at(isPhysical, notificationAddress, 4), 77);
    }

    private SendStatus read(final long address, final MemoryRegion target, final int length, final long wordAddress)
    {
        return remote(0).read(at(false, address, length), 0, target, 0, length, new RemoteRegion(
            target.remote().endpoint(), wordAddress, 4, MemoryRegion.Rights.READ_WRITE, false), 1);
    }

    /** Region that a peer may make up: memory that is not there, with every right. */
    private RemoteRegion at(final boolean isPhysical, final long address, final int length)
    {
        return new RemoteRegion(farId(0), address, length, MemoryRegion.Rights.READ_WRITE, isPhysical);
    }

    /** Runs an operation that is accepted and then refused; null for any reason. */
    private void refuse(final RemoteRefusal reason, final Supplier<SendStatus> operation)
    {
        final int reportedBefore = reported.size();
        final String contentBefore = contents();
        final long countedBefore = refusedCount();

        await(() -> operation.get().isAccepted(), () -> "room");
        await(() -> reported.size() > reportedBefore, () -> "refusal " + reason);
        settle();

        assertEquals(reportedBefore + 1, reported.size(),
            () -> reported.subList(reportedBefore, reported.size()).toString());
        final RemoteRefusal actual = reported.get(reportedBefore);
        if (reason != null)
        {
            assertReason(reason, actual);
        }
        assertEquals(countedBefore + 1, refusedCount());
        assertTrue(counter(near(), "memory-refused " + actual) > 0);
        assertEquals(contentBefore, contents());
    }

    @Override
    final void assertRefusal(final RemoteRefusal expected, final RemoteRefusal actual)
    {
        assertReason(expected, actual);
    }

    private void assertReason(final RemoteRefusal expected, final RemoteRefusal actual)
    {
        if (isReasonExact() || actual != RemoteRefusal.BY_NETWORK_INTERFACE)
        {
            assertEquals(expected, actual);
        }
    }

    private long refusedCount()
    {
        long count = 0;
        for (final RemoteRefusal reason : RemoteRefusal.values())
        {
            count += counter(near(), "memory-refused " + reason);
        }
        return count;
    }

    private String contents()
    {
        final StringBuilder text = new StringBuilder();
        for (final FarRegion region : new FarRegion[]{before, own, behind, readOnly, writeOnly})
        {
            text.append(far("crc " + region.name())).append(' ');
        }
        return text.toString();
    }

    private String crcOfZeros()
    {
        source.setMemory(0, PAGE_LENGTH, (byte)0);
        return Integer.toString(Payloads.crc(source, 0, PAGE_LENGTH));
    }
}
