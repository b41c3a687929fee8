// SPDX-License-Identifier: Apache-2.0
package programs;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.StringTokenizer;

import mpi.Comm;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Op;
import mpi.Request;
import mpi.Status;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Executes the cases of a file, as {@code oracle.c} does under Open MPI, and writes for each case of this rank a line:
 * number, bounds of its types, a digest of all its buffers, the first bytes that it received, and a status. Calls are
 * those of mpiJava (dialect 0), of Open MPI with arrays (1), or of Open MPI with direct buffers (2).
 */
public final class OracleProgram
{
    private static final int TAG = 5;
    private static final int BUFFERED_LENGTH = 16 << 20;

    long id;
    boolean isReduction;
    boolean isSmall;                        // Open MPI's sums of short numbers have limits.
    int me;
    int dialect;
    boolean isNonblocking;
    Comm comm;
    Intracomm all;
    int size;
    int peers;
    final StringBuilder bounds = new StringBuilder();
    String status;
    String first;
    OracleDigest digest;
    private boolean isInter;
    private int split;
    private StringTokenizer words;

    private OracleProgram()
    {
    }

    public static void main(final String[] args) throws IOException
    {
        MPI.Init(args);
        MPI.Buffer_attach(ByteBuffer.allocateDirect(BUFFERED_LENGTH));
        try (PrintWriter out = new PrintWriter(
            Files.newBufferedWriter(Path.of(args[1] + "." + MPI.COMM_WORLD.Rank()), UTF_8), true))
        {
            for (final String line : Files.readAllLines(Path.of(args[0]), UTF_8))
            {
                final OracleProgram program = new OracleProgram();
                try
                {
                    program.run(line, out);
                }
                catch (final RuntimeException ex)
                {
                    throw new IllegalStateException("case " + line, ex);
                }
            }
        }
        MPI.Finalize();
    }

    private void run(final String line, final PrintWriter out)
    {
        words = new StringTokenizer(line);
        id = number();
        size = number();
        final String view = words.nextToken();
        dialect = number();
        isNonblocking = number() == 1;
        isInter = view.startsWith("i");
        split = isInter ? Integer.parseInt(view.substring(1)) : 0;
        final int rank = MPI.COMM_WORLD.Rank();
        all = MPI.COMM_WORLD.Split(rank < size ? 0 : MPI.UNDEFINED, view.equals("r") ? -rank : rank);
        if (all == null)
        {
            return;
        }
        me = all.Rank();
        comm = all;
        peers = size;
        if (isInter)
        {
            final Intracomm local = all.split(me < split ? 0 : 1, me);
            comm = all.createIntercomm(local, 0, me < split ? split : 0, TAG);
            peers = me < split ? size - split : split;
            local.free();
        }
        status = "";
        first = "";
        digest = new OracleDigest();
        execute(words.nextToken());
        out.println(id + bounds.toString() + " " + digest + " " + first + " " + status);
        if (isInter)
        {
            comm.free();
        }
        all.free();
    }

    private void execute(final String name)
    {
        switch (name)
        {
            case "p2p" -> pointToPoint();
            case "sr", "srr" -> shift(name.equals("srr"));
            case "pack" -> pack();
            case "barrier" -> barrier();
            case "bcast", "gather", "scatter", "allgather", "alltoall", "gatherv", "scatterv", "allgatherv",
                "alltoallv", "alltoallw" -> new OracleMoves(this).run(name);
            default -> new OracleReductions(this).run(name);
        }
    }

    String word()
    {
        return words.nextToken();
    }

    int number()
    {
        return Integer.parseInt(words.nextToken());
    }

    Oracle.Type type()
    {
        final Oracle.Type type = Oracle.Type.parse(this);
        bounds.append(' ').append(type.lower()).append(':').append(type.extent()).append(':').append(type.trueLower())
            .append(':').append(type.trueExtent()).append(':').append(type.size());
        return type;
    }

    Oracle.Memory buffer(final Oracle.Type type, final long count, final int slot)
    {
        return new Oracle.Memory(this, type, count, me * 20 + slot);
    }

    void end(final Oracle.Memory memory)
    {
        end(memory, memory.length);
    }

    void end(final Oracle.Memory memory, final int length)
    {
        final byte[] bytes = memory.bytes();
        digest.add(bytes, length);
        final StringBuilder text = new StringBuilder();
        for (int i = memory.lead; i < Math.min(memory.lead + 8, length); i++)
        {
            text.append(String.format("%02x", bytes[i]));
        }
        first = text.toString();
    }

    /** Rank, for messages and roots, of the process with a rank in all. */
    int rankOf(final int rank)
    {
        return isInter && rank >= split ? rank - split : rank;
    }

    /** Rank in all of a partner. */
    int peer(final int j)
    {
        return isInter && me < split ? split + j : j;
    }

    boolean isInter()
    {
        return isInter;
    }

    /** The root argument of the process with a rank in all. */
    int rootOf(final int root)
    {
        return isInter && me < split == root < split ? me == root ? MPI.ROOT : MPI.PROC_NULL : rankOf(root);
    }

    void await(final Request request)
    {
        request.waitFor();
    }

    private void barrier()
    {
        if (isNonblocking)
        {
            await(comm.iBarrier());
        }
        else if (dialect == 0)
        {
            ((Intracomm)comm).Barrier();
        }
        else
        {
            comm.barrier();
        }
    }

    private static int orNone(final int count)
    {
        return count == MPI.UNDEFINED ? -1 : count;
    }

    private static String text(final Status status, final Datatype type)
    {
        return status.getSource() + "/" + status.getTag() + "/" + orNone(status.getCount(type)) + "/" +
            orNone(status.getElements(type));
    }

    private void shift(final boolean isReplace)
    {
        final int distance = number();
        final int sentCount = number();
        final int count = number();
        final int to = (me + distance) % size;
        final int from = (me + size - distance) % size;
        final Oracle.Type sent = type();
        final Oracle.Type received = type();
        final Oracle.Memory a = buffer(sent, sentCount, 0);
        final Oracle.Memory b = buffer(received, count, 1);
        final Datatype type = sent.datatype();
        final Datatype target = received.datatype();
        final Status found = dialect == 0 ?
            isReplace ? comm.Sendrecv_replace(a.at, a.offset, sentCount, type, to, TAG, from, TAG) :
            comm.Sendrecv(a.at, a.offset, sentCount, type, to, TAG, b.at, b.offset, count, target, from, TAG) :
            isReplace ? comm.sendRecvReplace(a.at, sentCount, type, to, TAG, from, TAG) :
            comm.sendRecv(a.at, sentCount, type, to, TAG, b.at, count, target, from, TAG);
        status = text(found, target);
        end(isReplace ? b : a);
        end(isReplace ? a : b);
    }

    private void pack()
    {
        final int count = number();
        final Oracle.Type type = type();
        final Oracle.Memory a = buffer(type, count, 0);
        final Oracle.Memory b = buffer(type, count, 1);
        final int length = count * type.size();
        final Oracle.Memory packed = new Oracle.Memory(this, Oracle.Type.bytes(), length, me * 20 + 2);
        final byte[] bytes = new byte[length];
        final int end = dialect == 0 ? comm.Pack(a.at, a.offset, count, type.datatype(), bytes, 0) :
            comm.pack(a.at, count, type.datatype(), bytes, 0);
        status = (dialect == 0 ? comm.Pack_size(count, type.datatype()) : comm.packSize(count, type.datatype())) + "/" +
            end;
        if (dialect == 0)
        {
            comm.Unpack(bytes, 0, b.at, b.offset, count, type.datatype());
        }
        else
        {
            comm.unpack(bytes, 0, b.at, count, type.datatype());
        }
        end(a);
        final byte[] all = packed.bytes();
        System.arraycopy(bytes, 0, all, packed.lead, length);
        digest.add(all, all.length);
        end(b);
    }

    private void pointToPoint()
    {
        final int order = number();
        final int rounds = number();
        final int count = number();
        final Oracle.Type sent = type();
        final Oracle.Type received = type();
        final List<OracleMessage> messages = new ArrayList<>();
        for (int i = 0; i < count; i++)
        {
            messages.add(new OracleMessage(this, i, sent, received));
        }
        for (int round = 0; round < rounds; round++)
        {
            if (order == 0)
            {
                messages.forEach(OracleMessage::beginReceive);
                all.barrier();
            }
            messages.forEach(OracleMessage::beginSend);
            if (order == 1)
            {
                all.barrier();
            }
            if (order != 0)
            {
                messages.forEach(OracleMessage::beginReceive);
            }
            for (final OracleMessage message : messages)
            {
                final Status found = message.finishReceive();
                if (found != null)
                {
                    final String text = text(found, received.datatype());
                    digest.addMessage(message.isWild() ? 1 : message.index + 2, text, message.to.bytes());
                    status = message.isWild() ? status : text;
                }
            }
            messages.forEach(OracleMessage::finishSend);
        }
        messages.stream().filter(message -> message.from != null).forEach(message -> end(message.from));
    }

    /** Maps x to a x + b: associative, and not commutative. */
    static Op composition(final boolean isOfArrays)
    {
        return isOfArrays ? new Op(new ComposedArrays(), false) : new Op(new ComposedBuffers(), false);
    }

    private static int[] composed(final int... numbers)
    {
        return new int[] {numbers[0] * numbers[2], numbers[0] * numbers[3] + numbers[1]};
    }

    /** The function of mpiJava. */
    private static final class ComposedArrays extends mpi.User_function
    {
        @Override
        public void Call(
            final Object in, final int inOffset, final Object inOut, final int inOutOffset, final int count,
            final Datatype type)
        {
            final int[] left = (int[])in;
            final int[] right = (int[])inOut;
            for (int i = 0; i < 2 * count; i += 2)
            {
                final int[] pair = composed(left[inOffset + i], left[inOffset + i + 1], right[inOutOffset + i],
                    right[inOutOffset + i + 1]);
                System.arraycopy(pair, 0, right, inOutOffset + i, 2);
            }
        }
    }

    /** The function of Open MPI. */
    private static final class ComposedBuffers extends mpi.UserFunction
    {
        @Override
        public void call(final ByteBuffer in, final ByteBuffer inOut, final int count, final Datatype type)
        {
            for (int i = 0; i < 8 * count; i += 8)
            {
                final int[] pair = composed(in.getInt(i), in.getInt(i + 4), inOut.getInt(i), inOut.getInt(i + 4));
                inOut.putInt(i, pair[0]).putInt(i + 4, pair[1]);
            }
        }
    }
}
