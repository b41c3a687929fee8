// SPDX-License-Identifier: Apache-2.0
package mpi;

/** A struct of a short and an int: an element of {@code MPI.SHORT_INT}. */
public final class ShortInt extends Struct
{
    private final int value = addShort();
    private final int index = setOffset(Integer.BYTES).addInt();

    ShortInt()
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
        public short getValue()
        {
            return getShort(value);
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
        public void putValue(final short v)
        {
            putShort(value, v);
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
