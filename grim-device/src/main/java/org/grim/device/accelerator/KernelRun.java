// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.util.concurrent.ExecutionException;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Run of a blocking kernel on the first item of a channel. The item's payload and the result are the run's until it is
 * done.
 * <p>Thread: the runner's; {@link #run} is the worker's.
 */
final class KernelRun implements Runnable
{
    private final KernelCall call = new KernelCall();
    private final Runnable onDone;
    private Kernel kernel;
    /** Null unless the run has started. */
    private ImageSlot slot;
    private UnsafeBuffer result = new UnsafeBuffer(new byte[0]);
    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);
    private UnsafeBuffer copyA = new UnsafeBuffer(new byte[0]);
    private UnsafeBuffer copyB = new UnsafeBuffer(new byte[0]);
    private int roomLength;
    private int length;
    private Throwable failure;
    private volatile long beginNs;              // Of the kernel; 0 before.
    private volatile boolean isDone;

    KernelRun(final Runnable onDone)
    {
        this.onDone = onDone;
    }

    /** Prepares a run, which {@link #begin} begins. Returns the call, with both operands in the payload. */
    KernelCall prepare(final Kernel newKernel, final StreamItem item)
    {
        assert !isStarted();
        kernel = newKernel;
        failure = null;
        beginNs = 0;
        isDone = false;
        return call.wrap(item.a0, item.constant, item.data, item.length);
    }

    UnsafeBuffer copyA(final UnsafeBuffer source, final int byteCount)
    {
        copyA = copy(source, byteCount, copyA);
        return copyA;
    }

    UnsafeBuffer copyB(final UnsafeBuffer source, final int byteCount)
    {
        copyB = copy(source, byteCount, copyB);
        return copyB;
    }

    private static UnsafeBuffer copy(final UnsafeBuffer source, final int byteCount, final UnsafeBuffer buffer)
    {
        final UnsafeBuffer target = StreamItem.roomIn(buffer, byteCount);
        target.putBytes(0, source, 0, byteCount);
        return target;
    }

    /** Makes room for the result; then the worker shall do the run. Until {@link #end} the image stays loaded. */
    void begin(final ImageSlot image, final int newRoomLength)
    {
        result = StreamItem.roomIn(result, newRoomLength);
        roomLength = newRoomLength;
        slot = image;                       // Behind all that can fail.
        slot.runStarted();
    }

    @Override
    public void run()
    {
        beginNs = System.nanoTime() | 1;
        try
        {
            view.wrap(result, 0, roomLength);       // The kernel may wrap other memory.
            length = kernel.run(call, view);
        }
        catch (final Throwable ex)          // The runner throws it.
        {
            failure = ex;
        }
        isDone = true;              // Partner: isUnderWay, before the runner reads the result.
        onDone.run();
    }

    boolean isStarted()
    {
        return slot != null;
    }

    boolean isUnderWay()
    {
        return isStarted() && !isDone;
    }

    /** Returns whether its kernel has been running longer than a limit. */
    boolean isLongerThan(final long limitNs)
    {
        return isUnderWay() && beginNs != 0 && System.nanoTime() - beginNs > limitNs;
    }

    int roomLength()
    {
        return roomLength;
    }

    /** Returns the length of the result, or throws what the kernel threw. */
    int length() throws Exception
    {
        if (failure instanceof final Exception thrown)
        {
            throw thrown;
        }
        if (failure != null)
        {
            throw new ExecutionException(failure);
        }
        return length;
    }

    UnsafeBuffer result()
    {
        return result;
    }

    void result(final UnsafeBuffer spare)
    {
        result = spare;
    }

    /** Ends the run, if there is one: its image may be evicted. */
    void end()
    {
        if (isStarted())
        {
            assert isDone;
            slot.runEnded();
            slot = null;
            kernel = null;
        }
    }
}
