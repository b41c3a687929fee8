// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.GrimException;

/**
 * Kernels of Java and OpenCL without a device, a node or a cluster: runs recorded items, one at a time.
 * <p>Thread: one.
 * <p>Owns: the images that it has loaded, until {@link #close()}.
 */
public final class KernelReplay implements AutoCloseable
{
    private static final long OPENCL_TIMEOUT_NS = TimeUnit.MINUTES.toNanos(1);

    private final List<KernelImage> images;
    private final OpenClSupport openCl = new OpenClSupport("libOpenCL.so.1", 0, OPENCL_TIMEOUT_NS);
    private final List<KernelImage> loaded = new ArrayList<>();
    private final Map<String, Kernel> kernels = new HashMap<>();
    private final KernelCall call = new KernelCall();
    private UnsafeBuffer result = new UnsafeBuffer(new byte[0]);

    /**
     * Outcome of an item. The result is in {@link #result()} until the next run.
     *
     * @param length     bytes of the result; 0 if the kernel has failed.
     * @param durationNs of the run.
     * @param failure    reason; null if the kernel has not failed.
     */
    public record Outcome(int length, long durationNs, String failure)
    {
    }

    /**
     * Looks for images; none is loaded yet.
     *
     * @param directory of images; null: only built-in kernels.
     * @throws GrimException if the directory, or an image in it, cannot be read.
     */
    public KernelReplay(final Path directory)
    {
        try
        {
            images = directory == null ? List.of() : ImageDirectory.read(directory, openCl);
        }
        catch (final IOException | IllegalArgumentException ex)
        {
            throw new GrimException(
                GrimException.Reason.SYSTEM_REFUSED, "cannot read images of " + directory + ": " + ex, ex);
        }
    }

    /**
     * Loads a kernel, if it was not loaded: that of an image replaces a built-in one of its name.
     *
     * @param name of the kernel.
     * @throws IllegalArgumentException if neither an image has it nor is it built in.
     * @throws GrimException            if its image cannot be loaded.
     */
    public void load(final String name)
    {
        if (kernels.containsKey(name))
        {
            return;
        }
        for (final KernelImage image : images)
        {
            final int index = image.kernels().indexOf(name);
            if (index >= 0)
            {
                try
                {
                    final List<Kernel> made = image.load();
                    loaded.add(image);
                    for (int i = 0; i < made.size(); i++)
                    {
                        kernels.putIfAbsent(image.kernels().get(i), made.get(i));
                    }
                    return;
                }
                catch (final IOException | RuntimeException | LinkageError ex)      // Code of the image.
                {
                    throw new GrimException(
                        GrimException.Reason.BAD_DATA, "image " + image.name() + " cannot be loaded: " + ex, ex);
                }
            }
        }
        kernels.put(name, BuiltInKernels.named(name));
    }

    /**
     * Runs a kernel on an item.
     *
     * @param kernel that was loaded.
     * @param item   whose operands are in its payload.
     * @return the outcome.
     */
    public Outcome run(final String kernel, final RecordedItem item)
    {
        final Kernel loadedKernel = kernels.get(kernel);
        final long startNs = System.nanoTime();
        try
        {
            final int roomLength = loadedKernel.resultLengthMax(item.length());
            result = StreamItem.roomIn(result, roomLength);
            final int length =
                loadedKernel.run(call.wrap(item.a0(), item.constant(), item.payload(), item.length()), result);
            if (length < 0 || length > roomLength)
            {
                throw new IllegalArgumentException("result of length=" + length + " exceeds max=" + roomLength);
            }
            return new Outcome(length, System.nanoTime() - startNs, null);
        }
        catch (final Exception | LinkageError | StackOverflowError | OutOfMemoryError ex)
        {
            // Code of the image: this item fails.
            return new Outcome(0, System.nanoTime() - startNs, ex.toString());
        }
    }

    /** {@return result of the last run, from index 0} */
    public DirectBuffer result()
    {
        return result;
    }

    /** Unloads the images. */
    @Override
    public void close()
    {
        loaded.forEach(KernelImage::unload);
        loaded.clear();
        kernels.clear();
        openCl.close();
    }
}
