// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.posix;

import org.grim.GrimException;

import jnr.ffi.LibraryLoader;
import jnr.ffi.Platform;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;
import jnr.ffi.annotations.IgnoreError;
import jnr.ffi.annotations.In;
import jnr.ffi.annotations.Out;

import static org.grim.GrimException.Reason.UNAVAILABLE;

/**
 * The C library as JNR sees it. Addresses, sizes and C's {@code long} are Java's {@code long}: 64-bit Linux alone.
 * <p>Thread: any; stateless but for {@code errno}, which JNR keeps per thread.
 */
final class LibC
{
    private final Calls calls;
    private final Runtime runtime;
    private final long futexNumber;

    /**
     * Loads JNR and the library.
     *
     * @throws GrimException if that is not possible here.
     */
    LibC()
    {
        try
        {
            final Platform platform = Platform.getNativePlatform();
            if (platform.getOS() != Platform.OS.LINUX || !platform.is64Bit())
            {
                throw new GrimException(UNAVAILABLE,
                    "the transport myrinet needs 64-bit Linux, this is " + platform.getName());
            }
            futexNumber = futexNumber(platform);
            calls = LibraryLoader.create(Calls.class).load(platform.getStandardCLibraryName());
            runtime = Runtime.getRuntime(calls);
            calls.sysconf(Posix.SYSCONF_PAGE_LENGTH);       // The first call shows what the loading did not.
        }
        catch (final LinkageError | RuntimeException e)
        {
            throw e instanceof GrimException known ? known : new GrimException(UNAVAILABLE,
                "the transport myrinet cannot load JNR-FFI, which it calls the system with: " + e + "; os=" +
                System.getProperty("os.name") + " arch=" + System.getProperty("os.arch") + " java.io.tmpdir=" +
                System.getProperty("java.io.tmpdir") + " (its native stub is unpacked there, and must be executable)",
                e);
        }
    }

    Calls calls()
    {
        return calls;
    }

    long futexNumber()
    {
        return futexNumber;
    }

    /** Returns the error of this thread's last call. */
    int errno()
    {
        return runtime.getLastError();
    }

    private static long futexNumber(final Platform platform)
    {
        return switch (platform.getCPU())
        {
            case X86_64 -> 202;
            case AARCH64 -> 98;
            default -> throw new GrimException(UNAVAILABLE,
                "the transport myrinet knows no number of futex() for processor " +
                platform.getCPU() + ": it runs on x86_64 and aarch64");
        };
    }

    /** A C {@code struct} of two {@code long}s. */
    static long[] pair()
    {
        return new long[2];
    }

    /**
     * Names and types of C. Public for the class that JNR makes, in a class loader of its own; nested in a class that
     * is not, so no Java code outside the package can name it. Functions with {@code ...} are called with fixed
     * arguments: on Linux both ABIs pass integers alike.
     */
    public interface Calls
    {
        int open(String path, int flags, int mode);

        int close(int descriptor);

        long lseek(int descriptor, long offset, int whence);

        /**
         * Pointers, not numbers: for functions of numbers alone JNR writes machine code of its own on x86_64, which
         * passes a wrong sixth argument (JNR-FFI 2.3.4; seen as a bad offset).
         */
        Pointer mmap(Pointer address, long length, int protection, int flags, int descriptor, long offset);

        int munmap(long address, long length);

        int mlock(long address, long length);

        int munlock(long address, long length);

        int madvise(long address, long length, int advice);

        @IgnoreError
        long memcpy(long target, long source, long length);

        long syscall(long number, long address, int operation, int value, @In long[] timeout);

        int sched_setaffinity(int thread, long length, @In byte[] mask);

        int sched_getaffinity(int thread, long length, @Out byte[] mask);

        long sysconf(int name);

        int getrlimit(int resource, @Out long[] limits);

        String strerror(int errno);
    }
}
