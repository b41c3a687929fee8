// SPDX-License-Identifier: Apache-2.0
package org.grim.stream;

import java.util.Objects;

import org.grim.EndpointId;
import org.grim.device.accelerator.ItemFormat;
import org.grim.device.accelerator.PageOperands;

/**
 * One stage of a connection: a kernel on a device. Any thread; immutable.
 *
 * @param device      an accelerator, on its first channel.
 * @param kernel      name of the kernel.
 * @param operation   sub-operation of the kernel, 0 to {@value ItemFormat#OPERATION_MAX}.
 * @param hasConstant whether operand B is the constant.
 * @param constant    operand B, or another parameter of the kernel.
 * @param operands    operands in pages of the connection's owner.
 * @param checkpoint  items between two checkpoints of the stage's pages; 0: there are none.
 */
public record Stage(
    EndpointId device, String kernel, int operation, boolean hasConstant, int constant, PageOperands operands,
    int checkpoint)
{
    /**
     * Checks a stage.
     *
     * @param device      an accelerator.
     * @param kernel      name of the kernel.
     * @param operation   sub-operation.
     * @param hasConstant whether operand B is the constant.
     * @param constant    operand B.
     * @param operands    operands in pages.
     * @param checkpoint  items between two checkpoints.
     * @throws IllegalArgumentException if the operation is out of its range, operand B is a constant and in a page, or
     *                                  there are checkpoints of space 0.
     */
    public Stage
    {
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(kernel, "kernel");
        Objects.requireNonNull(operands, "operands");
        if (operation < 0 || operation > ItemFormat.OPERATION_MAX)
        {
            throw new IllegalArgumentException(
                "operation=" + operation + " is outside 0 to " + ItemFormat.OPERATION_MAX);
        }
        if (hasConstant && operands.hasB())
        {
            throw new IllegalArgumentException("operand B is constant=" + constant + ", and in a page");
        }
        if (checkpoint < 0 || (checkpoint > 0 && operands.space() == 0))
        {
            throw new IllegalArgumentException("checkpoint=" + checkpoint + " has min=0, and needs pages in a space " +
                "of the stage's own: space=" + operands.space());
        }
    }

    /**
     * Makes a stage of operation 0 without a constant.
     *
     * @param device an accelerator, on its first channel.
     * @param kernel name of the kernel.
     * @return the stage.
     */
    public static Stage of(final EndpointId device, final String kernel)
    {
        return new Stage(device, kernel, 0, false, 0, PageOperands.NONE, 0);
    }

    /**
     * Chooses a sub-operation.
     *
     * @param newOperation number of it.
     * @return a new stage.
     */
    public Stage operation(final int newOperation)
    {
        return new Stage(device, kernel, newOperation, hasConstant, constant, operands, checkpoint);
    }

    /**
     * Sets operand B.
     *
     * @param newConstant value of it.
     * @return a new stage.
     */
    public Stage constant(final int newConstant)
    {
        return new Stage(device, kernel, operation, true, newConstant, operands, checkpoint);
    }

    /**
     * Chooses a device.
     *
     * @param newDevice an accelerator, on its first channel.
     * @return a new stage.
     */
    public Stage on(final EndpointId newDevice)
    {
        return new Stage(newDevice, kernel, operation, hasConstant, constant, operands, checkpoint);
    }

    /**
     * Has operands in pages of the connection's owner in the device.
     *
     * @param newOperands addresses of them.
     * @return a new stage.
     */
    public Stage pages(final PageOperands newOperands)
    {
        return new Stage(device, kernel, operation, hasConstant, constant, newOperands, checkpoint);
    }

    /**
     * Has the owner fetch a checkpoint of the stage's pages when the path is first set, and again after so many items.
     * If the device dies, the pages of the last complete one are written to the device that takes its place, and
     * {@link ConnectionListener#onRestored} says up to which item.
     *
     * @param itemCount items that the sink has accounted for since the last one began; 0: no checkpoints.
     * @return a new stage.
     * @throws IllegalArgumentException if the number is negative, or the pages are not in a space of the stage's own.
     */
    public Stage checkpoint(final int itemCount)
    {
        return new Stage(device, kernel, operation, hasConstant, constant, operands, itemCount);
    }

    int a0(final int slot)
    {
        return ItemFormat.a0(slot, operation, hasConstant) | operands.bits();
    }
}
