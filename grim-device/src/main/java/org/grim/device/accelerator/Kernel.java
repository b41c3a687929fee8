// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import org.agrona.MutableDirectBuffer;

/**
 * One operation of an accelerator, loaded with its image: the image's {@code META-INF/services} names the class.
 * <p>Thread: the runner's of the device; all its streams wait for a kernel that does not say that it is blocking.
 */
public interface Kernel
{
    /** {@return name of the kernel; its handler is {@code kernel.} and this name} */
    String name();

    /**
     * Bounds the result.
     *
     * @param length bytes of the item.
     * @return bytes that the result takes at most.
     */
    default int resultLengthMax(final int length)
    {
        return length;
    }

    /**
     * Says whether {@link #run} takes long or waits. Then it is not the runner's thread that calls it, but the device's
     * worker, for one item at a time; other channels go on.
     *
     * @return whether it blocks; always the same.
     */
    default boolean isBlocking()
    {
        return false;
    }

    /**
     * Runs the kernel on one item. An exception fails this item only.
     *
     * @param call   the item; valid until this returns.
     * @param result of {@link #resultLengthMax} bytes, to be written from index 0 on.
     * @return bytes of the result.
     * @throws Exception of any kind: its text is the reason why the item has failed.
     */
    int run(KernelCall call, MutableDirectBuffer result) throws Exception;
}
