// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.posix;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;

import org.grim.GrimException;

import static org.grim.GrimException.Reason.NO_ROOM;
import static org.grim.GrimException.Reason.SYSTEM_REFUSED;

/**
 * The calls of the operating system that the driver needs. Made once and passed on. A refusal of the system is a
 * {@link GrimException} with the call, its arguments, the error's name and the system's words for it.
 * <p>Thread: any; no state of its own. {@link #affinity()} speaks of the calling thread.
 * <p>Addresses are numbers: a wrong one kills the JVM, so only this module's memory package makes them.
 */
public final class Posix
{
    /** A limit that is none. */
    public static final long UNLIMITED = -1;

    static final int SYSCONF_PAGE_LENGTH = 30;

    private static final int SYSCONF_PROCESSORS_ONLINE = 84;
    private static final int OPEN_READ_WRITE = 2;
    private static final int OPEN_CLOSE_ON_EXEC = 0x80000;
    private static final int SEEK_END = 2;
    private static final int PROTECTION_READ_WRITE = 3;
    private static final int MAP_SHARED = 1;
    private static final long MAP_FAILED = -1;
    // Not the private kind: the word lies in a file that several processes map.
    private static final int FUTEX_WAIT = 0;
    private static final int FUTEX_WAKE = 1;
    private static final int LIMIT_OF_LOCKED_MEMORY = 8;
    private static final int PROCESSOR_MASK_LENGTH = 1024;
    private static final long NS_PER_SECOND = 1_000_000_000;

    private final LibC library;
    private final LibC.Calls calls;

    private Posix(final LibC library)
    {
        this.library = library;
        calls = library.calls();
    }

    /**
     * Loads JNR and the C library: some tenths of a second.
     *
     * @return the calls.
     * @throws GrimException if they cannot be made in this JVM; it says why.
     */
    public static Posix load()
    {
        return new Posix(new LibC());
    }

    /**
     * Opens a file for reading and writing.
     *
     * @param path of the file.
     * @return its descriptor, to be closed by {@link #close}.
     * @throws GrimException if the system refuses.
     */
    public int open(final Path path)
    {
        final int descriptor = calls.open(path.toString(), OPEN_READ_WRITE | OPEN_CLOSE_ON_EXEC, 0);
        if (descriptor < 0)
        {
            throw failure("open of " + path);
        }
        return descriptor;
    }

    /**
     * Closes a descriptor. Mappings made with it stay.
     *
     * @param descriptor of the file.
     * @param path       for the text of the error.
     * @throws GrimException if the system refuses.
     */
    public void close(final int descriptor, final Path path)
    {
        if (calls.close(descriptor) != 0)
        {
            throw failure("close of " + path);
        }
    }

    /**
     * Length of an open file.
     *
     * @param descriptor of the file.
     * @param path       for the text of the error.
     * @return bytes.
     * @throws GrimException if the system refuses.
     */
    public long length(final int descriptor, final Path path)
    {
        final long length = calls.lseek(descriptor, 0, SEEK_END);
        if (length < 0)
        {
            throw failure("lseek in " + path);
        }
        return length;
    }

    /**
     * Maps a file from its beginning, shared, for reading and writing.
     *
     * @param descriptor of the file.
     * @param path       for the text of the error.
     * @param length     bytes; a byte beyond the file's end must not be touched (the JVM would die).
     * @return address of the first byte.
     * @throws GrimException if the system refuses.
     */
    public long map(final int descriptor, final Path path, final long length)
    {
        final long address =
            calls.mmap(null, length, PROTECTION_READ_WRITE, MAP_SHARED, descriptor, 0).address();
        if (address == MAP_FAILED)
        {
            throw failure("mmap of " + length + " bytes of " + path);
        }
        return address;
    }

    /**
     * Undoes {@link #map}. Nobody may touch the memory afterwards.
     *
     * @param address that it gave.
     * @param length  bytes.
     * @throws GrimException if the system refuses.
     */
    public void unmap(final long address, final long length)
    {
        if (calls.munmap(address, length) != 0)
        {
            throw failure("munmap of " + span(address, length));
        }
    }

    /**
     * Keeps pages in memory.
     *
     * @param address of the first page.
     * @param length  bytes.
     * @throws GrimException if the system refuses; with the process's limit, which is the usual reason.
     */
    public void lock(final long address, final long length)
    {
        if (calls.mlock(address, length) != 0)
        {
            final String text = describe("mlock of " + span(address, length));
            final long limit = lockLimit();
            throw new GrimException(NO_ROOM, text + "; this process may lock " +
                (limit == UNLIMITED ? "any number of bytes" : limit + " bytes") + " (ulimit -l)");
        }
    }

    /**
     * Undoes {@link #lock}.
     *
     * @param address of the first page.
     * @param length  bytes.
     * @throws GrimException if the system refuses.
     */
    public void unlock(final long address, final long length)
    {
        if (calls.munlock(address, length) != 0)
        {
            throw failure("munlock of " + span(address, length));
        }
    }

    /**
     * Bytes that this process may lock, unless it is privileged.
     *
     * @return the limit, or {@value #UNLIMITED}.
     * @throws GrimException if the system refuses.
     */
    public long lockLimit()
    {
        final long[] limits = LibC.pair();
        if (calls.getrlimit(LIMIT_OF_LOCKED_MEMORY, limits) != 0)
        {
            throw failure("getrlimit of RLIMIT_MEMLOCK");
        }
        return limits[0];               // RLIM_INFINITY is all ones.
    }

    /**
     * Advises the kernel about the use of memory.
     *
     * @param address of the first page.
     * @param length  bytes.
     * @param advice  what to tell.
     * @throws GrimException if the system refuses, as kernels do that do not know the advice.
     */
    public void advise(final long address, final long length, final Advice advice)
    {
        if (calls.madvise(address, length, advice.number()) != 0)
        {
            throw failure("madvise of " + advice + " for " + span(address, length));
        }
    }

    /**
     * Copies bytes with the C library's {@code memcpy}. Allocates nothing; orders nothing.
     *
     * @param target address of the first byte to write.
     * @param source address of the first byte to read; the two ranges do not overlap.
     * @param length bytes, 0 or more.
     */
    public void copy(final long target, final long source, final long length)
    {
        if (length < 0)
        {
            throw new IllegalArgumentException("length=" + length + " is below 0");
        }
        calls.memcpy(target, source, length);
    }

    /**
     * Waits until another thread or process wakes those who wait at a word, if the word still holds a value. Blocks.
     *
     * @param address   of an aligned 32-bit word in memory mapped from a file.
     * @param expected  value in the machine's byte order; with another one there the call returns at once.
     * @param timeoutNs longest wait, 0 or more.
     * @return false if the time was over; true if woken, if the word held another value, or for no reason at all.
     * @throws GrimException if the system refuses.
     */
    public boolean await(final long address, final int expected, final long timeoutNs)
    {
        if (timeoutNs < 0)
        {
            throw new IllegalArgumentException("timeout=" + timeoutNs + " ns is below 0");
        }
        final long[] timeout = LibC.pair();
        timeout[0] = timeoutNs / NS_PER_SECOND;
        timeout[1] = timeoutNs % NS_PER_SECOND;
        if (calls.syscall(library.futexNumber(), address, FUTEX_WAIT, expected, timeout) == 0)
        {
            return true;
        }
        final int errno = library.errno();
        if (Errno.ETIMEDOUT.is(errno))
        {
            return false;
        }
        if (Errno.EAGAIN.is(errno) || Errno.EINTR.is(errno))
        {
            return true;
        }
        throw failure("futex wait at address=0x" + Long.toHexString(address), errno);
    }

    /**
     * Wakes those who wait at a word. The word must have changed before, or they may sleep on.
     *
     * @param address  of the word.
     * @param countMax how many at most.
     * @return how many were woken.
     * @throws GrimException if the system refuses.
     */
    public int wake(final long address, final int countMax)
    {
        final long woken = calls.syscall(library.futexNumber(), address, FUTEX_WAKE, countMax, null);
        if (woken < 0)
        {
            throw failure("futex wake at address=0x" + Long.toHexString(address));
        }
        return (int)woken;
    }

    /**
     * Processors that the calling thread may run on.
     *
     * @return their numbers; one or more.
     * @throws GrimException if the system refuses.
     */
    public BitSet affinity()
    {
        final byte[] mask = new byte[PROCESSOR_MASK_LENGTH];
        if (calls.sched_getaffinity(0, mask.length, mask) < 0)
        {
            throw failure("sched_getaffinity");
        }
        return BitSet.valueOf(mask);
    }

    /**
     * Lets the calling thread run on some processors only.
     *
     * @param processors their numbers, from 0.
     * @throws GrimException if the system refuses, as it does if none of them may be used.
     */
    public void affinity(final BitSet processors)
    {
        final byte[] bits = processors.toByteArray();
        if (bits.length > PROCESSOR_MASK_LENGTH)
        {
            throw new IllegalArgumentException("processor=" + (processors.length() - 1) + " is outside 0 to " +
                (PROCESSOR_MASK_LENGTH * Byte.SIZE - 1));
        }
        final byte[] mask = Arrays.copyOf(bits, PROCESSOR_MASK_LENGTH);
        // The mask is native words; their bytes are in the order of BitSet's on a little-endian machine, as both are.
        if (calls.sched_setaffinity(0, mask.length, mask) != 0)
        {
            throw failure("sched_setaffinity to processors " + processors);
        }
    }

    /** {@return bytes of a page of the machine: a power of two} */
    public int pageLength()
    {
        return (int)systemConfiguration("page size", SYSCONF_PAGE_LENGTH);
    }

    /** {@return processors that the machine has, whether this process may use them or not; 1 or more} */
    public int processorCount()
    {
        return (int)systemConfiguration("number of processors", SYSCONF_PROCESSORS_ONLINE);
    }

    private long systemConfiguration(final String name, final int number)
    {
        final long value = calls.sysconf(number);
        if (value < 0)
        {
            throw failure("sysconf of the " + name);
        }
        return value;
    }

    private GrimException failure(final String call)
    {
        return new GrimException(SYSTEM_REFUSED, describe(call));
    }

    private GrimException failure(final String call, final int errno)
    {
        return new GrimException(SYSTEM_REFUSED, describe(call, errno));
    }

    private String describe(final String call)
    {
        return describe(call, library.errno());
    }

    private String describe(final String call, final int errno)
    {
        return call + " failed: " + Errno.nameOf(errno) + " (" + text(errno) + ")";
    }

    private synchronized String text(final int errno)
    {
        return calls.strerror(errno);       // One at a time: it may use one buffer for all threads.
    }

    private static String span(final long address, final long length)
    {
        return length + " bytes at address=0x" + Long.toHexString(address);
    }
}
