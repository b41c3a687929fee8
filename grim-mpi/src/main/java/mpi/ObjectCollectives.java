// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.Arrays;
import java.util.function.IntPredicate;

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
        exchange(call, target -> target == root, false, allIf(isRoot(call, root)), true);
    }

    static void scatter(final Call call, final int root)
    {
        exchange(call, allIf(isRoot(call, root)), true, source -> source == root, false);
    }

    static void allGather(final Call call)
    {
        exchange(call, process -> true, false, process -> true, true);
    }

    static void allToAll(final Call call)
    {
        exchange(call, process -> true, true, process -> true, true);
    }

    static void reduce(final Call call, final Op op, final int root)
    {
        final boolean isRoot = isRoot(call, root);
        final byte[][] all = Collectives.exchange(call, sent(call, target -> target == root, false));
        if (isRoot)
        {
            put(call, combined(call, all, op, call.from.count), 0);
        }
    }

    static void allReduce(final Call call, final Op op)
    {
        final byte[][] all = Collectives.exchange(call, sent(call, process -> true, false));
        put(call, combined(call, all, op, call.from.count), 0);
    }

    static void reduceScatter(final Call call, final int[] counts, final Op op)
    {
        final byte[][] all = Collectives.exchange(call, sent(call, process -> true, false));
        int first = 0;
        for (int i = 0; i < call.comm.communicator.rank(); i++)
        {
            first += counts[i];
        }
        put(call, combined(call, all, op, call.from.count), first);
    }

    static void scan(final Call call, final Op op)
    {
        final int rank = call.comm.communicator.rank();
        final byte[][] all = Collectives.exchange(call, sent(call, target -> target >= rank, false));
        put(call, combined(call, Arrays.copyOf(all, rank + 1), op, call.from.count), 0);
    }

    private static boolean isRoot(final Call call, final int root)
    {
        return Collectives.isRoot(call.comm.communicator, root);
    }

    private static void exchange(
        final Call call, final IntPredicate targets, final boolean hasParts, final IntPredicate sources,
        final boolean isInParts)
    {
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
                    call.check(call.from);
                    whole = call.objects(hasParts ? call.from.start(i) : call.from.offset, call.from.count(i));
                }
                toEach[i] = whole;
            }
        }
        return toEach;
    }

    /** Combines objects of all processes in the order of ranks. */
    private static Object[] combined(final Call call, final byte[][] all, final Op op, final int count)
    {
        final int length = call.from.indices(0, count).length;
        Object[] result = Objects.copy(all[all.length - 1], length);
        for (int i = all.length - 2; i >= 0; i--)
        {
            try
            {
                result = op.combine(Objects.copy(all[i], length), result, length);
            }
            catch (final MPIException ex)
            {
                throw call.comm.failure(call.name, ex);
            }
        }
        return result;
    }

    private static void put(final Call call, final Object[] objects, final int first)
    {
        call.check(call.to);
        final int[] indices = call.to.indices(call.to.offset, call.to.count);
        for (int i = 0; i < indices.length; i++)
        {
            ((Object[])call.to.buf)[indices[i]] = objects[first + i];
        }
    }
}
