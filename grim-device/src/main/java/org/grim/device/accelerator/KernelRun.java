// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

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
    private ImageSlot slot;
    private UnsafeBuffer result = new UnsafeBuffer(new byte[0]);
    private int roomLength;
    private int length;
    private Throwable failure;
    private volatile boolean isDone;

    KernelRun(final Runnable onDone)
    {
        this.onDone = onDone;
    }

    /** Prepares the run, which the worker shall do. Until {@link #end} the image stays loaded. */
    void start(final Kernel newKernel, final StreamItem item, final int newRoomLength)
    {
        assert !isStarted();
        result = StreamItem.roomIn(result, newRoomLength);
        roomLength = newRoomLength;
        kernel = newKernel;
        failure = null;
        isDone = false;
        call.wrap(item.a0, item.constant, item.data, item.length);
        slot = item.kernel.slot();
        slot.runStarted();
    }

    @Override
    public void run()
    {
        try
        {
            length = kernel.run(call, result);
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

    int roomLength()
    {
        return roomLength;
    }

    /** Returns the length of the result, or throws what the kernel threw. */
    int length() throws Exception
    {
        if (failure instanceof Error error)
        {
            throw error;
        }
        if (failure != null)
        {
            throw (Exception)failure;
        }
        return length;
    }

    /** Takes the result for another buffer. */
    UnsafeBuffer exchange(final UnsafeBuffer spare)
    {
        final UnsafeBuffer taken = result;
        result = spare;
        return taken;
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
