// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.util.ArrayList;
import java.util.List;

/**
 * Kernels that each accelerator has without an image: {@code alu} and {@code alu-bytes} on numbers; {@code gray},
 * {@code gauss}, {@code sobel} and {@code spectrum} on video frames. A kernel of an image replaces that of its name.
 */
public final class BuiltInKernels
{
    private BuiltInKernels()
    {
    }

    /**
     * Makes a kernel, for a kernel of an image that builds on it.
     *
     * @param name of the kernel.
     * @return a kernel of its own, which one thread may run.
     * @throws IllegalArgumentException if there is no kernel of this name.
     */
    public static Kernel named(final String name)
    {
        final List<Kernel> all = all();
        return all.stream().filter(kernel -> kernel.name().equals(name)).findFirst().orElseThrow(() ->
            new IllegalArgumentException(
                "kernel=" + name + " is not built in, but " + all.stream().map(Kernel::name).toList() + " are"));
    }

    static List<Kernel> all()
    {
        final List<Kernel> all = new ArrayList<>(Alu.all());
        all.addAll(List.of(new GrayKernel(), new GaussKernel(), new SobelKernel(), new SpectrumKernel()));
        return all;
    }
}
