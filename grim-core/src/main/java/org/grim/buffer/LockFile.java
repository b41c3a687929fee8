// SPDX-License-Identifier: Apache-2.0
package org.grim.buffer;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * A file whose bytes processes lock: the kernel lets go of them when the process ends, however it ends.
 * <p>POSIX locks of a process go when it closes <em>any</em> descriptor of the file. So a channel is closed only while
 * nothing in this JVM holds a byte of the file, and is kept otherwise ({@link KeptChannels}), also for other copies of
 * this library in other class loaders (decision 61). A byte that any of them holds is not free. If a stranger in this
 * process closes the file, {@link #restore()} takes again what is lost.
 * <p>Thread: any. All copies of the library in this JVM take turns.
 */
public final class LockFile implements AutoCloseable
{
    /** Monitor of the whole JVM: equal strings of all class loaders are one object when interned. */
    private static final Object JVM_MONITOR = "org.grim.buffer.LockFile".intern();

    private final FileIdentity identity;
    private final FileChannel channel;
    private final ProcessLocks processLocks;
    private final List<Held> held = new ArrayList<>();
    private boolean isClosed;

    /** A byte that this process has taken. */
    private static final class Held
    {
        final int position;
        FileLock lock;                                          // null while another process has it
        boolean isWatched;

        Held(final int position)
        {
            this.position = position;
        }

        void release() throws IOException
        {
            if (lock != null && lock.isValid())                 // It is not if an interrupt has closed the channel.
            {
                lock.release();
            }
        }
    }

    private LockFile(final FileIdentity identity, final ProcessLocks processLocks, final FileChannel channel)
    {
        this.identity = identity;
        this.processLocks = processLocks;
        this.channel = channel;
    }

    /**
     * Opens a file. It need not be under its name any more when this returns: see {@link #isNamed()}.
     *
     * @param path   of the file.
     * @param isMade whether it is made if it is missing, with mode 0600; otherwise that is an error.
     * @return the file; nothing is locked.
     * @throws IOException            if the system refuses.
     * @throws org.grim.GrimException if it is not a file of this user alone.
     */
    public static LockFile open(final Path path, final boolean isMade) throws IOException
    {
        synchronized (JVM_MONITOR)
        {
            while (true)
            {
                OwnFiles.requireFileOrNothing(path);
                final FileIdentity identity = FileIdentity.of(path);    // First: the same afterwards is the same file.
                if (identity.key() == null)
                {
                    make(path, isMade);
                    continue;
                }
                final LockFile file =
                    new LockFile(identity, new ProcessLocks(identity), openChannel(identity));
                if (identity.isNamed())
                {
                    return file;
                }
                file.close();
            }
        }
    }

    /** {@return whether the name still leads to this file} */
    public boolean isNamed()
    {
        return identity.isNamed();
    }

    /** {@return the file's identity, different from a later one of its name} */
    public FileIdentity identity()
    {
        return identity;
    }

    /** {@return the open file, to read and write; not to be closed} */
    public FileChannel channel()
    {
        return channel;
    }

    /**
     * Takes a byte for this process. Returns false if it is not free (it is held elsewhere, if only to look) or this is
     * closed.
     */
    public boolean tryLock(final int position) throws IOException
    {
        synchronized (JVM_MONITOR)
        {
            final Held byteHeld = new Held(position);
            held.add(byteHeld);                                 // First: adding may find no memory.
            try
            {
                byteHeld.lock = take(position);
            }
            finally
            {
                if (byteHeld.lock == null)
                {
                    held.remove(byteHeld);
                }
            }
            return byteHeld.lock != null;
        }
    }

    /** Lets go of a byte, if this holds it. */
    public void unlock(final int position) throws IOException
    {
        synchronized (JVM_MONITOR)
        {
            for (int i = held.size() - 1; i >= 0; i--)
            {
                if (held.get(i).position == position)
                {
                    held.remove(i).release();
                }
            }
        }
    }

    /**
     * Runs something while this process holds a byte, if that is free.
     *
     * @param position of the byte.
     * @param action   short; says whether it did something.
     * @return what it says; false, and nothing was run, if the byte is not free.
     * @throws IOException if the system refuses.
     */
    public boolean runIfFree(final int position, final BooleanSupplier action) throws IOException
    {
        synchronized (JVM_MONITOR)
        {
            final FileLock lock = take(position);
            if (lock == null)
            {
                return false;
            }
            try
            {
                return action.getAsBoolean();
            }
            finally
            {
                lock.release();
            }
        }
    }

    /** Has {@link #restore()} watch a byte that this holds, if the system shows who holds it: only Linux does. */
    public void watch(final int position) throws IOException
    {
        synchronized (JVM_MONITOR)
        {
            for (final Held byteHeld : held)
            {
                byteHeld.isWatched |= byteHeld.position == position && processLocks.holds(position);
            }
        }
    }

    /**
     * Asks the system whether this process still holds the bytes that are watched, and takes again those that it does
     * not: something in this process has opened the file and closed it. A byte that another process holds at this
     * moment is left for the next call. Allocates nothing unless a byte was lost. Returns the count of bytes that are
     * taken again.
     */
    public int restore() throws IOException
    {
        synchronized (JVM_MONITOR)
        {
            int restoredCount = 0;
            for (int i = 0; i < held.size(); i++)
            {
                final Held byteHeld = held.get(i);
                if (byteHeld.isWatched && !processLocks.holds(byteHeld.position))
                {
                    byteHeld.release();                         // The JDK takes it for held.
                    byteHeld.lock = take(byteHeld.position);
                    restoredCount += byteHeld.lock != null ? 1 : 0;
                }
            }
            return restoredCount;
        }
    }

    @Override
    public void close() throws IOException
    {
        synchronized (JVM_MONITOR)
        {
            if (isClosed)
            {
                return;
            }
            isClosed = true;
            processLocks.close();
            for (final Held byteHeld : held)
            {
                byteHeld.release();
            }
            held.clear();
            if (!channel.isOpen())
            {
                return;
            }
            if (isLockedInThisJvm())
            {
                KeptChannels.keep(identity, channel);
            }
            else
            {
                KeptChannels.close(identity);
                channel.close();
            }
        }
    }

    private static void make(final Path path, final boolean isMade) throws IOException
    {
        if (!isMade)
        {
            throw new NoSuchFileException(path.toString());
        }
        // Nothing in this JVM can have locked it between these two calls: to close it takes away nothing.
        FileChannel.open(path, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
            OwnFiles.fileMode()).close();
        OwnFiles.setFileMode(path);
    }

    private static FileChannel openChannel(final FileIdentity identity) throws IOException
    {
        final FileChannel kept = KeptChannels.take(identity);
        return kept != null && kept.isOpen() ? kept : FileChannel.open(identity.path(),
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
    }

    private FileLock take(final int position) throws IOException
    {
        try
        {
            return isClosed ? null : channel.tryLock(position, 1, false);
        }
        catch (final OverlappingFileLockException ex)
        {
            return null;                // Held in this JVM, by whichever copy of the library.
        }
    }

    /** The JDK knows the locks of all class loaders. A lock of another process is none of this one's. */
    private boolean isLockedInThisJvm() throws IOException
    {
        try
        {
            final FileLock all = channel.tryLock(0, Long.MAX_VALUE, true);
            if (all != null)
            {
                all.release();
            }
            return false;
        }
        catch (final OverlappingFileLockException ex)
        {
            return true;
        }
    }
}
