// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.memory;

import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.DmaRegionHeader;
import org.grim.board.PhysicalAddress;
import org.grim.board.TranslationDescriptor;
import org.grim.buffer.Buffers;
import org.grim.buffer.MappedFile;
import org.grim.buffer.SegmentHeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.grim.board.ContextRegisters.ANSWER_ID;
import static org.grim.board.ContextRegisters.PAGES;
import static org.grim.board.ContextRegisters.PAGE_COUNT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(180)
final class TranslationServerTest
{
    private static final int PAGE = 4096;

    private final List<Throwable> errors = new CopyOnWriteArrayList<>();

    @TempDir
    private Path directory;

    @Test
    void shouldAnswerFromADutyCycle()
    {
        try (TestRegion test = new TestRegion(directory, 4 * PAGE); TranslationServer server = server(test))
        {
            final TestPages.Region block = test.pages.register(2 * PAGE, 3);
            assertEquals(0, server.poll());

            request(test.region.buffer(), 1, block.virtualAddress(), 2);
            server.interrupt().raise();

            assertEquals(1, server.poll());
            assertEquals(0, server.poll());
            assertEquals(1, test.registers.getAcquire(ANSWER_ID));
            assertEquals(2, test.registers.get(PAGE_COUNT));
            final long first =
                PhysicalAddress.of(TestRegion.CONTEXT, test.region.layout().registeredOffset() + block.offset());
            assertEquals(first + 3, test.registers.get(PAGES, 0));
            assertEquals(first + PAGE + 3, test.registers.get(PAGES, 1));
            assertEquals(1, server.answerCount());
        }
    }

    @Test
    void shouldRefuseFreedPagesAndPagesBeyondABlock()
    {
        try (TestRegion test = new TestRegion(directory, 4 * PAGE); TranslationServer server = server(test))
        {
            final TestPages.Region block = test.pages.register(PAGE, 1);
            request(test.region.buffer(), 1, block.virtualAddress(), 2);
            server.interrupt().raise();
            assertEquals(1, server.poll());
            assertEquals(0, test.registers.get(PAGE_COUNT));

            test.pages.free(block);
            request(test.region.buffer(), 2, block.virtualAddress(), 1);
            server.interrupt().raise();
            assertEquals(1, server.poll());
            assertEquals(2, test.registers.getAcquire(ANSWER_ID));
            assertEquals(0, test.registers.get(PAGE_COUNT));
        }
    }

    @Test
    void shouldAnswerARequestThatWasThereBefore()
    {
        try (TestRegion test = new TestRegion(directory, PAGE))
        {
            request(test.region.buffer(), 7, test.pages.register(1, 2).virtualAddress(), 1);

            try (TranslationServer server = server(test))
            {
                assertEquals(1, server.poll());
                assertEquals(7, test.registers.getAcquire(ANSWER_ID));
            }
        }
    }

    @Test
    void shouldAnswerOnAThreadWhatAnotherMappingOfTheRegionAsks()
    {
        try (TestRegion test = new TestRegion(directory, 4 * PAGE); TranslationServer server = server(test);
            MappedFile far = MappedFile.open(test.region.path(), DmaRegionHeader.MAGIC, SegmentHeader.LENGTH, true))
        {
            final InterruptWord line = new InterruptWord(test.posix, far.buffer(), DmaLayout.INTERRUPT_OFFSET);
            final TestPages.Region block = test.pages.register(PAGE, 1);
            server.start();

            for (int id = 1; id <= 200; id++)
            {
                request(far.buffer(), id, block.virtualAddress(), 1);
                line.raise();
                await(() -> test.registers.getAcquire(ANSWER_ID), id);
                assertEquals(1, test.registers.get(PAGE_COUNT));
            }

            await(server::answerCount, 200);        // Counted after it was given.
            assertTrue(server.isRunning());
            assertEquals(List.of(), errors);
        }
    }

    @Test
    void shouldAnswerOnAThreadThoughAnInterruptWasLost()
    {
        try (TestRegion test = new TestRegion(directory, PAGE); TranslationServer server = server(test))
        {
            server.start();
            request(test.region.buffer(), 1, test.pages.register(1, 2).virtualAddress(), 1);

            await(() -> test.registers.getAcquire(ANSWER_ID), 1);

            await(server::answerCount, 1);
        }
    }

    @Test
    void shouldEndASleepingThreadAtOnceAndDisableRequests()
    {
        try (TestRegion test = new TestRegion(directory, PAGE))
        {
            final TranslationServer server = server(test);
            server.start();
            assertTrue(test.registers.isEnabledAcquire());

            server.close();

            assertFalse(server.isRunning());
            assertFalse(test.registers.isEnabledAcquire());
            server.close();
            assertThrows(IllegalStateException.class, server::start);
        }
    }

    @Test
    void shouldReportWhatAStepThrowsAndGoOn()
    {
        try (TestRegion test = new TestRegion(directory, PAGE); TranslationServer server = server(test))
        {
            final long address = test.region.address();
            test.region.buffer().wrap(new byte[0]);             // As if the region had been closed too early.
            server.start();
            final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (errors.isEmpty() && System.nanoTime() - deadlineNs < 0)
            {
                Thread.onSpinWait();
            }

            test.region.buffer().wrap(address, test.region.layout().regionLength());
            assertFalse(errors.isEmpty());
            assertTrue(server.isRunning());
        }
    }

    @Test
    void shouldCountInterruptsAndRefuseAWordOnTheHeap()
    {
        try (TestRegion test = new TestRegion(directory, PAGE))
        {
            final InterruptWord word =
                new InterruptWord(test.posix, test.region.buffer(), DmaLayout.INTERRUPT_OFFSET);
            word.raise();
            word.raise();

            assertEquals(2, word.count());
            assertTrue(word.await(1, TimeUnit.MINUTES.toNanos(1)));
            assertFalse(word.await(2, 1_000_000));
            assertThrows(IllegalArgumentException.class,
                () -> new InterruptWord(test.posix, Buffers.wrap(new byte[64]), 0));
            assertThrows(IllegalArgumentException.class,
                () -> new InterruptWord(test.posix, test.region.buffer(), test.region.layout().regionLength()));
        }
    }

    private TranslationServer server(final TestRegion test)
    {
        return new TranslationServer(
            test.posix, test.region, TestRegion.CONTEXT, test.registers, test.memory, errors::add);
    }

    /** As the board does: big endian, the id last. */
    private static void request(final AtomicBuffer region, final int id, final long virtualPage, final int count)
    {
        final int index = DmaLayout.REQUEST_OFFSET;
        region.putLong(index + TranslationDescriptor.REQUEST_VIRTUAL_OFFSET, virtualPage, ByteOrder.BIG_ENDIAN);
        region.putInt(index + TranslationDescriptor.REQUEST_COUNT_OFFSET, count, ByteOrder.BIG_ENDIAN);
        final boolean isNativeBig = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN;
        region.putIntRelease(
            index + TranslationDescriptor.REQUEST_ID_OFFSET, isNativeBig ? id : Integer.reverseBytes(id));
    }

    @SuppressWarnings("ThreadPriorityCheck")            // The server may need this core.
    private static void await(final LongSupplier value, final long expected)
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (value.getAsLong() != expected && System.nanoTime() - deadlineNs < 0)
        {
            Thread.yield();
        }
        assertEquals(expected, value.getAsLong());
    }
}
