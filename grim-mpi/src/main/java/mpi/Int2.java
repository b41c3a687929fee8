// SPDX-License-Identifier: Apache-2.0
package mpi;

/** A struct of an int and an int: an element of {@code MPI.INT2}. */
public final class Int2 extends Struct
{
    private final int value = addInt();
    private final int index = setOffset(Integer.BYTES).addInt();

    Int2()
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
        public int getValue()
        {
            return getInt(value);
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
        public void putValue(final int v)
        {
            putInt(value, v);
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
