// SPDX-License-Identifier: Apache-2.0
package mpi;

/** A struct of a float and an int: an element of {@code MPI.FLOAT_INT}. */
public final class FloatInt extends Struct
{
    private final int value = addFloat();
    private final int index = setOffset(Integer.BYTES).addInt();

    FloatInt()
    {
        // Fields only.
    }

    @Override
    protected Data newData()
    {
        return new Data();
    }

    /** A view of one element. */
    public final class Data extends Struct.Data
    {
        private Data()
        {
            // Of this struct.
        }

        // Open MPI

        /** {@return the value} */
        public float getValue()
        {
            return getFloat(value);
        }

        /** {@return the index} */
        public int getIndex()
        {
            return getInt(index);
        }

        /**
         * Sets the value.
         *
         * @param v the value.
         */
        public void putValue(final float v)
        {
            putFloat(value, v);
        }

        /**
         * Sets the index.
         *
         * @param v the index.
         */
        public void putIndex(final int v)
        {
            putInt(index, v);
        }
    }
}
