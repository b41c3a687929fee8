// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.ByteBuffer;

import org.grim.group.Reduction;
import org.grim.group.Reduction.Operation;

/** An operation of reductions: a predefined one, or a user's. */
public final class Op implements Freeable
{
    static final Op NULL = new Op("MPI_OP_NULL", null, null, false);
    static final Op MAX = new Op("MPI_MAX", Operation.MAX);
    static final Op MIN = new Op("MPI_MIN", Operation.MIN);
    static final Op SUM = new Op("MPI_SUM", Operation.SUM);
    static final Op PROD = new Op("MPI_PROD", Operation.PRODUCT);
    static final Op LAND = new Op("MPI_LAND", Operation.LOGICAL_AND);
    static final Op BAND = new Op("MPI_BAND", Operation.AND);
    static final Op LOR = new Op("MPI_LOR", Operation.LOGICAL_OR);
    static final Op BOR = new Op("MPI_BOR", Operation.OR);
    static final Op LXOR = new Op("MPI_LXOR", Operation.LOGICAL_XOR);
    static final Op BXOR = new Op("MPI_BXOR", Operation.XOR);
    static final Op MINLOC = new Op("MPI_MINLOC", null, null, true);
    static final Op MAXLOC = new Op("MPI_MAXLOC", null, null, true);
    /** The second side; for windows only. */
    static final Op REPLACE = new Op("MPI_REPLACE", null, null, false);
    /** The first side; for windows only. */
    static final Op NO_OP = new Op("MPI_NO_OP", null, null, false);

    private final String name;
    private final Operation operation;      // Null if it is not one of numbers.
    private final Function function;        // Null if it is not a user's.
    private final boolean isCommutative;
    private boolean isFree;

    private Op(final String name, final Operation operation)
    {
        this(name, operation, null, true);
    }

    private Op(final String name, final Operation operation, final Function function, final boolean isCommutative)
    {
        this.name = name;
        this.operation = operation;
        this.function = function;
        this.isCommutative = isCommutative;
    }

    // mpiJava 1.2

    /**
     * Makes an operation of a user's function.
     *
     * @param function the function; associative.
     * @param commute  whether the sides may be exchanged.
     */
    public Op(final User_function function, final boolean commute) throws MPIException
    {
        this("", null, new ArrayFunction(function), commute);
    }

    // Open MPI

    /**
     * Makes an operation of a user's function.
     *
     * @param function the function; associative.
     * @param commute  whether the sides may be exchanged.
     */
    public Op(final UserFunction function, final boolean commute)
    {
        this("", null, new BufferFunction(function), commute);
    }

    /** {@return whether the sides may be exchanged} */
    public boolean isCommutative()
    {
        return isCommutative;
    }

    /**
     * Frees the operation.
     *
     * @throws MPIException if it is a predefined one.
     */
    @Override
    public void free() throws MPIException
    {
        if (function == null || isFree)
        {
            throw new MPIException(MPI.ERR_OP, function == null ? name + " is predefined and cannot be freed" :
                "the operation was freed before");
        }
        isFree = true;
    }

    /** {@return whether it was freed, or is the null operation} */
    public boolean isNull()
    {
        return isFree || name.equals("MPI_OP_NULL");
    }

    // The library

    /** Returns the reduction of elements as they lie in messages. */
    Reduction reduction(final Datatype type)
    {
        Reduction reduction = null;
        if (function != null && !isFree && !type.isObject())
        {
            reduction = new Reductions.Applied(function, type, isCommutative);
        }
        else if (name.equals("MPI_REPLACE") || name.equals("MPI_NO_OP"))
        {
            reduction = new Reductions.Chosen((int)type.layout().packedLength(), name.equals("MPI_REPLACE"));
        }
        else if (name.endsWith("LOC") && type.pairValues() != null)
        {
            reduction = Reductions.location(type, name.equals("MPI_MAXLOC"));
        }
        else if (operation != null && type.numbers() != null && operation.isFor(type.numbers()))
        {
            reduction = Reductions.repeated(Reduction.of(type.numbers(), operation), type);
        }
        else if (type.complexNumbers() != null && (operation == Operation.SUM || operation == Operation.PRODUCT))
        {
            reduction = Reductions.repeated(operation == Operation.SUM ?
                Reduction.of(type.complexNumbers(), operation) :
                new Reductions.ComplexProduct(type.complexNumbers() == Reduction.Type.DOUBLE), type);
        }
        if (reduction == null)
        {
            throw new MPIException(MPI.ERR_OP, "operation " + this + " is not defined for " + type);
        }
        return reduction;
    }

    /** Combines objects; those of the second side become the result. */
    Object[] combine(final Object[] into, final Object[] from, final int count)
    {
        if (isFree || !(function instanceof final ArrayFunction userFunction))
        {
            throw new MPIException(MPI.ERR_OP, "operation " + this + " is not defined for MPI_OBJECT");
        }
        Reductions.call(userFunction, into, 0, from, 0, count, Datatype.OBJECT);
        return from;
    }

    @Override
    public String toString()
    {
        return isFree ? "freed" : name.isEmpty() ? "of a user" : name;
    }

    /** A user's function of either dialect. */
    interface Function
    {
        /** Whether the sides are byte buffers, which begin at the first element, and not arrays. */
        boolean isOfBuffers(Datatype type);

        void call(Object in, int inOffset, Object inOut, int inOutOffset, int count, Datatype type);
    }

    private record ArrayFunction(User_function function) implements Function
    {
        @Override
        public boolean isOfBuffers(final Datatype type)
        {
            return false;
        }

        @Override
        public void call(
            final Object in, final int inOffset, final Object inOut, final int inOutOffset, final int count,
            final Datatype type)
        {
            function.Call(in, inOffset, inOut, inOutOffset, count, type);
        }
    }

    private record BufferFunction(UserFunction function) implements Function
    {
        @Override
        public boolean isOfBuffers(final Datatype type)
        {
            return type.numbers() != Reduction.Type.BOOLEAN;
        }

        @Override
        public void call(
            final Object in, final int inOffset, final Object inOut, final int inOutOffset, final int count,
            final Datatype type)
        {
            if (in instanceof final ByteBuffer buffer)
            {
                function.call(buffer, (ByteBuffer)inOut, count, type);
            }
            else
            {
                function.call(in, inOut, count, type);
            }
        }
    }
}
