// SPDX-License-Identifier: Apache-2.0
package org.grim.device.opencl;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import static org.grim.device.opencl.LibOpenCl.check;

/**
 * Runs kernels on items, one after another, in memory of the device that it keeps.
 * <p>Thread: one.
 */
public final class OpenClRunner implements AutoCloseable
{
    /** Bit of the argument {@code operation} that says that there is a constant. */
    public static final int CONSTANT_BIT = 1 << 4;

    private static final int STATUS_LENGTH = 2 * Integer.BYTES;
    private static final int BYTES_PER_WORK_ITEM = 16;
    private static final int GROUP_COUNT_MAX = 256;
    private static final int EVENT_STATUS = 0x11D3;
    private static final int COMPLETE = 0;
    private static final int SPIN_COUNT = 50;
    private static final long NAP_NS = TimeUnit.MICROSECONDS.toNanos(50);

    private final OpenClDevice device;
    private final long queue;
    private final long timeoutNs;
    private final OpenClBuffer input;
    private final OpenClBuffer output;
    private final OpenClBuffer status;
    private final OpenClBuffer scratch;
    private final UnsafeBuffer statusWords = new UnsafeBuffer(new byte[STATUS_LENGTH]);
    private final long[] pointer = new long[1];
    private final int[] number = new int[1];
    private final long[] event = new long[1];
    private final long[] globalSize = new long[1];
    private final long[] groupSize = new long[1];
    private boolean isStuck;

    OpenClRunner(final OpenClDevice device, final long queue, final long timeoutNs)
    {
        this.device = device;
        this.queue = queue;
        this.timeoutNs = timeoutNs;
        input = new OpenClBuffer(device, queue);
        output = new OpenClBuffer(device, queue);
        status = new OpenClBuffer(device, queue);
        scratch = new OpenClBuffer(device, queue);
    }

    /**
     * Runs a kernel. It waits for the end.
     *
     * @param kernel        to run.
     * @param source        payload of the item, from index 0.
     * @param length        bytes of it.
     * @param operation     sub-operation, and {@link #CONSTANT_BIT}.
     * @param constant      operand B.
     * @param scratchLength bytes of scratch memory.
     * @param result        room for as many bytes as the item has, from index 0.
     * @return bytes of the result; negative: the number of a refusal, inverted.
     * @throws OpenClException if the kernel cannot be run, or runs too long.
     */
    public int run(
        final OpenClKernel kernel, final DirectBuffer source, final int length, final int operation,
        final int constant, final long scratchLength, final MutableDirectBuffer result) throws OpenClException
    {
        requireFree();
        pointer(kernel, 0, input.room(length));
        number(kernel, 1, length);
        pointer(kernel, 2, output.room(length));
        pointer(kernel, 3, status.room(STATUS_LENGTH));
        number(kernel, 4, operation);
        number(kernel, 5, constant);
        if (kernel.hasScratch)
        {
            pointer(kernel, OpenClKernel.ARGUMENT_COUNT, scratch.room(scratchLength));
        }
        statusWords.putInt(0, length);
        statusWords.putInt(Integer.BYTES, 0);
        input.write(source, length);
        status.write(statusWords, STATUS_LENGTH);
        start(kernel, length);
        awaitEnd();
        status.read(statusWords, STATUS_LENGTH);
        final int resultLength = statusWords.getInt(0);
        final int refusal = statusWords.getInt(Integer.BYTES);
        if (refusal != 0)
        {
            return ~(refusal & Integer.MAX_VALUE);
        }
        if (resultLength < 0 || resultLength > length)
        {
            throw new OpenClException("result of length=" + Integer.toUnsignedString(resultLength) +
                " exceeds that of the item=" + length);
        }
        output.read(result, resultLength);
        return resultLength;
    }

    private void start(final OpenClKernel kernel, final int length) throws OpenClException
    {
        final long itemCount = length / BYTES_PER_WORK_ITEM + 1L;
        groupSize[0] = kernel.groupSize;
        globalSize[0] = groupSize[0] *
            Math.min(GROUP_COUNT_MAX, (itemCount + groupSize[0] - 1) / groupSize[0]);
        check("clEnqueueNDRangeKernel", device.calls.clEnqueueNDRangeKernel(
            queue, kernel.kernel, 1, null, globalSize, groupSize, 0, null, event));
        device.acquired();
        check("clFlush", device.calls.clFlush(queue));
    }

    /** Polls the event of the command: it has an end that one can wait for in vain. */
    private void awaitEnd() throws OpenClException
    {
        final long startNs = System.nanoTime();
        int state = state();
        for (int i = 0; state > COMPLETE; i++)
        {
            if (System.nanoTime() - startNs > timeoutNs)
            {
                isStuck = true;
                throw new OpenClException(
                    "the kernel has not ended within ms=" + TimeUnit.NANOSECONDS.toMillis(timeoutNs));
            }
            if (i < SPIN_COUNT)
            {
                Thread.onSpinWait();
            }
            else
            {
                LockSupport.parkNanos(NAP_NS);
            }
            state = state();
        }
        releaseEvent();
        check("the run", state);
    }

    /** Returns the state of the command: positive if it has not ended, negative if that was an error. */
    private int state()
    {
        final int code = device.calls.clGetEventInfo(event[0], EVENT_STATUS, Integer.BYTES, number, null);
        return code == 0 ? number[0] : code;
    }

    private void requireFree() throws OpenClException
    {
        if (isStuck)
        {
            if (state() > COMPLETE)
            {
                throw new OpenClException("a kernel that has not ended in time still runs");
            }
            releaseEvent();
            isStuck = false;
        }
    }

    private void releaseEvent()
    {
        device.calls.clReleaseEvent(event[0]);
        device.released();
        event[0] = 0;
    }

    private void pointer(final OpenClKernel kernel, final int index, final long value) throws OpenClException
    {
        pointer[0] = value;
        check("clSetKernelArg", device.calls.clSetKernelArg(kernel.kernel, index, Long.BYTES, pointer));
    }

    private void number(final OpenClKernel kernel, final int index, final int value) throws OpenClException
    {
        number[0] = value;
        check("clSetKernelArg", device.calls.clSetKernelArg(kernel.kernel, index, Integer.BYTES, number));
    }

    @Override
    public void close()
    {
        if (event[0] != 0)
        {
            releaseEvent();
        }
        input.release();
        output.release();
        status.release();
        scratch.release();
    }
}
