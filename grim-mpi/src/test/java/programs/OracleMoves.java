// SPDX-License-Identifier: Apache-2.0
package programs;

import java.nio.Buffer;
import java.util.Arrays;
import java.util.stream.IntStream;

import mpi.Comm;
import mpi.Datatype;
import mpi.Intracomm;

/** Collective calls of {@link OracleProgram} that move elements. */
final class OracleMoves
{
    private final OracleProgram program;
    private final Comm comm;
    private final int peers;
    private final int rank;                     // Of the root, in all.
    private final int root;
    private final boolean isRoot;
    private final boolean isInPlace;
    private Oracle.Memory a;
    private Oracle.Memory b;
    private Datatype sent;
    private Datatype received;
    private int sentCount;
    private int count;
    private int[] sentCounts;
    private int[] counts;
    private int[] sentAt;
    private int[] at;

    OracleMoves(final OracleProgram program)
    {
        this.program = program;
        comm = program.comm;
        peers = program.peers;
        rank = program.number();
        root = program.rootOf(rank);
        isRoot = program.me == rank;
        isInPlace = program.number() == 1;
    }

    void run(final String name)
    {
        if (name.endsWith("v") || name.endsWith("w"))
        {
            preparePlaces(name);
        }
        else
        {
            prepare(name);
        }
        if (program.dialect == 0)
        {
            callArrays(name, (Intracomm)comm);
        }
        else if (program.isNonblocking)
        {
            begin(name, isInPlace ? "inPlace" : "", (Buffer)a.at, (Buffer)b.at);
        }
        else
        {
            call(name);
        }
        program.end(a);
        program.end(b);
    }

    private void prepare(final String name)
    {
        sentCount = program.number();
        count = program.number();
        final Oracle.Type from = program.type();
        final Oracle.Type to = program.type();
        sent = from.datatype();
        received = to.datatype();
        a = program.buffer(from, (long)sentCount * (name.equals("alltoall") || name.equals("scatter") ? peers : 1), 0);
        b = program.buffer(to, (long)count * (name.equals("scatter") || name.equals("bcast") ? 1 : peers), 1);
    }

    private void preparePlaces(final String name)
    {
        final int base = program.number();
        final int mod = program.number();
        final int gap = program.number();
        final boolean isReversed = program.number() == 1;
        final Oracle.Type type = program.type();
        final Oracle.Type other = program.type();
        final int me = program.me;
        final boolean isAll = name.startsWith("allto");
        count = (base + 3 * me) % mod;
        sentCount = count;
        sentCounts = IntStream.range(0, peers)
            .map(j -> (base + 3 * (isAll ? me : program.peer(j)) + (isAll ? 5 * program.peer(j) : 0)) % mod).toArray();
        counts = isAll ? IntStream.range(0, peers).map(j -> (base + 3 * program.peer(j) + 5 * me) % mod).toArray() :
            sentCounts;
        sentAt = new int[peers];
        at = new int[peers];
        final int sum = places(counts, at, gap, isReversed);
        final int sentSum = places(sentCounts, sentAt, gap, false);
        sent = type.datatype();
        received = sent;
        a = program.buffer(type, name.equals("scatterv") ? sum : isAll ? sentSum : count, 0);
        b = program.buffer(type, name.equals("scatterv") ? count : sum, 1);
        if (name.endsWith("w"))
        {
            received = other.datatype();
            sentAt = IntStream.of(sentAt).map(place -> place * type.extent()).toArray();
            at = IntStream.of(at).map(place -> place * type.extent()).toArray();
        }
    }

    /** Sets places of parts one behind the other, with gaps; returns the elements of all. */
    private static int places(final int[] counts, final int[] at, final int gap, final boolean isReversed)
    {
        int next = 0;
        for (int k = 0; k < at.length; k++)
        {
            final int j = isReversed ? at.length - 1 - k : k;
            at[j] = next;
            next += counts[j] + gap;
        }
        return next;
    }

    private Datatype[] types()
    {
        final Datatype[] types = new Datatype[peers];
        Arrays.setAll(types, j -> (program.me + program.peer(j)) % 2 == 1 ? received : sent);
        return types;
    }

    private void callArrays(final String name, final Intracomm intra)
    {
        final Object x = a.at;
        final Object y = b.at;
        final int xs = a.offset;
        final int ys = b.offset;
        switch (name)
        {
            case "bcast" -> intra.Bcast(isRoot ? x : y, isRoot ? xs : ys, isRoot ? sentCount : count,
                isRoot ? sent : received, root);
            case "gather" -> intra.Gather(x, xs, sentCount, sent, y, ys, count, received, root);
            case "scatter" -> intra.Scatter(x, xs, sentCount, sent, y, ys, count, received, root);
            case "allgather" -> intra.Allgather(x, xs, sentCount, sent, y, ys, count, received);
            case "alltoall" -> intra.Alltoall(x, xs, sentCount, sent, y, ys, count, received);
            case "gatherv" -> intra.Gatherv(x, xs, count, sent, y, ys, counts, at, received, root);
            case "scatterv" -> intra.Scatterv(x, xs, counts, at, sent, y, ys, count, received, root);
            case "allgatherv" -> intra.Allgatherv(x, xs, count, sent, y, ys, counts, at, received);
            case "alltoallv" -> intra.Alltoallv(x, xs, sentCounts, sentAt, sent, y, ys, counts, at, received);
            default -> throw new IllegalStateException(name);
        }
    }

    private void call(final String name)
    {
        final Object x = a.at;
        final Object y = b.at;
        switch (name + (isInPlace ? "inPlace" : ""))
        {
            case "bcast" -> comm.bcast(isRoot ? x : y, isRoot ? sentCount : count, isRoot ? sent : received, root);
            case "gather" -> comm.gather(x, sentCount, sent, y, count, received, root);
            case "gatherinPlace" ->
                comm.gather(isRoot ? y : x, isRoot ? count : sentCount, isRoot ? received : sent, root);
            case "scatter" -> comm.scatter(x, sentCount, sent, y, count, received, root);
            case "scatterinPlace" ->
                comm.scatter(isRoot ? x : y, isRoot ? sentCount : count, isRoot ? sent : received, root);
            case "allgather" -> comm.allGather(x, sentCount, sent, y, count, received);
            case "allgatherinPlace" -> comm.allGather(y, count, received);
            case "alltoall" -> comm.allToAll(x, sentCount, sent, y, count, received);
            case "gatherv" -> comm.gatherv(x, count, sent, y, counts, at, received, root);
            case "gathervinPlace" -> gatherInPlace(x, y);
            case "scatterv" -> comm.scatterv(x, counts, at, sent, y, count, received, root);
            case "scattervinPlace" -> scatterInPlace(x, y);
            case "allgatherv" -> comm.allGatherv(x, count, sent, y, counts, at, received);
            case "allgathervinPlace" -> comm.allGatherv(y, counts, at, received);
            case "alltoallv" -> comm.allToAllv(x, sentCounts, sentAt, sent, y, counts, at, received);
            case "alltoallw" -> comm.allToAllw(x, sentCounts, sentAt, types(), y, counts, at, types());
            default -> throw new IllegalStateException(name);
        }
    }

    private void gatherInPlace(final Object x, final Object y)
    {
        if (isRoot)
        {
            comm.gatherv(y, counts, at, received, root);
        }
        else
        {
            comm.gatherv(x, count, sent, root);
        }
    }

    private void scatterInPlace(final Object x, final Object y)
    {
        if (isRoot)
        {
            comm.scatterv(x, counts, at, sent, root);
        }
        else
        {
            comm.scatterv(y, count, received, root);
        }
    }

    private void begin(final String name, final String inPlace, final Buffer x, final Buffer y)
    {
        program.await(switch (name + inPlace)
        {
            case "bcast" -> comm.iBcast(isRoot ? x : y, isRoot ? sentCount : count, isRoot ? sent : received, root);
            case "gather" -> comm.iGather(x, sentCount, sent, y, count, received, root);
            case "gatherinPlace" ->
                comm.iGather(isRoot ? y : x, isRoot ? count : sentCount, isRoot ? received : sent, root);
            case "scatter" -> comm.iScatter(x, sentCount, sent, y, count, received, root);
            case "scatterinPlace" ->
                comm.iScatter(isRoot ? x : y, isRoot ? sentCount : count, isRoot ? sent : received, root);
            case "allgather" -> comm.iAllGather(x, sentCount, sent, y, count, received);
            case "allgatherinPlace" -> comm.iAllGather(y, count, received);
            case "alltoall" -> comm.iAllToAll(x, sentCount, sent, y, count, received);
            case "gatherv" -> comm.iGatherv(x, count, sent, y, counts, at, received, root);
            case "gathervinPlace" ->
                isRoot ? comm.iGatherv(y, counts, at, received, root) : comm.iGatherv(x, count, sent, root);
            case "scatterv" -> comm.iScatterv(x, counts, at, sent, y, count, received, root);
            case "scattervinPlace" ->
                isRoot ? comm.iScatterv(x, counts, at, sent, root) : comm.iScatterv(y, count, received, root);
            case "allgatherv" -> comm.iAllGatherv(x, count, sent, y, counts, at, received);
            case "allgathervinPlace" -> comm.iAllGatherv(y, counts, at, received);
            case "alltoallv" -> comm.iAllToAllv(x, sentCounts, sentAt, sent, y, counts, at, received);
            case "alltoallw" -> comm.iAllToAllw(x, sentCounts, sentAt, types(), y, counts, at, types());
            default -> throw new IllegalStateException(name);
        });
    }
}
