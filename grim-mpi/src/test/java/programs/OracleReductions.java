// SPDX-License-Identifier: Apache-2.0
package programs;

import java.nio.Buffer;
import java.util.List;
import java.util.stream.IntStream;

import mpi.Comm;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Op;

/** Reductions of {@link OracleProgram}. */
final class OracleReductions
{
    private static final List<String> NAMES = List.of(
        "max", "min", "sum", "prod", "land", "band", "lor", "bor", "lxor", "bxor", "minloc", "maxloc");
    private static final Op[] OPERATIONS = {MPI.MAX, MPI.MIN, MPI.SUM, MPI.PROD, MPI.LAND, MPI.BAND, MPI.LOR, MPI.BOR,
        MPI.LXOR, MPI.BXOR, MPI.MINLOC, MPI.MAXLOC};

    private final OracleProgram program;
    private final Comm comm;
    private final int rank;
    private final int root;
    private final boolean isRoot;
    private final boolean isInPlace;
    private final Op op;
    private final int count;
    private final int mod;
    private int block;
    private int[] counts;
    private Oracle.Memory a;
    private Oracle.Memory b;
    private Datatype type;

    OracleReductions(final OracleProgram program)
    {
        this.program = program;
        comm = program.comm;
        program.isReduction = true;
        rank = program.number();
        root = program.rootOf(rank);
        isRoot = program.me == rank;
        isInPlace = program.number() == 1;
        final String name = program.word();
        program.isSmall = name.equals("sum") || name.equals("prod");
        final int index = NAMES.indexOf(name);
        op = index < 0 ? OracleProgram.composition(program.dialect == 0) : OPERATIONS[index];
        count = program.number();
        mod = program.number();
    }

    void run(final String name)
    {
        final Oracle.Type ofType = program.type();
        type = ofType.datatype();
        final boolean isScatter = name.startsWith("rs");
        final int local = program.isInter() ? program.size - program.peers : program.size;
        block = program.isInter() ? count * program.peers : count;
        counts = IntStream.range(0, local)
            .map(j -> program.isInter() || name.equals("rsb") ? block : (count + 3 * j) % mod).toArray();
        final int sum = IntStream.of(counts).sum();
        final int own = isScatter ? counts[program.rankOf(program.me)] : count;
        a = program.buffer(ofType, isScatter ? sum : count, 0);
        b = program.buffer(ofType, isScatter && isInPlace ? sum : own, 1);
        if (program.dialect == 0)
        {
            callArrays(name, (Intracomm)comm);
        }
        else if (program.isNonblocking)
        {
            begin(name, (Buffer)a.at, (Buffer)b.at);
        }
        else
        {
            call(name, a.at, b.at);
        }
        program.end(a);
        // Not defined: the first process's part of exscan, elements behind a result of reduce-scatter in place.
        program.end(b, name.equals("exscan") && program.me == 0 ? 0 :
            isScatter && isInPlace ? b.lead + own * ofType.extent() : b.length);
    }

    private void callArrays(final String name, final Intracomm intra)
    {
        switch (name)
        {
            case "reduce" -> intra.Reduce(a.at, a.offset, b.at, b.offset, count, type, op, root);
            case "allreduce" -> intra.Allreduce(a.at, a.offset, b.at, b.offset, count, type, op);
            case "scan" -> intra.Scan(a.at, a.offset, b.at, b.offset, count, type, op);
            case "rs" -> intra.Reduce_scatter(a.at, a.offset, b.at, b.offset, counts, type, op);
            default -> throw new IllegalStateException(name);
        }
    }

    private void call(final String name, final Object x, final Object y)
    {
        switch (name + (isInPlace ? "inPlace" : ""))
        {
            case "reduce" -> comm.reduce(x, y, count, type, op, root);
            case "reduceinPlace" -> comm.reduce(isRoot ? y : x, count, type, op, root);
            case "allreduce" -> comm.allReduce(x, y, count, type, op);
            case "allreduceinPlace" -> comm.allReduce(y, count, type, op);
            case "scan" -> ((Intracomm)comm).scan(x, y, count, type, op);
            case "scaninPlace" -> ((Intracomm)comm).scan(y, count, type, op);
            case "exscan" -> ((Intracomm)comm).exScan(x, y, count, type, op);
            case "exscaninPlace" -> ((Intracomm)comm).exScan(y, count, type, op);
            case "rs" -> comm.reduceScatter(x, y, counts, type, op);
            case "rsinPlace" -> comm.reduceScatter(y, counts, type, op);
            case "rsb" -> comm.reduceScatterBlock(x, y, block, type, op);
            case "rsbinPlace" -> comm.reduceScatterBlock(y, block, type, op);
            case "local" -> Comm.reduceLocal(x, y, count, type, op);
            default -> throw new IllegalStateException(name);
        }
    }

    private void begin(final String name, final Buffer x, final Buffer y)
    {
        program.await(switch (name + (isInPlace ? "inPlace" : ""))
        {
            case "reduce" -> comm.iReduce(x, y, count, type, op, root);
            case "reduceinPlace" -> comm.iReduce(isRoot ? y : x, count, type, op, root);
            case "allreduce" -> comm.iAllReduce(x, y, count, type, op);
            case "allreduceinPlace" -> comm.iAllReduce(y, count, type, op);
            case "scan" -> ((Intracomm)comm).iScan(x, y, count, type, op);
            case "scaninPlace" -> ((Intracomm)comm).iScan(y, count, type, op);
            case "exscan" -> ((Intracomm)comm).iExScan(x, y, count, type, op);
            case "exscaninPlace" -> ((Intracomm)comm).iExScan(y, count, type, op);
            case "rs" -> comm.iReduceScatter(x, y, counts, type, op);
            case "rsinPlace" -> comm.iReduceScatter(y, counts, type, op);
            case "rsb" -> comm.iReduceScatterBlock(x, y, block, type, op);
            case "rsbinPlace" -> comm.iReduceScatterBlock(y, block, type, op);
            default -> throw new IllegalStateException(name);
        });
    }
}
