// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.util.function.IntFunction;

import org.agrona.MutableDirectBuffer;
import org.grim.device.opencl.OpenClException;
import org.grim.device.opencl.OpenClKernel;
import org.grim.device.opencl.OpenClRunner;

/** A kernel of OpenCL as one that items run. Thread: the worker's. */
final class OpenClItemKernel implements Kernel
{
    private final String name;
    private final OpenClRunner runner;
    private final OpenClKernel kernel;
    private final int scratchFactor;
    private final IntFunction<String> refusals;

    OpenClItemKernel(
        final String name, final OpenClRunner runner, final OpenClKernel kernel, final int scratchFactor,
        final IntFunction<String> refusals) throws OpenClException
    {
        this.name = name;
        this.runner = runner;
        this.kernel = kernel;
        this.scratchFactor = scratchFactor;
        this.refusals = refusals;
        if (kernel.hasScratch() && scratchFactor == 0)
        {
            throw new OpenClException("its kernel " + name + " has scratch memory, and Grim-Scratch is 0");
        }
    }

    @Override
    public String name()
    {
        return name;
    }

    @Override
    public boolean isBlocking()
    {
        return true;
    }

    @Override
    public int run(final KernelCall call, final MutableDirectBuffer result) throws OpenClException
    {
        if (call.hasOperandB())
        {
            throw new IllegalArgumentException(
                name + " is a kernel of OpenCL: it takes operand B from the payload or the constant, not from a page");
        }
        final int operation = call.operation() | (call.hasConstant() ? OpenClRunner.CONSTANT_BIT : 0);
        final int length = runner.run(kernel, call.source(), call.length(), operation, call.constant(),
            (long)scratchFactor * call.length(), result);
        if (length < 0)
        {
            throw new IllegalArgumentException(name + " " + refusals.apply(~length));
        }
        return length;
    }
}
