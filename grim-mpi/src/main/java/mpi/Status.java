// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.grim.mpi.Arrival;
import org.grim.mpi.Operation;

/** The message that a receive or a probe found. */
public final class Status implements Freeable
{
    /** Rank of the sender. */
    public int source;
    /** Tag of the message. */
    public int tag;
    /** Elements of the receive's datatype; of a probe bytes. {@code MPI.UNDEFINED} above an int's limit. */
    public int count;
    /** Place of the request among those that were waited for. */
    public int index;
    private long length;
    private int objectCount = MPI.UNDEFINED;
    private boolean isCancelled;
    private int error;
    private String reason;                  // Of the error; null if there is none.

    /** Makes one of no message. */
    public Status()
    {
        source = MPI.ANY_SOURCE;
        tag = MPI.ANY_TAG;
    }

    /** {@return that of a message to or from nobody} */
    static Status ofNobody()
    {
        final Status status = new Status();
        status.source = MPI.PROC_NULL;
        return status;
    }

    /** {@return that of an operation that has ended; of elements of a type, null if they are not known} */
    static Status of(final Operation operation, final Datatype type, final int objectCount)
    {
        final Status status = new Status();
        status.isCancelled = operation.outcome() == Operation.Outcome.CANCELLED;
        if (!status.isCancelled)
        {
            status.source = operation.source();
            status.tag = operation.tag();
            status.length = operation.length();
            status.objectCount = objectCount;
            status.count = type == null ? narrowed(status.length) : status.Get_count(type);
        }
        return status;
    }

    /** {@return that of a message that has come} */
    static Status of(final Arrival message)
    {
        final Status status = new Status();
        status.source = message.source();
        status.tag = message.tag();
        status.length = message.length();
        status.count = narrowed(status.length);
        return status;
    }

    /** {@return that of a request with an error} */
    static Status of(final int error, final String reason)
    {
        final Status status = new Status();
        status.error = error;
        status.reason = reason;
        return status;
    }

    /** {@return why the request has failed; null if it has not} */
    String reason()
    {
        return reason;
    }

    private static int narrowed(final long count)
    {
        return count == (int)count ? (int)count : MPI.UNDEFINED;
    }

    /** Sets the place of the request; returns this. */
    Status at(final int newIndex)
    {
        index = newIndex;
        return this;
    }

    // mpiJava 1.2

    /**
     * Counts elements of a type; {@code MPI.UNDEFINED} if the message is no whole number of them, or they are more than
     * an int says.
     */
    public int Get_count(final Datatype type)
    {
        return !required(type).isObject() ? narrowed(type.count(length)) :
            objectCount == MPI.UNDEFINED || type.layout().size() == 0 ? objectCount :
            objectCount % type.layout().size() == 0 ? objectCount / type.layout().size() : MPI.UNDEFINED;
    }

    /** Counts basic elements; {@code MPI.UNDEFINED} as in {@link #Get_count}. */
    public int Get_elements(final Datatype type)
    {
        return narrowed(elements(type));
    }

    private long elements(final Datatype type)
    {
        return required(type).isObject() ? objectCount : type.elements(length);
    }

    /** Tests whether the operation was cancelled. */
    public boolean Test_cancelled()
    {
        return isCancelled;
    }

    @Override
    public void free()
    {
        // The collector frees it.
    }

    // Open MPI

    /** Counts elements of a type; {@code MPI.UNDEFINED} as in {@link #Get_count}. */
    public int getCount(final Datatype type) throws MPIException
    {
        return Get_count(type);
    }

    /** Counts basic elements; {@code MPI.UNDEFINED} as in {@link #Get_count}. */
    public int getElements(final Datatype type) throws MPIException
    {
        return Get_elements(type);
    }

    /** Counts basic elements; {@code MPI.UNDEFINED} if the message is no whole number of them. */
    public Count getElementsX(final Datatype type) throws MPIException
    {
        return new Count(elements(type));
    }

    /** Sets the number of basic elements. */
    public void setElements(final Datatype type, final int elementCount) throws MPIException
    {
        length = (long)elementCount * required(type).layout().basic().elementLength();
    }

    /** Sets the number of basic elements. */
    public void setElementsX(final Datatype type, final Count elementCount) throws MPIException
    {
        MPIException.required(elementCount, MPI.ERR_COUNT, "the count");
        length = elementCount.getCount() * required(type).layout().basic().elementLength();
    }

    /** Sets whether the operation was cancelled. */
    public void setCancelled(final boolean newIsCancelled) throws MPIException
    {
        isCancelled = newIsCancelled;
    }

    /** Tests whether the operation was cancelled. */
    public boolean isCancelled() throws MPIException
    {
        return isCancelled;
    }

    /** {@return rank of the sender} */
    public int getSource()
    {
        return source;
    }

    /** {@return tag of the message} */
    public int getTag()
    {
        return tag;
    }

    /**
     * Returns the error's class, of one among several requests (see {@link MPIException#getStatuses}).
     *
     * @return {@code MPI.SUCCESS} if there is none; {@code MPI.ERR_PENDING} if the request goes on.
     */
    public int getError()
    {
        return error;
    }

    /** {@return place of the request among those that were waited for} */
    public int getIndex()
    {
        return index;
    }

    private static Datatype required(final Datatype type)
    {
        return MPIException.required(type, MPI.ERR_TYPE, "the datatype");
    }
}
