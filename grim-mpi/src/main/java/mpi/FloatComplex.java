// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;

/** A view of a complex number: two float values, the real part first. */
public final class FloatComplex
{
    private final FloatBuffer buffer;
    private final int offset;

    private FloatComplex(final FloatBuffer buffer, final int index)
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
    public static FloatComplex get(final FloatBuffer buffer)
    {
        return new FloatComplex(buffer, 0);
    }

    /**
     * Returns a view of a number of several.
     *
     * @param buffer that it lies in.
     * @param index  of the number.
     * @return the view.
     */
    public static FloatComplex get(final FloatBuffer buffer, final int index)
    {
        return new FloatComplex(buffer, index);
    }

    /**
     * Returns a view of the first number.
     *
     * @param array that it lies in.
     * @return the view.
     */
    public static FloatComplex get(final float[] array)
    {
        return new FloatComplex(FloatBuffer.wrap(MPI.required(array)), 0);
    }

    /**
     * Returns a view of a number of several.
     *
     * @param array that it lies in.
     * @param index of the number.
     * @return the view.
     */
    public static FloatComplex get(final float[] array, final int index)
    {
        return new FloatComplex(FloatBuffer.wrap(MPI.required(array)), index);
    }

    /**
     * Returns a view of the first number.
     *
     * @param buffer that it lies in.
     * @return the view.
     */
    public static FloatComplex get(final ByteBuffer buffer)
    {
        return new FloatComplex(MPI.required(buffer).asFloatBuffer(), 0);
    }

    /**
     * Returns a view of a number of several.
     *
     * @param buffer that it lies in.
     * @param index  of the number.
     * @return the view.
     */
    public static FloatComplex get(final ByteBuffer buffer, final int index)
    {
        return new FloatComplex(MPI.required(buffer).asFloatBuffer(), index);
    }

    /** {@return the real part} */
    public float getReal()
    {
        return buffer.get(offset);
    }

    /** {@return the imaginary part} */
    public float getImag()
    {
        return buffer.get(offset + 1);
    }

    /**
     * Sets the real part.
     *
     * @param real the part.
     */
    public void putReal(final float real)
    {
        buffer.put(offset, real);
    }

    /**
     * Sets the imaginary part.
     *
     * @param imag the part.
     */
    public void putImag(final float imag)
    {
        buffer.put(offset + 1, imag);
    }

    /** {@return a buffer that begins with the number} */
    public FloatBuffer getBuffer()
    {
        return offset == 0 ? buffer : MPI.slice(buffer, offset);
    }
}
