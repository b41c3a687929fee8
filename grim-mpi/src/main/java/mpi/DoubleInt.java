// SPDX-License-Identifier: Apache-2.0
package mpi;

/** A struct of a double and an int: an element of {@code MPI.DOUBLE_INT}. */
public final class DoubleInt extends Struct
{
    private final int value = addDouble();
    private final int index = setOffset(Double.BYTES).addInt();

    DoubleInt()
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
        public double getValue()
        {
            return getDouble(value);
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
        public void putValue(final double v)
        {
            putDouble(value, v);
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
