// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import org.agrona.MutableDirectBuffer;

/**
 * One operation of an accelerator, loaded with its image: the image's {@code META-INF/services} names the class.
 * <p>Thread: the runner's of the device. It must not block: all streams of the device wait for it.
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
     * Runs the kernel on one item. An exception fails this item only.
     *
     * @param call   the item; valid until this returns.
     * @param result of {@link #resultLengthMax} bytes, to be written from index 0 on.
     * @return bytes of the result.
     * @throws Exception of any kind: its text is the reason why the item has failed.
     */
    int run(KernelCall call, MutableDirectBuffer result) throws Exception;
}
