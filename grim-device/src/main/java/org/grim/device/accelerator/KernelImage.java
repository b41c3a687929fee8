// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.io.IOException;
import java.util.Arrays;
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

    /** Reads the names of kernels, separated by commas. The value is null if the image does not have the attribute. */
    static List<String> names(final String image, final String attribute, final String value)
    {
        if (value == null)
        {
            throw new IllegalArgumentException("image " + image + " has no attribute " + attribute);
        }
        final List<String> names = Arrays.stream(value.split(",", -1)).map(String::strip).toList();
        if (names.size() > KERNEL_COUNT_MAX || names.contains(""))
        {
            throw new IllegalArgumentException(
                "image " + image + ": " + attribute + "=" + value + " is not 1 to " + KERNEL_COUNT_MAX + " names");
        }
        return names;
    }

    /** Lets go of what {@link #load()} made. */
    void unload();
}
