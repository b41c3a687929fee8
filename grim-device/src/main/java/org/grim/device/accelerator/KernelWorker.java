// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The thread that runs blocking kernels, one item after another; it starts with the first one.
 * <p>Thread: the runner's.
 * <p>Bounds: the queue has one run for each channel of the device.
 */
final class KernelWorker implements AutoCloseable
{
    private static final KernelRun END = new KernelRun(null);

    private final BlockingQueue<KernelRun> queue = new LinkedBlockingQueue<>();
    private Thread thread;
    private boolean isAbandoned;

    void execute(final KernelRun run)
    {
        if (thread == null)
        {
            thread = new Thread(this::work, "grim-accelerator-worker");
            thread.setDaemon(true);
            thread.start();
        }
        queue.add(run);
    }

    /** The kernel that runs takes too long: {@link #close} shall not wait for it. */
    void abandon()
    {
        isAbandoned = true;
    }

    /** Ends the thread behind the item that it is at. If the kernel does not return, the thread goes on with it. */
    @Override
    public void close()
    {
        queue.clear();
        queue.add(END);
        if (thread != null && !isAbandoned)
        {
            LastWait.join(thread);
        }
    }

    /** Says whether no kernel runs any more. */
    boolean hasEnded()
    {
        return thread == null || !thread.isAlive();
    }

    private void work()
    {
        for (KernelRun run = take(); run != END; run = take())
        {
            run.run();
        }
    }

    private KernelRun take()
    {
        try
        {
            return queue.take();
        }
        catch (final InterruptedException ex)
        {
            throw new IllegalStateException("the worker of an accelerator was interrupted", ex);
        }
    }
}
