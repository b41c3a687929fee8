// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.posix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.GrimException;
import org.grim.buffer.Buffers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(180)
final class PosixTest
{
    private static final int LENGTH = 4 * 4096;
    private static final long UNMAPPED_ADDRESS = 1L << 40;

    private final Posix posix = Posix.load();

    @TempDir
    private Path directory;

    private Path file;
    private long address;
    private AtomicBuffer memory;

    @BeforeEach
    void map() throws IOException
    {
        file = directory.resolve("memory");
        Files.write(file, new byte[LENGTH]);
        final int descriptor = posix.open(file);
        address = posix.map(descriptor, file, posix.length(descriptor, file));
        posix.close(descriptor, file);
        memory = Buffers.wrap(address, LENGTH);
    }

    @AfterEach
    void unmap()
    {
        posix.unmap(address, LENGTH);
    }

    @Test
    void shouldShareWhatIsMappedWithTheFile() throws IOException
    {
        memory.putByte(LENGTH - 1, (byte)42);

        final byte[] content = Files.readAllBytes(file);

        assertEquals(LENGTH, content.length);
        assertEquals(42, content[LENGTH - 1]);
    }

    @Test
    void shouldMapFromTheFilesFirstByte() throws IOException
    {
        final byte[] content = new byte[LENGTH];
        content[0] = 7;
        Files.write(file, content);

        assertEquals(7, memory.getByte(0));
    }

    @Test
    void shouldNameCallAndPathOfAFileThatIsMissing()
    {
        final Path missing = directory.resolve("missing");

        assertFails("open of " + missing + " failed: ENOENT (", () -> posix.open(missing));
    }

    @Test
    void shouldNameADirectoryOpenedAsAFile()
    {
        assertFails("open of " + directory + " failed: EISDIR (", () -> posix.open(directory));
    }

    @Test
    void shouldRefuseADescriptorThatIsClosed()
    {
        final int descriptor = posix.open(file);
        posix.close(descriptor, file);

        assertFails("close of " + file + " failed: EBADF (", () -> posix.close(descriptor, file));
        assertFails("lseek in " + file + " failed: EBADF (", () -> posix.length(descriptor, file));
        assertFails("mmap of 4096 bytes of " + file + " failed: EBADF (", () -> posix.map(descriptor, file, 4096));
    }

    @Test
    void shouldNameTheBytesOfAMappingThatIsNone()
    {
        final int descriptor = posix.open(file);

        assertFails("mmap of 0 bytes of " + file + " failed: EINVAL (", () -> posix.map(descriptor, file, 0));
        posix.close(descriptor, file);
    }

    @Test
    void shouldNameTheSpanThatCannotBeUnmapped()
    {
        assertFails("munmap of 4096 bytes at address=0x" + Long.toHexString(address + 1) + " failed: EINVAL (",
            () -> posix.unmap(address + 1, 4096));
    }

    @Test
    void shouldLockAndUnlockAPage() throws IOException
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        long difference = 0;
        while (difference != 4 && System.nanoTime() - deadlineNs < 0)   // Other locked memory may be unmapped.
        {
            posix.lock(address, 4096);
            final long locked = lockedKilobytes();
            posix.unlock(address, 4096);
            difference = locked - lockedKilobytes();
        }
        assertEquals(4, difference);
    }

    @Test
    void shouldSayTheLimitWhenMemoryCannotBeLocked()
    {
        assertFails("mlock of 4096 bytes at address=0x10000000000 failed: ENOMEM (",
            () -> posix.lock(UNMAPPED_ADDRESS, 4096));
        assertFails("; this process may lock ", () -> posix.lock(UNMAPPED_ADDRESS, 4096));
        assertFails("munlock of 4096 bytes at address=0x10000000000 failed: ENOMEM (",
            () -> posix.unlock(UNMAPPED_ADDRESS, 4096));
    }

    @Test
    void shouldReadTheLimitOfLockedMemoryAsTheKernelShowsIt() throws IOException
    {
        final String line = line(Path.of("/proc/self/limits"), "Max locked memory");
        final String soft = line.substring("Max locked memory".length()).strip().replaceAll(" .*", "");

        assertEquals("unlimited".equals(soft) ? Posix.UNLIMITED : Long.parseLong(soft), posix.lockLimit());
    }

    @Test
    void shouldAdviseMappedMemoryOnly()
    {
        posix.advise(address, LENGTH, Advice.WILL_NEED);

        assertFails("madvise of WILL_NEED for 4096 bytes at address=0x10000000000 failed: ENOMEM (",
            () -> posix.advise(UNMAPPED_ADDRESS, 4096, Advice.WILL_NEED));
    }

    @Test
    void shouldCopyExactlyTheBytesAsked()
    {
        for (final int length : new int[] {0, 1, 7, 8, 63, 64, 65, 160, 4096, 8000})
        {
            memory.setMemory(0, LENGTH, (byte)0);
            final byte[] expected = new byte[length + 2];
            for (int i = 0; i < length; i++)
            {
                expected[i + 1] = (byte)(i * 31 + 1);
            }
            memory.putBytes(LENGTH / 2 + 1, expected, 1, length);

            posix.copy(address + 1, address + LENGTH / 2 + 1, length);

            final byte[] actual = new byte[length + 2];
            memory.getBytes(0, actual);
            assertArrayEquals(expected, actual, "length=" + length);
        }
        assertThrows(IllegalArgumentException.class, () -> posix.copy(address, address, -1));
    }

    @Test
    void shouldReturnAtOnceIfTheWordHoldsAnotherValue()
    {
        memory.putInt(64, 5);

        assertTrue(posix.await(address + 64, 4, TimeUnit.MINUTES.toNanos(5)));
    }

    @Test
    void shouldEndAWaitWhenItsTimeIsOver()
    {
        final long startNs = System.nanoTime();

        final boolean isWoken = posix.await(address + 64, 0, TimeUnit.MILLISECONDS.toNanos(20));

        assertFalse(isWoken);
        assertTrue(System.nanoTime() - startNs >= TimeUnit.MILLISECONDS.toNanos(20));
        assertThrows(IllegalArgumentException.class, () -> posix.await(address, 0, -1));
    }

    @Test
    @SuppressWarnings("ThreadPriorityCheck")        // Nobody else need run meanwhile: a wait that is polite.
    void shouldWakeAThreadThatWaits() throws InterruptedException
    {
        final AtomicInteger wakes = new AtomicInteger();
        final AtomicLong waitedNs = new AtomicLong();
        final Thread waiter = new Thread(() ->
        {
            final long startNs = System.nanoTime();
            while (memory.getIntVolatile(128) == 0 && posix.await(address + 128, 0, TimeUnit.SECONDS.toNanos(30)))
            {
                wakes.incrementAndGet();
            }
            waitedNs.set(System.nanoTime() - startNs);
        });
        waiter.start();
        // Woken without a change of the word it waits again; so the kernel says when it really waits.
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (posix.wake(address + 128, 1) == 0 && System.nanoTime() - deadlineNs < 0)
        {
            Thread.yield();
        }

        memory.putIntVolatile(128, 1);
        posix.wake(address + 128, Integer.MAX_VALUE);
        waiter.join(60_000);

        assertFalse(waiter.isAlive());
        assertTrue(wakes.get() >= 1, "wakes=" + wakes);
        assertTrue(waitedNs.get() < TimeUnit.SECONDS.toNanos(25), "waited=" + waitedNs);
    }

    @Test
    void shouldWakeNobodyWhereNobodyWaits()
    {
        assertEquals(0, posix.wake(address, Integer.MAX_VALUE));
    }

    @Test
    void shouldSayWhereAWordIsThatCannotBeWaitedFor()
    {
        assertFails("futex wait at address=0x10000000000 failed: EFAULT (",
            () -> posix.await(UNMAPPED_ADDRESS, 0, 1));
        assertFails("futex wake at address=0x" + Long.toHexString(address + 1) + " failed: EINVAL (",
            () -> posix.wake(address + 1, 1));
    }

    @Test
    void shouldReadBackTheProcessorsOfAThread()
    {
        final BitSet before = posix.affinity();
        final BitSet one = new BitSet();
        one.set(before.length() - 1);

        posix.affinity(one);
        final BitSet during = posix.affinity();
        posix.affinity(before);

        assertEquals(one, during);
        assertEquals(before, posix.affinity());
        assertTrue(before.cardinality() >= 1);
    }

    @Test
    void shouldRefuseProcessorsThatDoNotExist()
    {
        final BitSet none = new BitSet();
        none.set(8191);
        final BitSet outside = new BitSet();
        outside.set(8192);

        assertFails("sched_setaffinity to processors {8191} failed: EINVAL (", () -> posix.affinity(none));
        assertThrows(IllegalArgumentException.class, () -> posix.affinity(outside));
    }

    @Test
    void shouldKnowPagesAndProcessorsOfTheMachine()
    {
        assertEquals(Integer.highestOneBit(posix.pageLength()), posix.pageLength());
        assertTrue(posix.pageLength() >= 4096);
        assertTrue(posix.processorCount() >= posix.affinity().cardinality());
    }

    @Test
    void shouldKeepTheErrorsOfThreadsApart() throws InterruptedException
    {
        final AtomicInteger wrongCount = new AtomicInteger();
        final Thread[] threads = new Thread[3];
        for (int i = 0; i < threads.length; i++)
        {
            final boolean isFirst = i == 0;
            threads[i] = new Thread(() ->
            {
                for (int j = 0; j < 2_000; j++)
                {
                    final GrimException failure = isFirst ?
                        assertThrows(GrimException.class, () -> posix.close(-1, file)) :
                        assertThrows(GrimException.class, () -> posix.unmap(address + 1, 1));
                    if (!failure.getMessage().contains(isFirst ? "EBADF" : "EINVAL"))
                    {
                        wrongCount.incrementAndGet();
                    }
                }
            });
            threads[i].start();
        }
        for (final Thread thread : threads)
        {
            thread.join(60_000);
            assertFalse(thread.isAlive());
        }

        assertEquals(0, wrongCount.get());
    }

    private static void assertFails(final String text, final org.junit.jupiter.api.function.Executable call)
    {
        final GrimException failure = assertThrows(GrimException.class, call);
        assertTrue(failure.getMessage().contains(text), failure.getMessage());
    }

    private static long lockedKilobytes() throws IOException
    {
        return Long.parseLong(line(Path.of("/proc/self/status"), "VmLck:").replaceAll("[^0-9]", ""));
    }

    private static String line(final Path path, final String start) throws IOException
    {
        return Files.readAllLines(path).stream().filter((line) -> line.startsWith(start)).findFirst().orElseThrow();
    }
}
