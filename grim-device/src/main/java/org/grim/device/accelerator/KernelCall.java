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
    private DirectBuffer operandB;
    private int operandBLength;

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
        operandB = null;
        operandBLength = 0;
        return this;
    }

    /** Sets operand A, which is in a page: then the payload is B, unless that is the constant. */
    KernelCall withA(final DirectBuffer newSource, final int newLength)
    {
        if (!hasConstant())
        {
            withB(source, length);
        }
        source = newSource;
        length = newLength;
        return this;
    }

    /** Sets operand B, which is not within {@link #source()}. */
    KernelCall withB(final DirectBuffer newOperandB, final int newLength)
    {
        operandB = newOperandB;
        operandBLength = newLength;
        return this;
    }

    /** Returns argument 0 of the item. */
    int a0()
    {
        return a0;
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

    /** {@return operand A, from index 0: the payload of the item, or a part of a page} */
    public DirectBuffer source()
    {
        return source;
    }

    /** {@return bytes of operand A} */
    public int length()
    {
        return length;
    }

    /** {@return whether operand B is apart from operand A, as one of them is in a page} */
    public boolean hasOperandB()
    {
        return operandB != null;
    }

    /** {@return operand B, from index 0; null if it is the constant, or both are in the payload} */
    public DirectBuffer operandB()
    {
        return operandB;
    }

    /** {@return bytes of operand B} */
    public int operandBLength()
    {
        return operandBLength;
    }
}
