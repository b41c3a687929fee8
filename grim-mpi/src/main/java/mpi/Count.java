// SPDX-License-Identifier: Apache-2.0
package mpi;

/** A number of elements that may exceed an int. */
public final class Count implements Comparable<Count>
{
    private long count;

    // Open MPI

    /**
     * Holds a number.
     *
     * @param count the number.
     */
    public Count(final long count)
    {
        this.count = count;
    }

    /** {@return the number} */
    public long getCount()
    {
        return count;
    }

    /**
     * Sets the number.
     *
     * @param newCount the number.
     */
    public void setCount(final long newCount)
    {
        count = newCount;
    }

    @Override
    public int compareTo(final Count other)
    {
        return Long.compare(count, other.count);
    }

    @Override
    public boolean equals(final Object other)
    {
        return other instanceof final Count otherCount && count == otherCount.count;
    }

    @Override
    public int hashCode()
    {
        return Long.hashCode(count);
    }
}
