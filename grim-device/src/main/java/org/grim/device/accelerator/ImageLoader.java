// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The thread that loads images, one after another.
 * <p>Thread: the runner's.
 */
final class ImageLoader implements AutoCloseable
{
    private static final ImageSlot END = ImageSlot.builtIn(List.of());

    /** End of a load: the kernels, or the reason of a failure. */
    record Loaded(ImageSlot slot, List<Kernel> kernels, String reason, long durationNs)
    {
    }

    private final BlockingQueue<ImageSlot> queue = new ArrayBlockingQueue<>(2);     // One load, and the end.
    private final Queue<Loaded> completions = new ConcurrentLinkedQueue<>();
    private final Runnable wake;
    private final Thread thread;

    ImageLoader(final Runnable wake)
    {
        this.wake = wake;
        thread = new Thread(this::work, "grim-accelerator-loader");
        thread.setDaemon(true);
        thread.start();
    }

    void load(final ImageSlot slot)
    {
        queue.add(slot);
    }

    /** Returns a load that has ended; null if there is none. */
    Loaded poll()
    {
        return completions.poll();
    }

    /** Ends the thread behind the load that it is at, which nobody uses. A load that never ends keeps the thread. */
    @Override
    public void close()
    {
        queue.add(END);
        LastWait.join(thread);
        for (Loaded loaded = poll(); loaded != null; loaded = poll())
        {
            loaded.slot.image.unload();
        }
    }

    /** Says whether no image is being loaded any more. */
    boolean hasEnded()
    {
        return !thread.isAlive();
    }

    private void work()
    {
        for (ImageSlot slot = take(); slot != END; slot = take())
        {
            completions.add(load(slot.image, slot));
            wake.run();
        }
    }

    private static Loaded load(final KernelImage image, final ImageSlot slot)
    {
        final long startNs = System.nanoTime();
        List<Kernel> kernels = null;
        String reason = null;
        try
        {
            kernels = image.load();
        }
        catch (final IOException ex)
        {
            reason = ex.getMessage() == null ? ex.toString() : ex.getMessage();
        }
        catch (final RuntimeException | Error ex)       // Code of the image.
        {
            image.unload();
            reason = ex.toString();
        }
        return new Loaded(slot, kernels, reason, System.nanoTime() - startNs);
    }

    private ImageSlot take()
    {
        try
        {
            return queue.take();
        }
        catch (final InterruptedException ex)
        {
            throw new IllegalStateException("the loader of an accelerator was interrupted", ex);
        }
    }
}
