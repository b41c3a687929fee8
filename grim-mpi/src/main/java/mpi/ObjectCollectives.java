// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

import org.grim.mpi.Communicator;

/**
 * The collective calls for objects: each process sends what others need, serialised, by one exchange among all.
 * <p>Thread: the caller's.
 */
final class ObjectCollectives
{
    private static final byte[] NONE = {};

    private ObjectCollectives()
    {
    }

    private static IntPredicate allIf(final boolean condition)
    {
        return process -> condition;
    }

    static void broadcast(final Call call, final int root)
    {
        final boolean isRoot = isRoot(call, root);
        call.from.set(call.to.buf, call.to.offset, call.to.count, call.to.type);
        exchange(call, allIf(isRoot), false, source -> source == root && !isRoot, false);
    }

    static void gather(final Call call, final int root)
    {
        final boolean isRoot = isRoot(call, root);
        if (isRoot && !call.comm.communicator.isIntercommunicator())
        {
            sendOwnPartIfInPlace(call);
        }
        else
        {
            sendTargetIfInPlace(call);
        }
        exchange(call, target -> target == root, false, allIf(isRoot), true);
    }

    static void scatter(final Call call, final int root)
    {
        final boolean isRoot = isRoot(call, root);
        final boolean isInPlace = !call.to.isThere;
        if (isInPlace)
        {
            call.to.set(call.from.buf, call.from.offset, call.from.count, call.from.type);
        }
        exchange(call, allIf(isRoot), true, source -> source == root && !(isRoot && isInPlace), false);
    }

    static void allGather(final Call call)
    {
        call.requireOneGroupIfInPlace();
        sendOwnPartIfInPlace(call);
        exchange(call, process -> true, false, process -> true, true);
    }

    static void allToAll(final Call call)
    {
        exchange(call, process -> true, true, process -> true, true);
    }

    static void reduce(final Call call, final Op op, final int root)
    {
        sendTargetIfInPlace(call);
        final boolean isRoot = isRoot(call, root);
        if (isRoot)
        {
            check(call, call.to);
        }
        final byte[][] all = Collectives.exchange(call, sent(call, target -> target == root, false));
        if (isRoot)
        {
            put(call, combined(call, all, op), 0, call.to.count);
        }
    }

    static void allReduce(final Call call, final Op op)
    {
        call.requireOneGroupIfInPlace();
        sendTargetIfInPlace(call);
        check(call, call.to);
        final byte[][] all = Collectives.exchange(call, sent(call, process -> true, false));
        put(call, combined(call, all, op), 0, call.to.count);
    }

    static void reduceScatter(final Call call, final int[] counts, final Op op)
    {
        call.requireOneGroupIfInPlace();
        sendTargetIfInPlace(call);
        check(call, call.to);
        final byte[][] all = Collectives.exchange(call, sent(call, process -> true, false));
        final int rank = call.comm.communicator.rank();
        int first = 0;
        for (int i = 0; i < rank; i++)
        {
            first += counts[i];
        }
        put(call, combined(call, all, op), first, counts[rank]);
    }

    static void scan(final Call call, final Op op, final boolean isInclusive)
    {
        call.requireOneGroupIfInPlace();
        sendTargetIfInPlace(call);
        final int rank = call.comm.communicator.rank();
        final int processCount = isInclusive ? rank + 1 : rank;         // Their objects are combined here.
        if (processCount > 0)
        {
            check(call, call.to);
        }
        final byte[][] all = Collectives.exchange(
            call, sent(call, target -> target > rank || (isInclusive && target == rank), false));
        if (processCount > 0)
        {
            put(call, combined(call, Arrays.copyOf(all, processCount), op), 0, call.to.count);
        }
    }

    private static void sendTargetIfInPlace(final Call call)
    {
        if (!call.from.isThere)
        {
            call.from.set(call.to.buf, call.to.offset, call.to.count, call.to.type);
        }
    }

    private static void sendOwnPartIfInPlace(final Call call)
    {
        if (!call.from.isThere)
        {
            check(call, call.to);
            final int rank = call.comm.communicator.rank();
            call.from.set(call.to.buf, call.to.start(rank), call.to.count(rank), call.to.type);
        }
    }

    /** Checks that objects are there, or room for them, before anything is sent. */
    private static void check(final Call call, final Place place)
    {
        call.check(place);
        if (!place.isObject())
        {
            throw call.comm.failure(call.name, MPI.ERR_TYPE, "objects are no elements of type " + place.type);
        }
    }

    private static boolean isRoot(final Call call, final int root)
    {
        return Collectives.isRoot(call.comm.communicator, root);
    }

    private static void exchange(
        final Call call, final IntPredicate targets, final boolean hasParts, final IntPredicate sources,
        final boolean isInParts)
    {
        if (IntStream.range(0, call.comm.communicator.targets().size()).anyMatch(sources))
        {
            check(call, call.to);
        }
        final byte[][] fromEach = Collectives.exchange(call, sent(call, targets, hasParts));
        for (int i = 0; i < fromEach.length; i++)
        {
            if (sources.test(i))
            {
                call.objects(fromEach[i], isInParts ? call.to.start(i) : call.to.offset, call.to.count(i));
            }
        }
    }

    private static byte[][] sent(final Call call, final IntPredicate targets, final boolean hasParts)
    {
        final Communicator communicator = call.comm.communicator;
        final byte[][] toEach = new byte[communicator.targets().size()][];
        byte[] whole = null;
        for (int i = 0; i < toEach.length; i++)
        {
            toEach[i] = NONE;
            if (targets.test(i))
            {
                if (whole == null || hasParts)
                {
                    check(call, call.from);
                    whole = call.objects(hasParts ? call.from.start(i) : call.from.offset, call.from.count(i));
                }
                toEach[i] = whole;
            }
        }
        return toEach;
    }

    /** Combines objects of processes in the order of ranks. */
    private static Object[] combined(final Call call, final byte[][] all, final Op op)
    {
        final int length = call.from.indices(0, call.from.count).length;
        try
        {
            Object[] result = Objects.copy(all[all.length - 1], length);
            for (int i = all.length - 2; i >= 0; i--)
            {
                result = op.combine(Objects.copy(all[i], length), result, length);
            }
            return result;
        }
        catch (final MPIException ex)
        {
            throw call.comm.failure(call.name, ex);
        }
    }

    /** Puts some elements of a result into the target. */
    private static void put(final Call call, final Object[] objects, final int first, final int count)
    {
        final int[] indices = call.to.indices(call.to.offset, count);
        final int firstObject = first * call.to.type.layout().size();
        try
        {
            for (int i = 0; i < indices.length; i++)
            {
                call.to.objects()[indices[i]] = objects[firstObject + i];
            }
        }
        catch (final ArrayStoreException ex)
        {
            throw call.comm.failure(call.name, MPI.ERR_TYPE, "a result of " + ex.getMessage() +
                " does not fit an array of " + call.to.buf.getClass().getComponentType().getName());
        }
    }
}
