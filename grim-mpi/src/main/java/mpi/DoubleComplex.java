// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;

/** A view of a complex number: two double values, the real part first. */
public final class DoubleComplex
{
    private final DoubleBuffer buffer;
    private final int offset;

    private DoubleComplex(final DoubleBuffer buffer, final int index)
    {
        this.buffer = MPI.required(buffer);
        offset = 2 * index;
    }

    // Open MPI

    /**
     * Returns a view of the first number.
     *
     * @param buffer that it lies in.
     * @return the view.
     */
    public static DoubleComplex get(final DoubleBuffer buffer)
    {
        return new DoubleComplex(buffer, 0);
    }

    /**
     * Returns a view of a number of several.
     *
     * @param buffer that it lies in.
     * @param index  of the number.
     * @return the view.
     */
    public static DoubleComplex get(final DoubleBuffer buffer, final int index)
    {
        return new DoubleComplex(buffer, index);
    }

    /**
     * Returns a view of the first number.
     *
     * @param array that it lies in.
     * @return the view.
     */
    public static DoubleComplex get(final double[] array)
    {
        return new DoubleComplex(DoubleBuffer.wrap(MPI.required(array)), 0);
    }

    /**
     * Returns a view of a number of several.
     *
     * @param array that it lies in.
     * @param index of the number.
     * @return the view.
     */
    public static DoubleComplex get(final double[] array, final int index)
    {
        return new DoubleComplex(DoubleBuffer.wrap(MPI.required(array)), index);
    }

    /**
     * Returns a view of the first number.
     *
     * @param buffer that it lies in.
     * @return the view.
     */
    public static DoubleComplex get(final ByteBuffer buffer)
    {
        return new DoubleComplex(MPI.required(buffer).asDoubleBuffer(), 0);
    }

    /**
     * Returns a view of a number of several.
     *
     * @param buffer that it lies in.
     * @param index  of the number.
     * @return the view.
     */
    public static DoubleComplex get(final ByteBuffer buffer, final int index)
    {
        return new DoubleComplex(MPI.required(buffer).asDoubleBuffer(), index);
    }

    /** {@return the real part} */
    public double getReal()
    {
        return buffer.get(offset);
    }

    /** {@return the imaginary part} */
    public double getImag()
    {
        return buffer.get(offset + 1);
    }

    /**
     * Sets the real part.
     *
     * @param real the part.
     */
    public void putReal(final double real)
    {
        buffer.put(offset, real);
    }

    /**
     * Sets the imaginary part.
     *
     * @param imag the part.
     */
    public void putImag(final double imag)
    {
        buffer.put(offset + 1, imag);
    }

    /** {@return a buffer that begins with the number} */
    public DoubleBuffer getBuffer()
    {
        return offset == 0 ? buffer : MPI.slice(buffer, offset);
    }
}
