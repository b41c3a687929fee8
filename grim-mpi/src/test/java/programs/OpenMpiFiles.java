// SPDX-License-Identifier: Apache-2.0
package programs;

import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.stream.IntStream;

import mpi.Datatype;
import mpi.File;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.Status;

/** Files that any number of processes read and write together. */
public final class OpenMpiFiles
{
    private static final int COUNT = 50;
    private static final int ROUND_COUNT = 20;
    private static final int ALL = MPI.MODE_CREATE | MPI.MODE_RDWR;

    private final Intracomm world = MPI.COMM_WORLD;
    private final int rank = world.getRank();
    private final int size = world.getSize();
    /** Shared by all hosts. */
    private final String path =
        System.getProperty("files.directory", System.getProperty("grim.cluster.directory")) + "/data";

    private OpenMpiFiles()
    {
    }

    public static void main(final String[] args)
    {
        MPI.Init(args);
        final OpenMpiFiles files = new OpenMpiFiles();
        files.offsets();
        files.views();
        files.sharedPointer();
        files.ordered();
        files.atomic();
        files.lengths();
        files.refuse();
        files.revocations(false);
        files.revocations(true);
        MPI.Finalize();
    }

    private int[] values(final int first)
    {
        return IntStream.range(first, first + COUNT).toArray();
    }

    private void offsets()
    {
        final File file = new File(world, path, ALL | MPI.MODE_EXCL | MPI.MODE_DELETE_ON_CLOSE);
        Check.same(0L, file.getSize());
        world.barrier();                // Before anyone writes.
        final Status written = file.writeAtAll((long)Integer.BYTES * COUNT * rank, values(1000 * rank), COUNT, MPI.INT);
        Check.same(COUNT, written.getCount(MPI.INT));
        file.sync();
        final int other = (rank + 1) % size;
        final int[] found = new int[COUNT + 1];
        final Status status = file.readAt((long)Integer.BYTES * COUNT * (size - 1), found, COUNT + 1, MPI.INT);
        Check.same(COUNT, status.getCount(MPI.INT));
        Check.same(values(1000 * (size - 1)), Arrays.copyOf(found, COUNT));
        Check.same(0, found[COUNT]);

        final IntBuffer buffer = MPI.newIntBuffer(COUNT);
        final Request request = file.iReadAt((long)Integer.BYTES * COUNT * other, buffer, COUNT, MPI.INT);
        Check.same(COUNT, request.waitStatus().getCount(MPI.INT));
        Check.same(1000 * other + 7, buffer.get(7));

        file.seek((long)Integer.BYTES * COUNT * other, MPI.SEEK_SET);
        file.readAllBegin(buffer, 2, MPI.INT);
        Check.same(2, file.readAllEnd(buffer).getCount(MPI.INT));
        file.read(found, 1, MPI.INT);
        Check.same(1000 * other + 2, found[0]);
        Check.same(Integer.BYTES * ((long)COUNT * other + 3), file.getPosition());
        file.seek(-4, MPI.SEEK_END);
        file.read(found, 1, MPI.INT);
        Check.same(1000 * (size - 1) + COUNT - 1, found[0]);
        file.close();
        Check.same(MPI.ERR_FILE, errorClass(() -> file.getSize()));
        world.barrier();
        Check.same(MPI.ERR_NO_SUCH_FILE, errorClass(() -> new File(world, path, MPI.MODE_RDONLY)));
    }

    /** Each process sees every size-th pair of numbers behind a head of 8 bytes. */
    private void views()
    {
        final File file = new File(world, path, ALL);
        final Datatype pair = Datatype.createContiguous(2, MPI.INT);
        final Datatype mine = Datatype.createResized(pair, 0, 2 * Integer.BYTES * size);
        mine.commit();
        file.setView(8 + 2L * Integer.BYTES * rank, MPI.INT, mine, "native");
        Check.same(mine, file.getView().getFileType());
        file.writeAll(values(100 * rank), COUNT, MPI.INT);
        Check.same((long)COUNT, file.getPosition());
        Check.same(8 + 2L * Integer.BYTES * rank + (2L * size + 1) * Integer.BYTES, file.getByteOffset(3));
        world.barrier();
        Check.same(8 + (long)Integer.BYTES * COUNT * size, file.getSize());
        final Datatype every = Datatype.createVector(COUNT / 2, 1, 2, MPI.INT);
        every.commit();
        final int[] found = new int[COUNT];
        file.seek(1, MPI.SEEK_SET);
        file.read(found, 1, every);
        Check.same(100 * rank + 1, found[0]);
        Check.same(0, found[1]);
        Check.same(100 * rank + 2, found[2]);
        Check.same(100 * rank + COUNT / 2, found[COUNT - 2]);
        file.seek(0, MPI.SEEK_END);
        Check.same((long)COUNT, file.getPosition());

        file.setView(0, MPI.INT, MPI.INT, "native");
        final int[] all = new int[2 + COUNT * size];
        file.readAtAll(0, all, all.length, MPI.INT);
        for (int i = 0; i < COUNT * size; i++)
        {
            final int pairIndex = i / 2;
            Check.same(100 * (pairIndex % size) + pairIndex / size * 2 + i % 2, all[i + 2]);
        }
        file.close();
        remove();
    }

    private void sharedPointer()
    {
        final File file = new File(world, path, ALL);
        file.setView(0, MPI.INT, MPI.INT, "native");
        for (int i = 0; i < ROUND_COUNT; i++)
        {
            file.writeShared(new int[] {rank, i}, 2, MPI.INT);
        }
        world.barrier();
        Check.same(2L * ROUND_COUNT * size, file.getPositionShared());
        file.seekShared(0, MPI.SEEK_SET);
        final int[] all = new int[2 * ROUND_COUNT * size];
        file.readAt(0, all, all.length, MPI.INT);
        final int[] next = new int[size];
        for (int i = 0; i < all.length; i += 2)
        {
            Check.same(next[all[i]]++, all[i + 1]);
        }
        final IntBuffer one = MPI.newIntBuffer(2);
        file.iReadShared(one, 2, MPI.INT).waitFor();
        world.barrier();
        Check.same(2L * size, file.getPositionShared());
        file.close();
        remove();
    }

    private void ordered()
    {
        final File file = new File(world, path, ALL);
        file.setView(0, MPI.INT, MPI.INT, "native");
        for (int round = 0; round < 2; round++)
        {
            final int[] mine = new int[rank + 1];
            Arrays.fill(mine, 10 * round + rank);
            file.writeOrdered(mine, rank + 1, MPI.INT);
        }
        file.seekShared(0, MPI.SEEK_SET);
        final int[] found = new int[rank + 1];
        file.readOrdered(found, rank + 1, MPI.INT);
        Check.same(rank, found[rank]);
        file.readOrderedBegin(found, rank + 1, MPI.INT);
        Check.same(MPI.ERR_IO, errorClass(() -> file.readAllEnd(found)));
        file.readOrderedEnd(found);
        Check.same(10 + rank, found[0]);
        file.close();
        remove();
    }

    /** Processes write the same place again and again: a read never finds parts of two. */
    private void atomic()
    {
        final File file = new File(world, path, ALL);
        file.setAtomicity(true);
        Check.same(true, file.getAtomicity());
        final byte[] mine = new byte[100_000];
        Arrays.fill(mine, (byte)(rank + 1));
        final byte[] found = new byte[mine.length];
        for (int i = 0; i < ROUND_COUNT; i++)
        {
            file.writeAt(3, mine, mine.length, MPI.BYTE);
            file.readAt(3, found, found.length, MPI.BYTE);
            final byte first = found[0];
            Arrays.fill(mine, first);
            Check.same(true, first > 0 && Arrays.equals(mine, found));
            Arrays.fill(mine, (byte)(rank + 1));
        }
        file.close();
        remove();
    }

    private void lengths()
    {
        final File file = new File(world, path, ALL);
        file.preallocate(10_000);
        file.setSize(100);
        Check.same(100L, file.getSize());
        file.setSize(5_000);
        Check.same(5_000L, file.getSize());
        file.close();
        final File end = new File(world, path, MPI.MODE_WRONLY | MPI.MODE_APPEND);
        Check.same(5_000L, end.getPosition());
        Check.same(5_000L, end.getPositionShared());
        end.close();
        remove();
    }

    private void refuse()
    {
        Check.same(MPI.ERR_NO_SUCH_FILE, errorClass(() -> new File(world, path, MPI.MODE_RDWR)));
        Check.same(MPI.ERR_AMODE, errorClass(() -> new File(world, path, MPI.MODE_CREATE)));
        Check.same(MPI.ERR_AMODE, errorClass(() -> new File(world, path, MPI.MODE_RDONLY | MPI.MODE_CREATE)));
        Check.same(MPI.ERR_BAD_FILE, errorClass(() -> new File(world, "/", MPI.MODE_RDONLY)));
        Check.same(MPI.ERR_NO_SUCH_FILE, errorClass(() -> File.delete(path + ".none")));
        final File file = new File(world, path, MPI.MODE_CREATE | MPI.MODE_WRONLY);
        Check.same(MPI.ERRORS_RETURN, file.getErrhandler());
        Check.same(MPI.ERR_FILE_EXISTS, errorClass(() -> new File(world, path, ALL | MPI.MODE_EXCL)));
        Check.same(MPI.ERR_ACCESS, errorClass(() -> file.read(new int[1], 1, MPI.INT)));
        Check.same(MPI.ERR_ARG, errorClass(() -> file.seek(-1, MPI.SEEK_SET)));
        Check.same(MPI.ERR_ARG, errorClass(() -> file.writeAt(-1, new int[1], 1, MPI.INT)));
        Check.same(MPI.ERR_ARG, errorClass(() -> file.writeAt(Long.MAX_VALUE, new int[1], 1, MPI.INT)));
        Check.same(MPI.ERR_ARG, errorClass(() -> file.writeAt(Long.MAX_VALUE - 3, new int[1], 1, MPI.INT)));
        Check.same(MPI.ERR_ARG, errorClass(() -> new File(world, null, ALL)));
        Check.same(MPI.ERR_INFO, errorClass(() -> new File(world, path, ALL, null)));
        Check.same(MPI.ERR_UNSUPPORTED_DATAREP, errorClass(() -> file.setView(0, MPI.INT, MPI.INT, "external32")));
        file.close();
        world.barrier();
        final File reading = new File(world, path, MPI.MODE_RDONLY);
        Check.same(MPI.ERR_READ_ONLY, errorClass(() -> reading.write(new int[1], 1, MPI.INT)));
        reading.close();
        remove();
    }

    /** A process ends what others wait for: in a file, or in all that was made of a communicator. */
    private void revocations(final boolean isOfAll)
    {
        final Intracomm twin = world.dup();
        twin.setErrhandler(MPI.ERRORS_RETURN);
        final File file = new File(twin, path, ALL);
        world.barrier();                // All have opened it. Of another communicator: the twin is revoked.
        if (rank != 0)
        {
            Check.same("sync: a process has revoked the communicator", errorText(file::sync));
        }
        else if (isOfAll)
        {
            twin.revoke();
        }
        else
        {
            file.revoke();
        }
        Check.same(MPI.ERR_REVOKED, errorClass(() -> file.writeShared(new int[1], 1, MPI.INT)));
        Check.same(MPI.ERR_REVOKED, errorClass(() -> file.writeOrdered(new int[1], 1, MPI.INT)));
        Check.same("close: a process has revoked the communicator", errorText(file::close));
        Check.same(MPI.ERR_FILE, errorClass(file::close));
        Check.same(isOfAll, twin.isRevoked());
        twin.free();
        remove();
    }

    private void remove()
    {
        world.barrier();
        if (rank == 0)
        {
            File.delete(path);
        }
        world.barrier();
    }

    private static String errorText(final Runnable call)
    {
        try
        {
            call.run();
            return "";
        }
        catch (final MPIException ex)
        {
            return ex.getMessage();
        }
    }

    private static int errorClass(final Runnable call)
    {
        try
        {
            call.run();
            return MPI.SUCCESS;
        }
        catch (final MPIException ex)
        {
            return ex.getErrorClass();
        }
    }
}
