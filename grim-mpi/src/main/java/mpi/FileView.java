// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.io.IOException;

/**
 * Part of a file that a process sees: from a displacement on, the places of a file type, again and again, counted in
 * elementary types.
 * <p>Thread: any; does not change.
 */
public final class FileView
{
    private final long displacement;
    private final Datatype elementType;
    private final Datatype placesType;
    private final String representation;

    /**
     * Describes a view.
     *
     * @param disp     displacement, in bytes.
     * @param etype    elementary type.
     * @param filetype file type.
     * @param datarep  representation of data.
     */
    public FileView(final long disp, final Datatype etype, final Datatype filetype, final String datarep)
    {
        displacement = disp;
        elementType = etype;
        placesType = filetype;
        representation = datarep;
    }

    /** {@return displacement, in bytes} */
    public long getDisp()
    {
        return displacement;
    }

    /** {@return elementary type} */
    public Datatype getEType()
    {
        return elementType;
    }

    /** {@return file type} */
    public Datatype getFileType()
    {
        return placesType;
    }

    /** {@return representation of data} */
    public String getDataRep()
    {
        return representation;
    }

    // The library

    /** Checks the view; an exception says what is wrong. */
    void check()
    {
        final long unit = Datatype.required(elementType).committed().layout().packedLength();
        final long size = Datatype.required(placesType).committed().layout().packedLength();
        if (elementType.isObject() || placesType.isObject() || unit == 0 || size == 0 || size % unit != 0)
        {
            throw new MPIException(MPI.ERR_ARG, "a file type of length=" + size + " does not consist of elementary " +
                "types of length=" + unit);
        }
        int end = 0;
        final int[] runs = placesType.layout().bytes().runs();
        for (int i = 0; i < runs.length; i += 2)
        {
            if (runs[i] < end)
            {
                throw new MPIException(MPI.ERR_ARG, "places of the file type overlap, or are not in their order");
            }
            end = runs[i] + runs[i + 1];
        }
        if (displacement < 0 || end - runs[0] > extent())
        {
            throw new MPIException(MPI.ERR_ARG, "displacement=" + displacement + " extent=" + extent() +
                " make places overlap");
        }
        if (!"native".equals(representation) && !"internal".equals(representation))
        {
            throw new MPIException(MPI.ERR_UNSUPPORTED_DATAREP, "representation " + representation + " is none of " +
                "native and internal");
        }
    }

    /** {@return elementary types in that many bytes of data} */
    long count(final long length)
    {
        return length / elementType.layout().packedLength();
    }

    /** {@return whether data that begins with an elementary type has places in a file, which 64 bits count} */
    boolean hasPlace(final long element, final long length)
    {
        // Places of a file type take an extent, which may be longer than its data.
        final double end = (double)element * elementType.layout().packedLength() + length;
        return displacement + (end / placesType.layout().packedLength() + 1) * extent() < Long.MAX_VALUE;
    }

    /** {@return where an elementary type begins in the file} */
    long byteOffset(final long element)
    {
        final long position = element * elementType.layout().packedLength();
        final int[] runs = placesType.layout().bytes().runs();
        final long size = placesType.layout().packedLength();
        long rest = position % size;
        int i = 0;
        while (rest >= runs[i + 1])
        {
            rest -= runs[i + 1];
            i += 2;
        }
        return displacement + position / size * extent() + runs[i] + rest;
    }

    /** {@return elementary types before the end of a file, the last one as a whole} */
    long before(final long fileLength)
    {
        final long length = Math.max(0, fileLength - displacement);
        long position = length / extent() * placesType.layout().packedLength();
        final int[] runs = placesType.layout().bytes().runs();
        for (int i = 0; i < runs.length; i += 2)
        {
            position += Math.min(runs[i + 1], Math.max(0, length % extent() - runs[i]));
        }
        final long unit = elementType.layout().packedLength();
        return (position + unit - 1) / unit;
    }

    /** Acts on the places in the file of data that begins with an elementary type, until a place is not whole. */
    void forEach(final long element, final int length, final Action action) throws IOException
    {
        final int[] runs = placesType.layout().bytes().runs();
        final long size = placesType.layout().packedLength();
        final boolean isDense = runs.length == 2 && runs[1] == extent();
        long position = element * elementType.layout().packedLength();
        long rest = position % size;
        int i = 0;
        while (rest >= runs[i + 1])
        {
            rest -= runs[i + 1];
            i += 2;
        }
        for (int done = 0; done < length; rest = 0, i = (i + 2) % runs.length)
        {
            final int part = (int)(isDense ? length : Math.min(runs[i + 1] - rest, length - done));
            if (!action.isWhole(displacement + position / size * extent() + runs[i] + rest, done, part))
            {
                return;
            }
            done += part;
            position += part;
        }
    }

    private long extent()
    {
        return placesType.layout().extent() * placesType.layout().basic().elementLength();
    }

    /** Work on a part of the data. */
    @FunctionalInterface
    interface Action
    {
        /** Returns whether all of the part was there. */
        boolean isWhole(long place, int start, int length) throws IOException;
    }
}
