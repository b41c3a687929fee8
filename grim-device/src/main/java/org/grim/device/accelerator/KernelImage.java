// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.io.IOException;
import java.util.List;

/** A loadable set of kernels. Thread: the loader's, but for name, kernels and length: any. */
interface KernelImage
{
    /** Most kernels of an image. */
    int KERNEL_COUNT_MAX = 8;

    /** {@return name of the image, for people} */
    String name();

    /** {@return names of its kernels, 1 to {@value #KERNEL_COUNT_MAX}} */
    List<String> kernels();

    /** {@return bytes that count for the limit} */
    long length();

    /**
     * Loads the kernels.
     *
     * @return all of {@link #kernels()}, in this order.
     * @throws IOException if the image is not what it was.
     */
    List<Kernel> load() throws IOException;

    /** Lets go of what {@link #load()} made. */
    void unload();
}
