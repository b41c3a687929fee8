// SPDX-License-Identifier: Apache-2.0
package org.grim.device.opencl;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import jnr.ffi.Pointer;

import static org.grim.device.opencl.LibOpenCl.check;

/**
 * Memory of a device that grows when an item needs more.
 * <p>Thread: one. Owns: one handle.
 */
final class OpenClBuffer
{
    private static final long MAP_READ = 1;
    private static final long MAP_WRITE = 1 << 1;
    private static final long READ_WRITE = 1;
    private static final long ALLOC_HOST = 1 << 4;
    private static final int LENGTH_MIN = 64;

    private final OpenClDevice device;
    private final long queue;
    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);
    private long buffer;
    private long capacity;

    OpenClBuffer(final OpenClDevice device, final long queue)
    {
        this.device = device;
        this.queue = queue;
    }

    /** Makes room, and returns the handle. The content is lost if it grows. */
    long room(final long length) throws OpenClException
    {
        if (length > capacity)
        {
            release();
            final long newCapacity = Math.max(LENGTH_MIN, length);
            final int[] code = new int[1];
            buffer = device.counted("OpenCL memory of length=" + newCapacity, device.calls.clCreateBuffer(
                device.context, READ_WRITE | ALLOC_HOST, newCapacity, null, code), code);
            capacity = newCapacity;
        }
        return buffer;
    }

    /** Copies bytes into the memory. */
    void write(final DirectBuffer source, final int length) throws OpenClException
    {
        if (length > 0)
        {
            final Pointer address = map(MAP_WRITE, length);
            view.putBytes(0, source, 0, length);
            unmap(address);
        }
    }

    /** Copies bytes out of the memory. */
    void read(final MutableDirectBuffer target, final int length) throws OpenClException
    {
        if (length > 0)
        {
            final Pointer address = map(MAP_READ, length);
            view.getBytes(0, target, 0, length);
            unmap(address);
        }
    }

    private Pointer map(final long flags, final int length) throws OpenClException
    {
        final int[] code = new int[1];
        final Pointer address = device.calls.clEnqueueMapBuffer(
            queue, buffer, 1, flags, 0, length, 0, null, null, code);
        check("clEnqueueMapBuffer", code[0]);
        view.wrap(address.address(), length);
        return address;
    }

    private void unmap(final Pointer address) throws OpenClException
    {
        view.wrap(0, 0);
        check("clEnqueueUnmapMemObject", device.calls.clEnqueueUnmapMemObject(queue, buffer, address, 0, null, null));
    }

    void release()
    {
        if (buffer != 0)
        {
            device.calls.clReleaseMemObject(buffer);
            device.released();
            buffer = 0;
            capacity = 0;
        }
    }
}
