// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.io.IOException;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;

/**
 * A file that processes read and write together. Offsets count elementary types of the {@link FileView}. The pointer
 * that all share is memory of the first process (a {@link Win}). Non-blocking calls have done their work when they
 * return.
 * <p>Thread: any, one at a time.
 */
public final class File
{
    private static final int ACCESS = MPI.MODE_RDONLY | MPI.MODE_WRONLY | MPI.MODE_RDWR;
    private static final String OPEN = "open";
    private static final int PART_LENGTH_MAX = 1 << 20;     // Beyond it the JDK's copies take much memory.
    /** Locks are of a JVM: its threads must not ask for one at a time. */
    private static final Object ATOMIC = new Object();

    private final Intracomm comm;               // Of the file alone.
    private final Path path;
    private final int mode;
    private final FileChannel channel;
    private final LongBuffer pointer = MPI.newLongBuffer(1);    // That is shared; the first process's counts.
    private final Win pointers;
    private FileView view = new FileView(0, MPI.BYTE, MPI.BYTE, "native");
    private Info info;
    private long position;                      // This process's pointer.
    private boolean isAtomic;
    private String begunName;                   // Of a call in two halves; null if none is begun.
    private Status begun;

    // Open MPI

    /**
     * Opens a file; all members of the communicator call this.
     *
     * @param comm     members.
     * @param filename path.
     * @param amode    {@code MPI.MODE_...}, added up.
     */
    public File(final Comm comm, final String filename, final int amode) throws MPIException
    {
        this(comm, filename, amode, MPI.INFO_NULL);
    }

    /**
     * Opens a file; all members of the communicator call this.
     *
     * @param comm     members.
     * @param filename path.
     * @param amode    {@code MPI.MODE_...}, added up.
     * @param info     hints.
     */
    public File(final Comm comm, final String filename, final int amode, final Info info) throws MPIException
    {
        Comm.required(OPEN, comm);
        path = path(OPEN, filename);
        if (info == null)
        {
            throw new MPIException(MPI.ERR_INFO, OPEN + ": the hints are null");
        }
        this.comm = new Intracomm(comm.part(OPEN));
        this.comm.setErrhandler(MPI.ERRORS_RETURN);
        this.info = info.isNull() ? new Info() : info.clone();
        mode = amode;
        channel = open();
        pointers = new Win(pointer, 1, 1, MPI.INFO_NULL, this.comm);
        pointers.lockAll(0);
        if ((mode & MPI.MODE_APPEND) != 0)
        {
            position = getSize();
            setPointer(OPEN, position);
        }
    }

    /** Closes the file; all members call this. A member that is gone, or a revocation, is an error; it is closed. */
    public void close() throws MPIException
    {
        check("close");
        try
        {
            pointers.end("close");
        }
        finally
        {
            closeAlone();
        }
    }

    private void closeAlone()
    {
        try
        {
            channel.close();
            barrier("close");
            if ((mode & MPI.MODE_DELETE_ON_CLOSE) != 0 && comm.getRank() == 0)
            {
                Files.deleteIfExists(path);
            }
        }
        catch (final IOException ex)
        {
            throw failure("close", ex);
        }
        finally
        {
            comm.free();
        }
    }

    /**
     * Deletes a file.
     *
     * @param filename path.
     */
    public static void delete(final String filename) throws MPIException
    {
        delete(filename, MPI.INFO_NULL);
    }

    /**
     * Deletes a file.
     *
     * @param filename path.
     * @param info     hints.
     */
    public static void delete(final String filename, final Info info) throws MPIException
    {
        MPI.COMM_WORLD.open("delete");
        try
        {
            Files.delete(path("delete", filename));
        }
        catch (final IOException ex)
        {
            throw new MPIException(errorClass(ex), "delete: " + ex);
        }
    }

    /**
     * Sets the file's length; all members call this.
     *
     * @param size bytes.
     */
    public void setSize(final long size) throws MPIException
    {
        resize("setSize", size, false);
    }

    /**
     * Makes room on the medium; all members call this.
     *
     * @param size bytes that the file has at least.
     */
    public void preallocate(final long size) throws MPIException
    {
        resize("preallocate", size, true);
    }

    /** {@return the file's length, in bytes} */
    public long getSize() throws MPIException
    {
        check("getSize");
        try
        {
            return channel.size();
        }
        catch (final IOException ex)
        {
            throw failure("getSize", ex);
        }
    }

    /** {@return members} */
    public Group getGroup() throws MPIException
    {
        check("getGroup");
        return comm.getGroup();
    }

    /** {@return mode that it was opened with} */
    public int getAMode() throws MPIException
    {
        check("getAMode");
        return mode;
    }

    /**
     * Sets hints.
     *
     * @param newInfo hints.
     */
    public void setInfo(final Info newInfo) throws MPIException
    {
        check("setInfo");
        info = Topology.checked(
            comm, "setInfo", () -> MPIException.required(newInfo, MPI.ERR_INFO, "the hints")).clone();
    }

    /** {@return hints} */
    public Info getInfo() throws MPIException
    {
        check("getInfo");
        return info.clone();
    }

    /**
     * Sets what this process sees of the file, and all pointers to its begin; all members call this.
     *
     * @param disp     where it begins, in bytes; {@code MPI.DISPLACEMENT_CURRENT} for that of the shared pointer.
     * @param etype    elementary type.
     * @param filetype places of elementary types.
     * @param datarep  {@code native} or {@code internal}, which is the same.
     */
    public void setView(final long disp, final Datatype etype, final Datatype filetype, final String datarep)
        throws MPIException
    {
        check("setView");
        if ((disp == MPI.DISPLACEMENT_CURRENT) != ((mode & MPI.MODE_SEQUENTIAL) != 0))
        {
            throw comm.failure("setView", MPI.ERR_ARG,
                "DISPLACEMENT_CURRENT is for files of MODE_SEQUENTIAL, and they need it");
        }
        final FileView newView = new FileView(disp != MPI.DISPLACEMENT_CURRENT ? disp :
            view.byteOffset(getPositionShared()), etype, filetype, datarep);
        Topology.checked(comm, "setView", () ->
        {
            newView.check();
            return newView;
        });
        view = newView;
        position = 0;
        setPointer("setView", 0);
    }

    /**
     * Sets what this process sees of the file, and all pointers to its begin; all members call this.
     *
     * @param disp     where it begins, in bytes.
     * @param etype    elementary type.
     * @param filetype places of elementary types.
     * @param datarep  {@code native} or {@code internal}, which is the same.
     * @param newInfo  hints.
     */
    public void setView(
        final long disp, final Datatype etype, final Datatype filetype, final String datarep, final Info newInfo)
        throws MPIException
    {
        setView(disp, etype, filetype, datarep);
        info = newInfo.isNull() ? info : newInfo.clone();
    }

    /** {@return what this process sees of the file} */
    public FileView getView()
    {
        return view;
    }

    /**
     * Moves this process's pointer.
     *
     * @param offset from there, in elementary types.
     * @param whence {@code MPI.SEEK_SET}, {@code SEEK_CUR} or {@code SEEK_END}.
     */
    public void seek(final long offset, final int whence) throws MPIException
    {
        checkPointer("seek");
        position = target("seek", position, offset, whence);
    }

    /** {@return this process's pointer, in elementary types} */
    public long getPosition() throws MPIException
    {
        checkPointer("getPosition");
        return position;
    }

    /**
     * Returns where an offset is in the file.
     *
     * @param offset in elementary types.
     * @return the place, in bytes.
     */
    public long getByteOffset(final long offset) throws MPIException
    {
        checkOffset("getByteOffset", offset);
        return view.byteOffset(offset);
    }

    /**
     * Moves the shared pointer; all members call this.
     *
     * @param offset from there, in elementary types.
     * @param whence {@code MPI.SEEK_SET}, {@code SEEK_CUR} or {@code SEEK_END}.
     */
    public void seekShared(final long offset, final int whence) throws MPIException
    {
        check("seekShared");
        barrier("seekShared");
        setPointer("seekShared", target("seekShared", getPositionShared(), offset, whence));
    }

    /** {@return the shared pointer, in elementary types} */
    public long getPositionShared() throws MPIException
    {
        check("getPositionShared");
        return advance(0);
    }

    /**
     * Returns the distance of elements in the file.
     *
     * @param type of elements.
     * @return extent, in basic elements.
     */
    public int getTypeExtent(final Datatype type) throws MPIException
    {
        check("getTypeExtent");
        return Topology.checked(comm, "getTypeExtent", () -> Datatype.required(type)).getExtent();
    }

    /**
     * Sets whether each access happens at once, also where others overlap it; all members call this.
     *
     * @param atomicity whether.
     */
    public void setAtomicity(final boolean atomicity) throws MPIException
    {
        check("setAtomicity");
        barrier("setAtomicity");
        isAtomic = atomicity;
    }

    /** {@return whether each access happens at once} */
    public boolean getAtomicity() throws MPIException
    {
        check("getAtomicity");
        return isAtomic;
    }

    /** Brings what was written to the medium; all members call this. */
    public void sync() throws MPIException
    {
        check("sync");
        try
        {
            channel.force(true);
        }
        catch (final IOException ex)
        {
            throw failure("sync", ex);
        }
        barrier("sync");
    }

    /**
     * Sets the error handler, at first {@code MPI.ERRORS_RETURN}.
     *
     * @param errhandler handler.
     */
    public void setErrhandler(final Errhandler errhandler) throws MPIException
    {
        comm.setErrhandler(errhandler);
    }

    /** {@return the error handler} */
    public Errhandler getErrhandler() throws MPIException
    {
        return comm.getErrhandler();
    }

    /**
     * Calls the error handler.
     *
     * @param errorCode the error.
     */
    public void callErrhandler(final int errorCode) throws MPIException
    {
        comm.callErrhandler(errorCode);
    }

    /**
     * Reads elements at an offset.
     *
     * @param offset in elementary types.
     * @param buf    elements.
     * @param count  how many.
     * @param type   of each.
     * @return its status.
     */
    public Status readAt(final long offset, final Object buf, final int count, final Datatype type) throws MPIException
    {
        return at(call("readAt").to(buf, 0, count, type), false, offset);
    }

    /**
     * Reads elements at an offset.
     *
     * @param offset in elementary types.
     * @param buf    elements.
     * @param count  how many.
     * @param type   of each.
     * @return its request.
     */
    public Request iReadAt(final long offset, final Buffer buf, final int count, final Datatype type)
        throws MPIException
    {
        final Call call = call("iReadAt").to(buf, 0, count, type);
        return call.ended(at(call, false, offset));
    }

    /**
     * Writes elements at an offset.
     *
     * @param offset in elementary types.
     * @param buf    elements.
     * @param count  how many.
     * @param type   of each.
     * @return its status.
     */
    public Status writeAt(final long offset, final Object buf, final int count, final Datatype type) throws MPIException
    {
        return at(call("writeAt").from(buf, 0, count, type), true, offset);
    }

    /**
     * Writes elements at an offset.
     *
     * @param offset in elementary types.
     * @param buf    elements.
     * @param count  how many.
     * @param type   of each.
     * @return its request.
     */
    public Request iWriteAt(final long offset, final Buffer buf, final int count, final Datatype type)
        throws MPIException
    {
        final Call call = call("iWriteAt").from(buf, 0, count, type);
        return call.ended(at(call, true, offset));
    }

    /**
     * Reads elements at an offset; all members call this.
     *
     * @param offset in elementary types.
     * @param buf    elements.
     * @param count  how many.
     * @param type   of each.
     * @return its status.
     */
    public Status readAtAll(final long offset, final Object buf, final int count, final Datatype type)
        throws MPIException
    {
        return at(call("readAtAll").to(buf, 0, count, type), false, offset);
    }

    /**
     * Reads elements at an offset; all members call this.
     *
     * @param offset in elementary types.
     * @param buf    elements.
     * @param count  how many.
     * @param type   of each.
     * @return its request.
     */
    public Request iReadAtAll(final long offset, final Buffer buf, final int count, final Datatype type)
        throws MPIException
    {
        final Call call = call("iReadAtAll").to(buf, 0, count, type);
        return call.ended(at(call, false, offset));
    }

    /**
     * Reads elements at an offset; all members call this.
     * The second half is readAtAllEnd.
     *
     * @param offset in elementary types.
     * @param buf    elements.
     * @param count  how many.
     * @param type   of each.
     */
    public void readAtAllBegin(final long offset, final Object buf, final int count, final Datatype type)
        throws MPIException
    {
        checkBegin("readAtAll");
        begun = at(call("readAtAllBegin").to(buf, 0, count, type), false, offset);
        begunName = "readAtAll";
    }

    /**
     * Ends readAtAllBegin; all members call this.
     *
     * @param buf its elements.
     * @return its status.
     */
    public Status readAtAllEnd(final Object buf) throws MPIException
    {
        return end("readAtAll");
    }

    /**
     * Writes elements at an offset; all members call this.
     *
     * @param offset in elementary types.
     * @param buf    elements.
     * @param count  how many.
     * @param type   of each.
     * @return its status.
     */
    public Status writeAtAll(final long offset, final Object buf, final int count, final Datatype type)
        throws MPIException
    {
        return at(call("writeAtAll").from(buf, 0, count, type), true, offset);
    }

    /**
     * Writes elements at an offset; all members call this.
     *
     * @param offset in elementary types.
     * @param buf    elements.
     * @param count  how many.
     * @param type   of each.
     * @return its request.
     */
    public Request iWriteAtAll(final long offset, final Buffer buf, final int count, final Datatype type)
        throws MPIException
    {
        final Call call = call("iWriteAtAll").from(buf, 0, count, type);
        return call.ended(at(call, true, offset));
    }

    /**
     * Writes elements at an offset; all members call this.
     * The second half is writeAtAllEnd.
     *
     * @param offset in elementary types.
     * @param buf    elements.
     * @param count  how many.
     * @param type   of each.
     */
    public void writeAtAllBegin(final long offset, final Object buf, final int count, final Datatype type)
        throws MPIException
    {
        checkBegin("writeAtAll");
        begun = at(call("writeAtAllBegin").from(buf, 0, count, type), true, offset);
        begunName = "writeAtAll";
    }

    /**
     * Ends writeAtAllBegin; all members call this.
     *
     * @param buf its elements.
     * @return its status.
     */
    public Status writeAtAllEnd(final Object buf) throws MPIException
    {
        return end("writeAtAll");
    }

    /**
     * Reads elements at this process's pointer.
     *
     * @param buf    elements.
     * @param count  how many.
     * @param type   of each.
     * @return its status.
     */
    public Status read(final Object buf, final int count, final Datatype type) throws MPIException
    {
        return own(call("read").to(buf, 0, count, type), false);
    }

    /**
     * Reads elements at this process's pointer.
     *
     * @param buf    elements.
     * @param count  how many.
     * @param type   of each.
     * @return its request.
     */
    public Request iRead(final Buffer buf, final int count, final Datatype type) throws MPIException
    {
        final Call call = call("iRead").to(buf, 0, count, type);
        return call.ended(own(call, false));
    }

    /**
     * Writes elements at this process's pointer.
     *
     * @param buf    elements.
     * @param count  how many.
     * @param type   of each.
     * @return its status.
     */
    public Status write(final Object buf, final int count, final Datatype type) throws MPIException
    {
        return own(call("write").from(buf, 0, count, type), true);
    }

    /**
     * Writes elements at this process's pointer.
     *
     * @param buf    elements.
     * @param count  how many.
     * @param type   of each.
     * @return its request.
     */
    public Request iWrite(final Buffer buf, final int count, final Datatype type) throws MPIException
    {
        final Call call = call("iWrite").from(buf, 0, count, type);
        return call.ended(own(call, true));
    }

    /**
     * Reads elements at this process's pointer; all members call this.
     *
     * @param buf    elements.
     * @param count  how many.
     * @param type   of each.
     * @return its status.
     */
    public Status readAll(final Object buf, final int count, final Datatype type) throws MPIException
    {
        return own(call("readAll").to(buf, 0, count, type), false);
    }

    /**
     * Reads elements at this process's pointer; all members call this.
     *
     * @param buf    elements.
     * @param count  how many.
     * @param type   of each.
     * @return its request.
     */
    public Request iReadAll(final Buffer buf, final int count, final Datatype type) throws MPIException
    {
        final Call call = call("iReadAll").to(buf, 0, count, type);
        return call.ended(own(call, false));
    }

    /**
     * Reads elements at this process's pointer; all members call this.
     * The second half is readAllEnd.
     *
     * @param buf    elements.
     * @param count  how many.
     * @param type   of each.
     */
    public void readAllBegin(final Object buf, final int count, final Datatype type) throws MPIException
    {
        checkBegin("readAll");
        begun = own(call("readAllBegin").to(buf, 0, count, type), false);
        begunName = "readAll";
    }

    /**
     * Ends readAllBegin; all members call this.
     *
     * @param buf its elements.
     * @return its status.
     */
    public Status readAllEnd(final Object buf) throws MPIException
    {
        return end("readAll");
    }

    /**
     * Writes elements at this process's pointer; all members call this.
     *
     * @param buf    elements.
     * @param count  how many.
     * @param type   of each.
     * @return its status.
     */
    public Status writeAll(final Object buf, final int count, final Datatype type) throws MPIException
    {
        return own(call("writeAll").from(buf, 0, count, type), true);
    }

    /**
     * Writes elements at this process's pointer; all members call this.
     *
     * @param buf    elements.
     * @param count  how many.
     * @param type   of each.
     * @return its request.
     */
    public Request iWriteAll(final Buffer buf, final int count, final Datatype type) throws MPIException
    {
        final Call call = call("iWriteAll").from(buf, 0, count, type);
        return call.ended(own(call, true));
    }

    /**
     * Writes elements at this process's pointer; all members call this.
     * The second half is writeAllEnd.
     *
     * @param buf    elements.
     * @param count  how many.
     * @param type   of each.
     */
    public void writeAllBegin(final Object buf, final int count, final Datatype type) throws MPIException
    {
        checkBegin("writeAll");
        begun = own(call("writeAllBegin").from(buf, 0, count, type), true);
        begunName = "writeAll";
    }

    /**
     * Ends writeAllBegin; all members call this.
     *
     * @param buf its elements.
     * @return its status.
     */
    public Status writeAllEnd(final Object buf) throws MPIException
    {
        return end("writeAll");
    }

    /**
     * Reads elements at the shared pointer.
     *
     * @param buf    elements.
     * @param count  how many.
     * @param type   of each.
     * @return its status.
     */
    public Status readShared(final Object buf, final int count, final Datatype type) throws MPIException
    {
        return shared(call("readShared").to(buf, 0, count, type), false);
    }

    /**
     * Reads elements at the shared pointer.
     *
     * @param buf    elements.
     * @param count  how many.
     * @param type   of each.
     * @return its request.
     */
    public Request iReadShared(final Buffer buf, final int count, final Datatype type) throws MPIException
    {
        final Call call = call("iReadShared").to(buf, 0, count, type);
        return call.ended(shared(call, false));
    }

    /**
     * Writes elements at the shared pointer.
     *
     * @param buf    elements.
     * @param count  how many.
     * @param type   of each.
     * @return its status.
     */
    public Status writeShared(final Object buf, final int count, final Datatype type) throws MPIException
    {
        return shared(call("writeShared").from(buf, 0, count, type), true);
    }

    /**
     * Writes elements at the shared pointer.
     *
     * @param buf    elements.
     * @param count  how many.
     * @param type   of each.
     * @return its request.
     */
    public Request iWriteShared(final Buffer buf, final int count, final Datatype type) throws MPIException
    {
        final Call call = call("iWriteShared").from(buf, 0, count, type);
        return call.ended(shared(call, true));
    }

    /**
     * Reads elements at the shared pointer, in the order of ranks; all members call this.
     *
     * @param buf    elements.
     * @param count  how many.
     * @param type   of each.
     * @return its status.
     */
    public Status readOrdered(final Object buf, final int count, final Datatype type) throws MPIException
    {
        return ordered(call("readOrdered").to(buf, 0, count, type), false);
    }

    /**
     * Reads elements at the shared pointer, in the order of ranks; all members call this.
     * The second half is readOrderedEnd.
     *
     * @param buf    elements.
     * @param count  how many.
     * @param type   of each.
     */
    public void readOrderedBegin(final Object buf, final int count, final Datatype type) throws MPIException
    {
        checkBegin("readOrdered");
        begun = ordered(call("readOrderedBegin").to(buf, 0, count, type), false);
        begunName = "readOrdered";
    }

    /**
     * Ends readOrderedBegin; all members call this.
     *
     * @param buf its elements.
     * @return its status.
     */
    public Status readOrderedEnd(final Object buf) throws MPIException
    {
        return end("readOrdered");
    }

    /**
     * Writes elements at the shared pointer, in the order of ranks; all members call this.
     *
     * @param buf    elements.
     * @param count  how many.
     * @param type   of each.
     * @return its status.
     */
    public Status writeOrdered(final Object buf, final int count, final Datatype type) throws MPIException
    {
        return ordered(call("writeOrdered").from(buf, 0, count, type), true);
    }

    /**
     * Writes elements at the shared pointer, in the order of ranks; all members call this.
     * The second half is writeOrderedEnd.
     *
     * @param buf    elements.
     * @param count  how many.
     * @param type   of each.
     */
    public void writeOrderedBegin(final Object buf, final int count, final Datatype type) throws MPIException
    {
        checkBegin("writeOrdered");
        begun = ordered(call("writeOrderedBegin").from(buf, 0, count, type), true);
        begunName = "writeOrdered";
    }

    /**
     * Ends writeOrderedBegin; all members call this.
     *
     * @param buf its elements.
     * @return its status.
     */
    public Status writeOrderedEnd(final Object buf) throws MPIException
    {
        return end("writeOrdered");
    }

    // The fault-tolerance proposal

    /** Ends calls of all members in this file, also those to come; all but close. */
    public void revoke() throws MPIException
    {
        check("revoke");
        comm.revoke();
    }

    // The library

    /** Makes a call: the thread's is that of the messages within it. */
    private Call call(final String name)
    {
        return Call.begun(comm, name);
    }

    private static Path path(final String name, final String filename)
    {
        if (filename == null)
        {
            throw new MPIException(MPI.ERR_ARG, name + ": the file's name is null");
        }
        try
        {
            return Path.of(filename);
        }
        catch (final InvalidPathException ex)
        {
            throw new MPIException(MPI.ERR_BAD_FILE, name + ": " + ex.getMessage());
        }
    }

    /** The first process opens the file, and makes it; then the others do. */
    private FileChannel open()
    {
        final int[] same = {mode};
        comm.bcast(same, 1, MPI.INT, 0);
        final int access = mode & ACCESS;
        final boolean isMade = (mode & (MPI.MODE_CREATE | MPI.MODE_EXCL)) != 0;
        final boolean isWrong = Integer.bitCount(access) != 1 || (access == MPI.MODE_RDONLY && isMade) ||
            (access == MPI.MODE_RDWR && (mode & MPI.MODE_SEQUENTIAL) != 0);
        final int[] error = {same[0] != mode ? MPI.ERR_NOT_SAME : isWrong ? MPI.ERR_AMODE : MPI.SUCCESS};
        FileChannel opened = null;
        for (int turn = 0; turn < 2; turn++)
        {
            if (error[0] == MPI.SUCCESS && (comm.getRank() == 0) == (turn == 0))
            {
                try
                {
                    opened = open(turn == 0);
                }
                catch (final IOException ex)
                {
                    error[0] = errorClass(ex);
                }
            }
            comm.allReduce(error, 1, MPI.INT, MPI.MAX);
        }
        if (error[0] != MPI.SUCCESS)
        {
            final MPIException failure = comm.failure(OPEN, error[0], path + " mode=" + mode +
                ": the file cannot be opened by all, or not in this mode");
            closeQuietly(opened, failure);
            comm.free();
            throw failure;
        }
        return opened;
    }

    private static void closeQuietly(final FileChannel opened, final MPIException failure)
    {
        try
        {
            if (opened != null)
            {
                opened.close();
            }
        }
        catch (final IOException ex)
        {
            failure.addSuppressed(ex);
        }
    }

    private FileChannel open(final boolean isFirst) throws IOException
    {
        if (Files.isDirectory(path))
        {
            throw new BadFileException(path + " is a directory");
        }
        final Set<OpenOption> options = new HashSet<>();
        if ((mode & MPI.MODE_WRONLY) == 0)
        {
            options.add(StandardOpenOption.READ);
        }
        if ((mode & MPI.MODE_RDONLY) == 0)
        {
            options.add(StandardOpenOption.WRITE);
        }
        if ((mode & MPI.MODE_CREATE) != 0)
        {
            options.add(isFirst && (mode & MPI.MODE_EXCL) != 0 ? StandardOpenOption.CREATE_NEW :
                StandardOpenOption.CREATE);
        }
        return FileChannel.open(path, options);
    }

    private static int errorClass(final IOException ex)
    {
        final String text = String.valueOf(ex.getMessage());
        return ex instanceof NoSuchFileException ? MPI.ERR_NO_SUCH_FILE :
            ex instanceof FileAlreadyExistsException ? MPI.ERR_FILE_EXISTS :
            ex instanceof AccessDeniedException ? MPI.ERR_ACCESS :
            ex instanceof BadFileException ? MPI.ERR_BAD_FILE :
            text.contains("Read-only file system") ? MPI.ERR_READ_ONLY :
            text.contains("No space left") ? MPI.ERR_NO_SPACE :
            text.contains("quota") ? MPI.ERR_QUOTA : MPI.ERR_IO;
    }

    private MPIException failure(final String name, final IOException ex)
    {
        return comm.failure(name, errorClass(ex), ex.toString());
    }

    private void check(final String name)
    {
        if (comm.isNull())
        {
            throw comm.failure(name, MPI.ERR_FILE, "the file is closed");
        }
        comm.open(name);
    }

    /** Checks that this process may have a pointer of its own. */
    private void checkPointer(final String name)
    {
        check(name);
        if ((mode & MPI.MODE_SEQUENTIAL) != 0)
        {
            throw comm.failure(name, MPI.ERR_UNSUPPORTED_OPERATION,
                "a file of MODE_SEQUENTIAL has the shared pointer only");
        }
    }

    private void checkOffset(final String name, final long offset)
    {
        checkPointer(name);
        if (offset < 0)
        {
            throw comm.failure(name, MPI.ERR_ARG, "offset=" + offset + " is negative");
        }
    }

    private long target(final String name, final long from, final long offset, final int whence)
    {
        if (whence != MPI.SEEK_SET && whence != MPI.SEEK_CUR && whence != MPI.SEEK_END)
        {
            throw comm.failure(name, MPI.ERR_ARG, "whence=" + whence + " is none of SEEK_SET, SEEK_CUR, SEEK_END");
        }
        final long target = offset +
            (whence == MPI.SEEK_SET ? 0 : whence == MPI.SEEK_CUR ? from : view.before(getSize()));
        if (target < 0)
        {
            throw comm.failure(name, MPI.ERR_ARG, "offset=" + offset + " leads before the begin");
        }
        return target;
    }

    private void resize(final String name, final long size, final boolean isAtLeast)
    {
        check(name);
        if (size < 0)
        {
            throw comm.failure(name, MPI.ERR_ARG, "size=" + size + " is negative");
        }
        final int[] error = {MPI.SUCCESS};
        barrier(name);
        if (comm.getRank() == 0)
        {
            try
            {
                resize(size, isAtLeast);
            }
            catch (final IOException ex)
            {
                error[0] = errorClass(ex);
            }
        }
        comm.bcast(error, 1, MPI.INT, 0);
        if (error[0] != MPI.SUCCESS)
        {
            throw comm.failure(name, error[0], "the file cannot have size=" + size);
        }
    }

    private void resize(final long size, final boolean isAtLeast) throws IOException
    {
        if (size < channel.size() && !isAtLeast)
        {
            channel.truncate(size);
        }
        for (long at = channel.size(); at < size; at = channel.size())
        {
            // One byte is enough for the length; room on the medium needs all.
            final int length = isAtLeast ? (int)Math.min(PART_LENGTH_MAX, size - at) : 1;
            channel.write(ByteBuffer.allocate(length), isAtLeast ? at : size - 1);
        }
    }

    /** Adds to the shared pointer; returns what it was. */
    private long advance(final long count)
    {
        final LongBuffer found = MPI.newLongBuffer(1);
        pointers.fetchAndOp(MPI.newLongBuffer(1).put(0, count), found, MPI.LONG, 0, 0, MPI.SUM);
        pointers.flush(0);
        return found.get(0);
    }

    /** Sets the shared pointer; all members call this. */
    private void setPointer(final String name, final long target)
    {
        barrier(name);
        pointer.put(0, target);
        barrier(name);
    }

    private void barrier(final String name)
    {
        Collectives.barrier(Call.awaited(comm, name));
    }

    private void checkBegin(final String name)
    {
        check(name);
        if (begunName != null)
        {
            throw comm.failure(name, MPI.ERR_IO, begunName + " was begun, and has not ended");
        }
    }

    private Status end(final String name)
    {
        check(name);
        if (!name.equals(begunName))
        {
            throw comm.failure(name, MPI.ERR_IO, "it was not begun");
        }
        begunName = null;
        return begun;
    }

    private Status at(final Call call, final boolean isWrite, final long offset)
    {
        checkOffset(call.name, offset);
        return transfer(call, isWrite, offset);
    }

    private Status own(final Call call, final boolean isWrite)
    {
        checkPointer(call.name);
        final Status status = transfer(call, isWrite, position);
        position += view.count(status.Get_count(MPI.BYTE));
        return status;
    }

    private Status shared(final Call call, final boolean isWrite)
    {
        check(call.name);
        return transfer(call, isWrite, advance(count(call, isWrite)));
    }

    private Status ordered(final Call call, final boolean isWrite)
    {
        check(call.name);
        final long count = count(call, isWrite);
        final long[] sum = {count};
        Collectives.scan(Call.awaited(comm, call.name).to(sum, 0, 1, MPI.LONG), MPI.SUM, true);
        final int last = comm.getSize() - 1;
        final long[] start = {comm.getRank() == last ? advance(sum[0]) : 0};
        Collectives.broadcast(Call.awaited(comm, call.name).to(start, 0, 1, MPI.LONG), last);
        return transfer(call, isWrite, start[0] + sum[0] - count);
    }

    /** Elementary types that a call's elements are. */
    private long count(final Call call, final boolean isWrite)
    {
        final Place place = isWrite ? call.from : call.to;
        return view.count(checked(call, place) ? place.type.layout().packedLength() * place.count : 0);
    }

    /** Checks elements; returns true. */
    private boolean checked(final Call call, final Place place)
    {
        call.check(place);
        if (place.isObject())
        {
            throw comm.failure(call.name, MPI.ERR_TYPE, "a file has no elements of type OBJECT");
        }
        return true;
    }

    private Status transfer(final Call call, final boolean isWrite, final long element)
    {
        final Place place = isWrite ? call.from : call.to;
        checked(call, place);
        if ((mode & (isWrite ? MPI.MODE_RDONLY : MPI.MODE_WRONLY)) != 0)
        {
            throw comm.failure(call.name, isWrite ? MPI.ERR_READ_ONLY : MPI.ERR_ACCESS,
                "the file is not open for that");
        }
        final int length = Topology.checked(comm, call.name, () -> Place.packedLength(place.type, place.count));
        if (!view.hasPlace(element, length))
        {
            throw comm.failure(call.name, MPI.ERR_ARG, "offset=" + element + " with length=" + length +
                " bytes is behind the last place that a file can have");
        }
        final Status status = new Status();
        final byte[] bytes = isWrite ? call.copy() : new byte[length];
        try
        {
            status.setElements(MPI.BYTE,
                isAtomic ? atomic(bytes, isWrite, element) : transfer(bytes, isWrite, element));
        }
        catch (final IOException ex)
        {
            throw failure(call.name, ex);
        }
        if (!isWrite)
        {
            place.unpackFirst(bytes, status.Get_count(MPI.BYTE));
        }
        return status;
    }

    private int atomic(final byte[] bytes, final boolean isWrite, final long element) throws IOException
    {
        synchronized (ATOMIC)
        {
            final FileLock lock = channel.lock(0, Long.MAX_VALUE, !isWrite);
            try
            {
                return transfer(bytes, isWrite, element);
            }
            finally
            {
                lock.release();
            }
        }
    }

    /** Returns how many bytes there were. */
    private int transfer(final byte[] bytes, final boolean isWrite, final long element) throws IOException
    {
        final int[] done = {0};
        view.forEach(element, bytes.length, (place, start, length) ->
        {
            int next = 0;
            int last = 0;
            while (next < length && last >= 0)
            {
                final ByteBuffer part = ByteBuffer.wrap(bytes, start + next, Math.min(PART_LENGTH_MAX, length - next));
                last = isWrite ? channel.write(part, place + next) : channel.read(part, place + next);
                next += Math.max(0, last);
            }
            done[0] += next;
            return next == length;
        });
        return done[0];
    }

    /** A file of a kind that cannot be opened. */
    private static final class BadFileException extends IOException
    {
        private static final long serialVersionUID = 1;

        BadFileException(final String text)
        {
            super(text);
        }
    }
}
