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
 */
public record Stage(
    EndpointId device, String kernel, int operation, boolean hasConstant, int constant, PageOperands operands)
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
     * @throws IllegalArgumentException if the operation is out of its range, or operand B is a constant and in a page.
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
        return new Stage(device, kernel, 0, false, 0, PageOperands.NONE);
    }

    /**
     * Chooses a sub-operation.
     *
     * @param newOperation number of it.
     * @return a new stage.
     */
    public Stage operation(final int newOperation)
    {
        return new Stage(device, kernel, newOperation, hasConstant, constant, operands);
    }

    /**
     * Sets operand B.
     *
     * @param newConstant value of it.
     * @return a new stage.
     */
    public Stage constant(final int newConstant)
    {
        return new Stage(device, kernel, operation, true, newConstant, operands);
    }

    /**
     * Chooses a device.
     *
     * @param newDevice an accelerator, on its first channel.
     * @return a new stage.
     */
    public Stage on(final EndpointId newDevice)
    {
        return new Stage(newDevice, kernel, operation, hasConstant, constant, operands);
    }

    /**
     * Has operands in pages of the connection's owner in the device.
     *
     * @param newOperands addresses of them.
     * @return a new stage.
     */
    public Stage pages(final PageOperands newOperands)
    {
        return new Stage(device, kernel, operation, hasConstant, constant, newOperands);
    }

    int a0(final int slot)
    {
        return ItemFormat.a0(slot, operation, hasConstant) | operands.bits();
    }
}
