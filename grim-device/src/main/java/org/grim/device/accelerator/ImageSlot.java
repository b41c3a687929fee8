// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.util.List;

/** An image that a device knows, loaded or not. Thread: the runner's. */
final class ImageSlot
{
    /** An image stays for so many times the duration of its load. */
    static final int RESIDENCE_FACTOR = 10;

    final KernelImage image;
    private final boolean isBuiltIn;
    private List<Kernel> kernels;
    private long loadNs;
    private long loadedAtNs;
    private long lastUsedNs;
    private long evictedAtNs;
    private boolean wasEvicted;
    private int runCount;
    private int underWayCount;
    private String failure;

    /** An image that has to be loaded. */
    ImageSlot(final KernelImage image)
    {
        this.image = image;
        isBuiltIn = false;
    }

    private ImageSlot(final List<Kernel> kernels)
    {
        this.kernels = kernels;
        image = null;
        isBuiltIn = true;
    }

    /** An image that is always loaded, and needs no room. */
    static ImageSlot builtIn(final List<Kernel> kernels)
    {
        return new ImageSlot(kernels);
    }

    List<String> kernelNames()
    {
        return isBuiltIn ? kernels.stream().map(Kernel::name).toList() : image.kernels();
    }

    boolean isLoaded()
    {
        return kernels != null;
    }

    boolean isInRoom()
    {
        return kernels != null && !isBuiltIn;
    }

    /** Returns why it cannot be loaded; null if nobody knows a reason. */
    String failure()
    {
        return failure;
    }

    /** Notes that a kernel runs. */
    Kernel use(final int index, final long nowNs)
    {
        lastUsedNs = nowNs;
        runCount++;
        return kernels.get(index);
    }

    /** Notes that the worker runs a kernel. */
    void runStarted()
    {
        underWayCount++;
    }

    void runEnded()
    {
        underWayCount--;
        assert underWayCount >= 0;
    }

    /** Says whether the worker runs a kernel: the image must stay. */
    boolean isRunning()
    {
        return underWayCount > 0;
    }

    long lastUsedNs()
    {
        return lastUsedNs;
    }

    int runCount()
    {
        return runCount;
    }

    boolean hasResided(final long nowNs)
    {
        return nowNs - loadedAtNs >= RESIDENCE_FACTOR * loadNs;
    }

    /** Says whether it is loaded again although it has just been evicted. */
    boolean isThrashing(final long nowNs)
    {
        return wasEvicted && nowNs - evictedAtNs < RESIDENCE_FACTOR * loadNs;
    }

    void loaded(final List<Kernel> newKernels, final long durationNs, final long nowNs)
    {
        assert kernels == null;
        kernels = newKernels;
        loadNs = durationNs;
        loadedAtNs = nowNs;
        lastUsedNs = nowNs;
        runCount = 0;
    }

    void failed(final String reason)
    {
        failure = reason;
    }

    void evicted(final long nowNs)
    {
        assert isInRoom() && !isRunning();
        kernels = null;
        evictedAtNs = nowNs;
        wasEvicted = true;
        image.unload();
    }

    @Override
    public String toString()
    {
        return isBuiltIn ? "built in" : image.name();
    }
}
