// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.lang.reflect.Array;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.group.Reduction;
import org.grim.mpi.Collective;
import org.grim.mpi.Communicator;
import org.grim.mpi.Elements;
import org.grim.mpi.Layout;
import org.grim.mpi.OperationException;

/**
 * The collective calls: arguments are checked, and the operation begins. An argument that is not there means that the
 * elements are in place.
 * <p>Thread: the caller's.
 */
final class Collectives
{
    private static final int NO_ROOT = 0;
    private static final Beginning BARRIER =
        (call, collective, root, counts, op) -> call.comm.communicator.barrier(collective);
    private static final Beginning BROADCAST = (call, collective, root, counts, op) -> call.comm.communicator
        .broadcast(collective, root, root == Communicator.NOBODY ? null : call.received());
    private static final Beginning GATHER = (call, collective, root, counts, op) -> call.comm.communicator
        .gather(collective, root, toRoot(call, root), receivedAtRoot(call, root));
    private static final Beginning GATHER_PARTS = (call, collective, root, counts, op) ->
    {
        final boolean isRoot = isRoot(call.comm.communicator, root);
        call.comm.communicator.gatherV(collective, root, toRoot(call, root), receivedAtRoot(call, root),
            isRoot ? call.to.counts : null, isRoot ? call.to.displacements : null);
    };
    private static final Beginning SCATTER = (call, collective, root, counts, op) -> call.comm.communicator
        .scatter(collective, root, sentAtRoot(call, root), fromRoot(call, root));
    private static final Beginning SCATTER_PARTS = (call, collective, root, counts, op) ->
    {
        final boolean isRoot = isRoot(call.comm.communicator, root);
        final Elements sent = sentAtRoot(call, root);
        call.comm.communicator.scatterV(collective, root, sent, isRoot ? call.from.counts : null,
            isRoot ? call.from.displacements : null, fromRoot(call, root));
    };
    private static final Beginning ALL_GATHER = (call, collective, root, counts, op) ->
        call.comm.communicator.allGather(collective, call.sentOrInPlace(), call.received());
    private static final Beginning ALL_GATHER_PARTS = (call, collective, root, counts, op) -> call.comm.communicator
        .allGatherV(collective, call.sentOrInPlace(), call.received(), call.to.counts, call.to.displacements);
    private static final Beginning ALL_TO_ALL = (call, collective, root, counts, op) ->
        call.comm.communicator.allToAll(collective, call.sent(), call.received());
    private static final Beginning ALL_TO_ALL_PARTS = (call, collective, root, counts, op) -> call.comm.communicator
        .allToAllV(collective, call.sent(), call.from.counts, call.from.displacements, call.received(),
        call.to.counts, call.to.displacements);
    private static final Beginning NEIGHBORS =
        (call, collective, root, counts, op) -> neighbors(call, collective, false);
    private static final Beginning NEIGHBORS_PARTS =
        (call, collective, root, counts, op) -> neighbors(call, collective, true);
    private static final Beginning REDUCE = (call, collective, root, counts, op) -> call.comm.communicator
        .reduce(collective, root, toRoot(call, root), receivedAtRoot(call, root), reduction(call, op));
    private static final Beginning ALL_REDUCE = (call, collective, root, counts, op) -> call.comm.communicator
        .allReduce(collective, call.sentOrInPlace(), call.received(), reduction(call, op));
    private static final Beginning REDUCE_SCATTER = (call, collective, root, counts, op) -> call.comm.communicator
        .reduceScatter(collective, call.sentOrInPlace(), call.received(), counts, reduction(call, op));
    private static final Beginning SCAN = (call, collective, root, counts, op) -> call.comm.communicator
        .scan(collective, call.sentOrInPlace(), call.received(), reduction(call, op));
    private static final Beginning EXCLUSIVE_SCAN = (call, collective, root, counts, op) -> call.comm.communicator
        .exclusiveScan(collective, call.sentOrInPlace(), call.received(), reduction(call, op));

    /** Begins an operation with the elements of a call. They are constants: an object for each call is garbage. */
    @FunctionalInterface
    private interface Beginning
    {
        void begin(Call call, Collective collective, int root, int[] counts, Op op);
    }

    private Collectives()
    {
        // Static methods only.
    }

    /** Begins an operation; all of them say here what is wrong with their elements. */
    private static Request begin(
        final Call call, final Beginning beginning, final int root, final int[] counts, final Op op)
    {
        final Collective collective = call.collective();
        try
        {
            beginning.begin(call, collective, root, counts, op);
        }
        catch (final ArithmeticException | IllegalArgumentException | IllegalStateException |
            IndexOutOfBoundsException ex)
        {
            throw refused(call, ex);
        }
        return call.end(collective);
    }

    static Request barrier(final Call call)
    {
        call.comm.communicating(call.name);
        return begin(call, BARRIER, NO_ROOT, null, null);
    }

    static Request broadcast(final Call call, final int root)
    {
        call.comm.communicating(call.name);
        final int from = root(call, root);
        if (hasObjects(call))
        {
            ObjectCollectives.broadcast(call, root);
            return null;
        }
        return begin(call, BROADCAST, from, null, null);
    }

    static Request gather(final Call call, final int root, final boolean hasParts)
    {
        call.comm.communicating(call.name);
        final int at = root(call, root);
        if (hasObjects(call))
        {
            ObjectCollectives.gather(call, root);
            return null;
        }
        return begin(call, hasParts ? GATHER_PARTS : GATHER, at, null, null);
    }

    static Request scatter(final Call call, final int root, final boolean hasParts)
    {
        call.comm.communicating(call.name);
        final int from = root(call, root);
        if (hasObjects(call))
        {
            ObjectCollectives.scatter(call, root);
            return null;
        }
        return begin(call, hasParts ? SCATTER_PARTS : SCATTER, from, null, null);
    }

    static Request allGather(final Call call, final boolean hasParts)
    {
        call.comm.communicating(call.name);
        if (hasObjects(call))
        {
            ObjectCollectives.allGather(call);
            return null;
        }
        return begin(call, hasParts ? ALL_GATHER_PARTS : ALL_GATHER, NO_ROOT, null, null);
    }

    static Request allToAll(final Call call, final boolean hasParts)
    {
        call.comm.communicating(call.name);
        if (hasObjects(call))
        {
            ObjectCollectives.allToAll(call);
            return null;
        }
        return begin(call, hasParts ? ALL_TO_ALL_PARTS : ALL_TO_ALL, NO_ROOT, null, null);
    }

    static Request allToAllTypes(
        final Call call, final Object source, final int[] sourceCounts, final int[] sourcePlaces,
        final Datatype[] sourceTypes, final Object target, final int[] targetCounts, final int[] targetPlaces,
        final Datatype... targetTypes)
    {
        final Communicator communicator = call.comm.communicating(call.name);
        return begin(call, (of, collective, root, counts, op) ->
        {
            call.from.set(source, 0, 0, null);              // Keeps the buffers.
            call.to.set(target, 0, 0, null);
            communicator.allToAllW(collective, elements(call, false, source, sourceCounts, sourcePlaces, sourceTypes),
                elements(call, true, target, targetCounts, targetPlaces, targetTypes));
        }, NO_ROOT, null, null);
    }

    private static Elements[] elements(
        final Call call, final boolean isWritten, final Object buf, final int[] counts, final int[] places,
        final Datatype... types)
    {
        final Elements[] elements = new Elements[call.comm.communicator.targets().size()];
        requireLength(call, "counts", counts, elements.length);
        requireLength(call, "displacements", places, elements.length);
        requireLength(call, "datatypes", types, elements.length);
        for (int i = 0; i < elements.length; i++)
        {
            requireNoObjects(call, types[i]);
            final int length = types[i] == null ? 1 : types[i].layout().basic().elementLength();
            final Place place = places[i] % length == 0 ?
                new Place(isWritten).set(buf, places[i] / length, counts[i], types[i]) :
                new Place(isWritten).set(buf, places[i], counts[i], types[i].inBytes());
            call.check(place);
            elements[i] = place.elements();
        }
        return elements;
    }

    /** Sends each neighbour the same, or its part. */
    static Request neighbors(final Call call, final boolean hasParts)
    {
        call.comm.communicating(call.name);
        return begin(call, hasParts ? NEIGHBORS_PARTS : NEIGHBORS, NO_ROOT, null, null);
    }

    private static void neighbors(final Call call, final Collective collective, final boolean hasParts)
    {
        requireNoObjects(call, call.from.type);
        requireNoObjects(call, call.to.type);
        final int[] sources = call.comm.neighborSources(call.name);
        final int[] destinations = call.comm.neighborDestinations(call.name);
        final Elements[] received = new Elements[sources.length];
        final Elements[] sent = new Elements[destinations.length];
        call.check(call.from, hasParts ? sent.length : 1);
        call.check(call.to, received.length);
        for (int i = 0; i < received.length; i++)
        {
            received[i] = call.to.part(call.to.start(i), call.to.count(i)).elements();
        }
        for (int i = 0; i < sent.length; i++)
        {
            sent[i] = call.from.part(
                hasParts ? call.from.start(i) : call.from.offset, call.from.count(i)).elements();
        }
        call.comm.communicator.neighborAllToAllW(
            collective, orNobody(sources), received, orNobody(destinations), sent);
    }

    private static int[] orNobody(final int... ranks)
    {
        return IntStream.of(ranks).map(rank -> rank == MPI.PROC_NULL ? -1 : rank).toArray();
    }

    static Request reduce(final Call call, final Op op, final int root)
    {
        requireOp(call, op);
        call.comm.communicating(call.name);
        final int at = root(call, root);
        if (hasObjects(call))
        {
            ObjectCollectives.reduce(call, op, root);
            return null;
        }
        return begin(call, REDUCE, at, null, op);
    }

    static Request allReduce(final Call call, final Op op)
    {
        requireOp(call, op);
        call.comm.communicating(call.name);
        if (hasObjects(call))
        {
            ObjectCollectives.allReduce(call, op);
            return null;
        }
        return begin(call, ALL_REDUCE, NO_ROOT, null, op);
    }

    static Request reduceScatterBlock(final Call call, final int count, final Op op)
    {
        final int[] counts = new int[call.comm.open(call.name).size()];
        Arrays.fill(counts, count);
        return reduceScatter(call, counts, op);
    }

    static Request reduceScatter(final Call call, final int[] counts, final Op op)
    {
        final Communicator communicator = call.comm.communicating(call.name);
        requireOp(call, op);
        requireLength(call, "counts", counts, communicator.size());
        final long total = IntStream.of(counts).limit(communicator.size()).asLongStream().sum();
        if (total != (int)total)
        {
            throw refused(call, new ArithmeticException());
        }
        final int sum = (int)total;
        final boolean isInPlace = !call.from.isThere;
        call.from.count = sum;
        call.to.count = isInPlace ? sum : counts[communicator.rank()];
        if (hasObjects(call))
        {
            ObjectCollectives.reduceScatter(call, counts, op);
            return null;
        }
        return begin(call, REDUCE_SCATTER, NO_ROOT, counts, op);
    }

    static Request scan(final Call call, final Op op, final boolean isInclusive)
    {
        requireOp(call, op);
        call.comm.communicating(call.name);
        if (hasObjects(call))
        {
            ObjectCollectives.scan(call, op, isInclusive);
            return null;
        }
        return begin(call, isInclusive ? SCAN : EXCLUSIVE_SCAN, NO_ROOT, null, op);
    }

    static void reduceLocal(final Call call, final Op op)
    {
        requireOp(call, op);
        call.comm.open(call.name);
        final Reduction reduction = reduction(call, op);
        call.check(call.to);
        final byte[] source = call.copy();
        final byte[] target = call.to.packed();
        if (target.length > 0)
        {
            reduction.reduce(new UnsafeBuffer(source), 0, new UnsafeBuffer(target), 0,
                target.length / reduction.elementLength());
            call.to.unpack(source, 0);
        }
    }

    /** {@return least rank of a process of this host} */
    static int firstOfHost(final Call call)
    {
        final byte[] host = MPI.Get_processor_name().getBytes(StandardCharsets.UTF_8);
        final byte[][] mine = new byte[call.comm.communicating(call.name).size()][];
        Arrays.fill(mine, host);
        final byte[][] theirs = exchange(call, mine);
        int first = 0;
        while (!Arrays.equals(theirs[first], host))
        {
            first++;
        }
        return first;
    }

    /** {@return ranks in a communicator of processes whose ranks in the job are given} */
    static int[] within(final Communicator all, final int... ranks)
    {
        final int[] inAll = all.ranks();
        return IntStream.of(ranks).map(rank -> IntStream.range(0, inAll.length).filter(i -> inAll[i] == rank)
            .findFirst().orElseThrow(() -> new MPIException(MPI.ERR_GROUP, "rank=" + rank +
            " in the job, of the group, is none of the communicator"))).toArray();
    }

    /** Unites processes, which alone call, two and two: so they need no others. */
    static Communicator unite(final Communicator all, final Communicator self, final int tag, final int... ranks)
    {
        final int[] members = within(all, ranks);
        final int own = IntStream.range(0, members.length).filter(i -> members[i] == all.rank()).findFirst().orElse(-1);
        if (own < 0)
        {
            return null;
        }
        Communicator united = self.duplicate();
        for (int length = 1; length < members.length; length *= 2)
        {
            final int part = own / length;
            final boolean isHigh = part % 2 == 1;
            final int other = (isHigh ? part - 1 : part + 1) * length;
            if (other < members.length)
            {
                united = united(all, united, members[other], isHigh, tag);
            }
        }
        united.revokedWith(null);
        return united;
    }

    /** Unites two halves; communicators that are made for it are revoked with that of all, and where this fails. */
    private static Communicator united(
        final Communicator all, final Communicator half, final int other, final boolean isHigh, final int tag)
    {
        Communicator between = null;
        try
        {
            between = Communicator.connect(half, 0, half.rank() == 0 ? all : null, other, tag);
            between.revokedWith(all);
            final Communicator both = between.merge(isHigh);
            both.revokedWith(all);
            between.close();
            half.close();
            return both;
        }
        catch (final OperationException ex)
        {
            for (final Communicator made : between == null ? List.of(half) : List.of(between, half))
            {
                made.revoke();
                made.close();
            }
            throw ex;
        }
    }

    /** Sends bytes to each process; returns those that each has sent: lengths go first. */
    static byte[][] exchange(final Call call, final byte[][] toEach)
    {
        final Communicator communicator = call.comm.communicator;
        final int size = toEach.length;
        final int[] sentLengths = new int[size];
        final int[] lengths = new int[size];
        Arrays.setAll(sentLengths, i -> toEach[i].length);
        final Collective collective = call.collective();
        communicator.allToAll(collective, new Elements().set(sentLengths, 0, 1, Layout.INTS),
            new Elements().set(lengths, 0, 1, Layout.INTS));
        call.await(collective);
        final int[] sentStarts = starts(call, sentLengths);
        final int[] starts = starts(call, lengths);
        final byte[] sent = new byte[sentStarts[size]];
        final byte[] received = new byte[starts[size]];
        for (int i = 0; i < size; i++)
        {
            System.arraycopy(toEach[i], 0, sent, sentStarts[i], sentLengths[i]);
        }
        communicator.allToAllV(collective, new Elements().set(sent, 0, 0, Layout.BYTES), sentLengths, sentStarts,
            new Elements().set(received, 0, 0, Layout.BYTES), lengths, starts);
        call.await(collective);
        final byte[][] fromEach = new byte[size][];
        Arrays.setAll(fromEach, i -> Arrays.copyOfRange(received, starts[i], starts[i + 1]));
        return fromEach;
    }

    private static int[] starts(final Call call, final int... lengths)
    {
        final int[] starts = new int[lengths.length + 1];
        for (int i = 0; i < lengths.length; i++)
        {
            starts[i + 1] = starts[i] + lengths[i];
            if (starts[i + 1] < 0)
            {
                throw refused(call, new ArithmeticException());
            }
        }
        return starts;
    }

    /** Tests for objects, which only calls that wait can have. */
    private static boolean hasObjects(final Call call)
    {
        if (call.isObject() && !call.isAwaited)
        {
            throw call.comm.failure(call.name, MPI.ERR_TYPE, "objects are for calls that wait");
        }
        return call.isObject();
    }

    private static void requireNoObjects(final Call call, final Datatype type)
    {
        if (type != null && type.isObject())
        {
            throw call.comm.failure(call.name, MPI.ERR_TYPE, "objects are not for this call");
        }
    }

    /** Tests for the root; its number is the same for MPI and for the engine, and nobody's is neither. */
    static boolean isRoot(final Communicator communicator, final int root)
    {
        return communicator.isIntercommunicator() ? root == MPI.ROOT : root == communicator.rank();
    }

    private static int root(final Call call, final int root)
    {
        final Communicator communicator = call.comm.communicator;
        if (communicator.isIntercommunicator() && (root == MPI.ROOT || root == MPI.PROC_NULL))
        {
            return root == MPI.ROOT ? Communicator.ROOT : Communicator.NOBODY;
        }
        final int size = communicator.targets().size();
        if (root < 0 || root >= size)
        {
            throw call.comm.failure(call.name, MPI.ERR_ROOT, "root=" + root + " is outside 0 to " + (size - 1));
        }
        return root;
    }

    private static void requireOp(final Call call, final Op op)
    {
        if (op == null)
        {
            throw call.comm.failure(call.name, MPI.ERR_OP, "the operation is null");
        }
    }

    private static void requireLength(final Call call, final String what, final Object array, final int processCount)
    {
        final int length = array == null ? 0 : Array.getLength(array);
        if (length < processCount)
        {
            throw call.comm.failure(call.name, MPI.ERR_ARG, array == null ? what + " are null" :
                what + "=" + length + " are fewer than processes=" + processCount);
        }
    }

    /** Makes the exception of a call whose elements no operation can take. */
    private static MPIException refused(final Call call, final RuntimeException ex)
    {
        return ex instanceof ArithmeticException ? call.comm.failure(call.name, MPI.ERR_COUNT, "the elements of this " +
            "process, or those of all processes at one, are longer than 2 GiB") :
            call.comm.failure(call.name, ex instanceof IndexOutOfBoundsException ? MPI.ERR_BUFFER :
            ex instanceof IllegalStateException ? MPI.ERR_COMM : MPI.ERR_TRUNCATE, ex.getMessage());
    }

    /** The elements that go to the root: those of the only argument of a call elsewhere than at the root. */
    private static Elements toRoot(final Call call, final int root)
    {
        return root < 0 || (isRoot(call.comm.communicator, root) && !call.from.isThere) ? null :
            !call.from.isThere ? call.received() : call.sent();
    }

    private static Elements fromRoot(final Call call, final int root)
    {
        return root < 0 || (isRoot(call.comm.communicator, root) && !call.to.isThere) ? null :
            !call.to.isThere ? call.sent() : call.received();
    }

    private static Elements sentAtRoot(final Call call, final int root)
    {
        return isRoot(call.comm.communicator, root) ? call.sent() : null;
    }

    private static Elements receivedAtRoot(final Call call, final int root)
    {
        return isRoot(call.comm.communicator, root) ? call.received() : null;
    }

    private static Reduction reduction(final Call call, final Op op)
    {
        final Datatype type = call.to.type == null ? call.from.type : call.to.type;
        if (type == null)
        {
            throw call.comm.failure(call.name, MPI.ERR_TYPE, "there is no datatype");
        }
        try
        {
            return op.reduction(type);
        }
        catch (final MPIException ex)
        {
            throw call.comm.failure(call.name, ex);
        }
    }
}
