// SPDX-License-Identifier: Apache-2.0
package org.grim.device.opencl;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.agrona.CloseHelper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.grim.device.opencl.LibOpenCl.check;

/**
 * A device of OpenCL with a context and a queue of commands.
 * <p>Thread: {@link #build} one at a time; the runner has one, which may be another. {@link #close} when both have
 * ended.
 * <p>Owns: the handles of context, queue and buffers; programs own theirs.
 */
public final class OpenClDevice implements AutoCloseable
{
    private static final long TYPE_ALL = 0xFFFF_FFFFL;
    private static final int DEVICE_NAME = 0x102B;
    private static final int COUNT_MAX = 64;
    private static final int NAME_LENGTH_MAX = 256;

    final LibOpenCl.Calls calls;
    final long device;
    final long context;
    private final long queue;
    private final String name;
    private final AtomicInteger handleCount = new AtomicInteger();
    private final OpenClRunner runner;

    private OpenClDevice(final LibOpenCl.Calls calls, final long device, final long timeoutNs) throws OpenClException
    {
        this.calls = calls;
        this.device = device;
        name = name(calls, device);
        final int[] code = new int[1];
        context = created("clCreateContext", calls.clCreateContext(
            null, 1, new long[] {device}, null, null, code), code);
        long newQueue = 0;
        try
        {
            newQueue = created("clCreateCommandQueue", calls.clCreateCommandQueue(context, device, 0, code), code);
        }
        finally
        {
            if (newQueue == 0)
            {
                calls.clReleaseContext(context);
            }
        }
        queue = newQueue;
        runner = new OpenClRunner(this, queue, timeoutNs);
    }

    /**
     * Opens a device.
     *
     * @param library   file name of the OpenCL library.
     * @param number    of the device, over all platforms, from 0.
     * @param timeoutNs longest run of a kernel.
     * @return the device.
     * @throws OpenClException if JNR-FFI, the library, a platform or the device is missing.
     */
    public static OpenClDevice open(final String library, final int number, final long timeoutNs)
        throws OpenClException
    {
        final LibOpenCl.Calls calls;
        final List<Long> devices;
        try
        {
            calls = LibOpenCl.load(library);
            devices = devices(calls);
        }
        catch (final LinkageError | RuntimeException ex)                // No JNR, or its native stub is missing.
        {
            throw new OpenClException("OpenCL is not there: JNR-FFI, which it is called with, cannot be loaded: " + ex,
                ex);
        }
        if (number >= devices.size())
        {
            throw new OpenClException("OpenCL has no device=" + number + " but 0 to " + (devices.size() - 1));
        }
        return new OpenClDevice(calls, devices.get(number), timeoutNs);
    }

    private static List<Long> devices(final LibOpenCl.Calls calls) throws OpenClException
    {
        final long[] platforms = new long[COUNT_MAX];
        final int[] count = new int[1];
        final int code = calls.clGetPlatformIDs(COUNT_MAX, platforms, count);
        if (code != 0 || count[0] == 0)
        {
            throw new OpenClException("OpenCL has no platform: install a driver, such as Debian's pocl-opencl-icd (" +
                "clGetPlatformIDs: " + OpenClException.describe(code) + ")");
        }
        final List<Long> found = new ArrayList<>();
        for (int i = 0; i < Math.min(count[0], COUNT_MAX); i++)
        {
            final long[] devices = new long[COUNT_MAX];
            final int[] deviceCount = new int[1];
            if (calls.clGetDeviceIDs(platforms[i], TYPE_ALL, COUNT_MAX, devices, deviceCount) == 0)
            {
                for (int k = 0; k < Math.min(deviceCount[0], COUNT_MAX); k++)
                {
                    found.add(devices[k]);
                }
            }
        }
        if (found.isEmpty())
        {
            throw new OpenClException("OpenCL has no device: platforms=" + count[0]);
        }
        return found;
    }

    private static String name(final LibOpenCl.Calls calls, final long device) throws OpenClException
    {
        final byte[] text = new byte[NAME_LENGTH_MAX];
        final long[] length = new long[1];
        check("clGetDeviceInfo", calls.clGetDeviceInfo(device, DEVICE_NAME, text.length, text, length));
        return new String(text, 0, Math.max(0, (int)length[0] - 1), UTF_8).strip();
    }

    /**
     * Builds a program.
     *
     * @param source OpenCL C.
     * @return the program, which its owner closes.
     * @throws OpenClException if the compiler refuses it: with the first lines of its log.
     */
    public OpenClProgram build(final String source) throws OpenClException
    {
        return OpenClProgram.build(this, source);
    }

    /** {@return what runs kernels} */
    public OpenClRunner runner()
    {
        return runner;
    }

    /** {@return name that the platform gives the device} */
    public String name()
    {
        return name;
    }

    /** {@return handles that were made and not released, beyond context and queue} */
    public int handleCount()
    {
        return handleCount.get();
    }

    long created(final String call, final long handle, final int[] code) throws OpenClException
    {
        check(call, code[0]);
        return handle;
    }

    long counted(final String call, final long handle, final int[] code) throws OpenClException
    {
        check(call, code[0]);
        acquired();
        return handle;
    }

    void acquired()
    {
        handleCount.incrementAndGet();
    }

    void released()
    {
        handleCount.decrementAndGet();
    }

    @Override
    public void close()
    {
        CloseHelper.close(runner);
        calls.clReleaseCommandQueue(queue);
        calls.clReleaseContext(context);
    }
}
