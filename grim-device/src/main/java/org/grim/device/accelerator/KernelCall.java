// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import org.agrona.DirectBuffer;

/** An item as its kernel sees it. Valid until the kernel returns; the object is used again. */
public final class KernelCall
{
    private int a0;
    private int constant;
    private DirectBuffer source;
    private int length;

    KernelCall()
    {
        // Of the machine.
    }

    KernelCall wrap(final int newA0, final int newConstant, final DirectBuffer newSource, final int newLength)
    {
        a0 = newA0;
        constant = newConstant;
        source = newSource;
        length = newLength;
        return this;
    }

    /** {@return sub-operation of the stage; 0 to 15} */
    public int operation()
    {
        return ItemFormat.operation(a0);
    }

    /** {@return whether operand B is the constant, and not a part of the payload} */
    public boolean hasConstant()
    {
        return ItemFormat.hasConstant(a0);
    }

    /** {@return constant of the stage; 0 if it has none} */
    public int constant()
    {
        return constant;
    }

    /** {@return payload of the item, from index 0} */
    public DirectBuffer source()
    {
        return source;
    }

    /** {@return bytes of the payload} */
    public int length()
    {
        return length;
    }
}
