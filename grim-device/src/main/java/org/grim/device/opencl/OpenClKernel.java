// SPDX-License-Identifier: Apache-2.0
package org.grim.device.opencl;

import static org.grim.device.opencl.LibOpenCl.check;

/** A kernel of a program, and the size of its groups. Immutable but for its arguments, which the runner sets. */
public final class OpenClKernel
{
    /** Arguments of a kernel without scratch memory. */
    static final int ARGUMENT_COUNT = 6;
    /** Most work-items of a group. */
    static final int GROUP_SIZE_MAX = 64;
    private static final int KERNEL_NUM_ARGS = 0x1191;
    private static final int KERNEL_WORK_GROUP_SIZE = 0x11B0;

    final long kernel;
    final boolean hasScratch;
    final int groupSize;
    private final OpenClDevice device;

    private OpenClKernel(
        final OpenClDevice device, final long kernel, final boolean hasScratch, final int groupSize)
    {
        this.device = device;
        this.kernel = kernel;
        this.hasScratch = hasScratch;
        this.groupSize = groupSize;
    }

    static OpenClKernel create(final OpenClDevice device, final long program, final String name)
        throws OpenClException
    {
        final int[] code = new int[1];
        final long kernel = device.calls.clCreateKernel(program, name, code);
        if (code[0] != 0)
        {
            throw new OpenClException("it has no kernel " + name + ": " + OpenClException.describe(code[0]));
        }
        final int[] count = new int[1];
        final long[] size = new long[1];
        try
        {
            check("clGetKernelInfo", device.calls.clGetKernelInfo(
                kernel, KERNEL_NUM_ARGS, Integer.BYTES, count, null));
            if (count[0] != ARGUMENT_COUNT && count[0] != ARGUMENT_COUNT + 1)
            {
                throw new OpenClException("its kernel " + name + " has arguments=" + count[0] + ", expected " +
                    ARGUMENT_COUNT + " or " + (ARGUMENT_COUNT + 1));
            }
            check("clGetKernelWorkGroupInfo", device.calls.clGetKernelWorkGroupInfo(
                kernel, device.device, KERNEL_WORK_GROUP_SIZE, Long.BYTES, size, null));
        }
        catch (final OpenClException ex)
        {
            device.calls.clReleaseKernel(kernel);
            throw ex;
        }
        final OpenClKernel made = new OpenClKernel(device, kernel, count[0] > ARGUMENT_COUNT,
            (int)Math.max(1, Math.min(GROUP_SIZE_MAX, size[0])));
        device.counted("clCreateKernel", kernel, code);
        return made;
    }

    /** {@return whether it has an argument for scratch memory} */
    public boolean hasScratch()
    {
        return hasScratch;
    }

    void release()
    {
        device.calls.clReleaseKernel(kernel);
        device.released();
    }
}
