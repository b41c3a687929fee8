// SPDX-License-Identifier: Apache-2.0
package mpi;

/** A struct of a long and an int: an element of {@code MPI.LONG_INT}. */
public final class LongInt extends Struct
{
    private final int value = addLong();
    private final int index = setOffset(Long.BYTES).addInt();

    LongInt()
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
        public long getValue()
        {
            return getLong(value);
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
        public void putValue(final long v)
        {
            putLong(value, v);
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
