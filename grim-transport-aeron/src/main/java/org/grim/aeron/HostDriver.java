// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;

import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.agrona.IoUtil;
import org.grim.GrimException;
import org.grim.aeron.driver.CheckedReceiveEndpoint;
import org.grim.aeron.driver.DriverErrors;
import org.grim.aeron.driver.DriverIdleStrategy;
import org.grim.buffer.LockFile;
import org.grim.buffer.MappedFile;
import org.grim.buffer.NewFile;
import org.grim.buffer.Uninterrupted;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.aeron.driver.Configuration;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.LogBufferDescriptor;
import io.aeron.status.HeartbeatTimestamp;

import static org.grim.GrimException.Reason.NO_ROOM;
import static org.grim.GrimException.Reason.SYSTEM_REFUSED;

/**
 * The media driver of a cluster on this host, as this process sees it: the process that holds the kernel's lock on a
 * file in the cluster's directory runs the driver; when it ends, another one follows with the next generation, in a
 * directory of its own. The file holds the latest generation, and the one that can be used.
 * <p>Thread: any. Owns: the lock and the driver, if this process has them. One for all nodes of this process.
 */
final class HostDriver
{
    private static final Logger LOGGER = LoggerFactory.getLogger(HostDriver.class);
    private static final Map<Path, HostDriver> OPEN = new HashMap<>();      // Also the guard of all fields.
    private static final long PARK_NS = 1_000_000;
    private static final String LOCK_NAME = "aeron.lock";
    private static final int LOCK_POSITION = 0;
    private static final String DIRECTORY_PREFIX = "aeron-";
    private static final int GENERATION_OFFSET = 0;                         // i64, who has the lock
    private static final int READY_OFFSET = GENERATION_OFFSET + Long.BYTES; // i64, who has the lock; 0: starting
    /** Room for 32,768 counters of 128 bytes: a hop takes five, an image three. */
    private static final int COUNTER_VALUES_LENGTH = 4 << 20;
    /** Hops that may lead to one channel: so strangers cannot take all counters. */
    private static final int SESSION_COUNT_MAX = 2_048;
    /** Terms of a log. */
    private static final int TERM_COUNT = 3;

    private final Path cluster;
    private final AeronConfig config;
    private final ErrorHandler errors;
    private int userCount;
    private LockFile file;
    private boolean isLocked;
    private MediaDriver driver;
    private volatile boolean hasThreadEnded;
    private long generation;

    private HostDriver(final Path cluster, final AeronConfig config, final ErrorHandler errors)
    {
        this.cluster = cluster;
        this.config = config;
        this.errors = errors;
    }

    /**
     * Begins to use the host's driver. Paired with {@link #release()}.
     *
     * @param cluster the cluster's directory.
     * @param config  with which a driver is started.
     * @param errors  where errors of the driver's threads go.
     */
    static HostDriver acquire(final Path cluster, final AeronConfig config, final ErrorHandler errors)
    {
        synchronized (OPEN)
        {
            final HostDriver host = OPEN.computeIfAbsent(cluster, path -> new HostDriver(path, config, errors));
            host.userCount++;
            return host;
        }
    }

    /**
     * Finds the driver, and starts it if no process has it.
     *
     * @return its directory; null if another process is starting it.
     * @throws GrimException if it cannot be started; the text says why.
     */
    String directory()
    {
        synchronized (OPEN)
        {
            try
            {
                return Uninterrupted.run(this::find);       // An interrupt would close the file, and lose the lock.
            }
            catch (final IOException ex)
            {
                throw new GrimException(SYSTEM_REFUSED, "media driver in " + cluster + " cannot be found: " +
                    MappedFile.describe(ex), ex);
            }
        }
    }

    /**
     * Ends the use; the last one ends the driver, if this process has it. As what other processes of this host have
     * sent by that driver would end with it, it stays for {@code grim.aeron.linger} while they are there, which is long
     * enough where all leave together.
     */
    void release()
    {
        final long deadlineNs = System.nanoTime() + config.lingerNs();
        while (isNeededByOthers() && deadlineNs - System.nanoTime() > 0)
        {
            Uninterrupted.park(PARK_NS);
        }
        synchronized (OPEN)
        {
            userCount--;
            assert userCount >= 0 : userCount;
            if (userCount > 0)
            {
                return;
            }
            OPEN.remove(cluster);
            if (driver == null)
            {
                letGo();
            }
            else
            {
                end();
            }
        }
    }

    /** The clients of this process have ended; those of killed processes count until the driver has noticed. */
    private boolean isNeededByOthers()
    {
        synchronized (OPEN)
        {
            if (userCount > 1 || driver == null || hasThreadEnded)
            {
                return false;
            }
            final AtomicBoolean isNeeded = new AtomicBoolean();
            driver.context().countersManager().forEach((id, type, key, label) ->
            {
                if (type == HeartbeatTimestamp.HEARTBEAT_TYPE_ID)
                {
                    isNeeded.set(true);
                }
            });
            return isNeeded.get();
        }
    }

    private String find() throws IOException
    {
        if (file != null && !file.channel().isOpen())
        {
            letGo();                    // An interrupt closed it; this is the second attempt.
        }
        if (driver != null && hasThreadEnded)
        {
            LOGGER.error("a thread of the media driver in {} has ended: another driver takes its place",
                directoryOf(generation));
            end();
        }
        if (driver == null && tryLock())
        {
            start();
        }
        final long current = driver != null ? generation : file == null ? 0 : readLong(READY_OFFSET);
        return current == 0 ? null : directoryOf(current).toString();
    }

    /** Whether this process has the lock, now, of the file that the name leads to. */
    private boolean tryLock() throws IOException
    {
        if (file == null)
        {
            file = LockFile.open(cluster.resolve(LOCK_NAME), true);
        }
        isLocked = isLocked || file.tryLock(LOCK_POSITION);
        if (isLocked && !file.isNamed())
        {
            letGo();                    // Of a file that the driver's process removed when it left.
        }
        return isLocked;
    }

    private void start() throws IOException
    {
        boolean isStarted = false;
        try
        {
            final long latest = readLong(GENERATION_OFFSET);
            final long next = latest == 0 ? firstGeneration() : latest + 1;
            writeLong(READY_OFFSET, 0);
            writeLong(GENERATION_OFFSET, next);
            deleteEarlier();
            hasThreadEnded = false;
            driver = launch(directoryOf(next));
            generation = next;
            writeLong(READY_OFFSET, next);
            isStarted = true;
            LOGGER.info("media driver started in {}", directoryOf(next));
        }
        finally
        {
            if (!isStarted)
            {
                end();
            }
        }
    }

    /** Draws another one for each file: a driver whose directory was removed removes its own alone. */
    private static long firstGeneration()
    {
        return 1 + ThreadLocalRandom.current().nextLong(Integer.MAX_VALUE);
    }

    /** Gives up the driver and the lock; a process that waits for the lock sees that its file has gone. */
    private void end()
    {
        final MediaDriver old = driver;
        driver = null;
        try
        {
            CloseHelper.close(old);
        }
        finally
        {
            if (file != null)
            {
                file.identity().delete();
            }
            letGo();
        }
    }

    /** Agrona's runner of an agent ends at an {@link Error}, such as that of a heap that is full for a moment. */
    private Thread newThread(final Runnable task)
    {
        final Thread thread = new Thread(() ->
        {
            try
            {
                task.run();
            }
            finally
            {
                hasThreadEnded = true;
            }
        });
        thread.setDaemon(true);
        return thread;
    }

    /** Removes files of killed processes. */
    private void deleteEarlier() throws IOException
    {
        try (DirectoryStream<Path> directories =
            Files.newDirectoryStream(cluster, DIRECTORY_PREFIX + "[0-9]*"))
        {
            for (final Path directory : directories)
            {
                IoUtil.delete(directory.toFile(), true);
            }
        }
    }

    private MediaDriver launch(final Path directory)
    {
        final MediaDriver.Context context = new MediaDriver.Context()
            .aeronDirectoryName(directory.toString())
            .dirDeleteOnStart(false).dirDeleteOnShutdown(true).warnIfDirectoryExists(false)
            .termBufferSparseFile(true).asyncExecutorEnabled(false)
            .counterValuesBufferLength(COUNTER_VALUES_LENGTH)
            .threadingMode(config.isDedicated() ? ThreadingMode.DEDICATED : ThreadingMode.SHARED)
            .sharedIdleStrategy(new DriverIdleStrategy()).conductorIdleStrategy(new DriverIdleStrategy())
            .senderIdleStrategy(new DriverIdleStrategy()).receiverIdleStrategy(new DriverIdleStrategy())
            .imageLivenessTimeoutNs(config.silenceTimeoutNs())
            .publicationConnectionTimeoutNs(config.silenceTimeoutNs())
            .clientLivenessTimeoutNs(config.silenceTimeoutNs())
            .receiveChannelEndpointSupplier(CheckedReceiveEndpoint::new)
            .streamSessionLimit(SESSION_COUNT_MAX)
            // Aeron wants one to be less, the other to be more than what clients may be silent for. Exclusive
            // publications, of which hops are made, never need the other.
            .timerIntervalNs(Math.min(Configuration.DEFAULT_TIMER_INTERVAL_NS, config.silenceTimeoutNs() / 2))
            .publicationUnblockTimeoutNs(2 * config.silenceTimeoutNs())
            .sharedThreadFactory(this::newThread).conductorThreadFactory(this::newThread)
            .senderThreadFactory(this::newThread).receiverThreadFactory(this::newThread)
            .errorHandler(new DriverErrors(directory.toString(), errors));
        requireRoom(directory, context);
        try
        {
            return MediaDriver.launch(context);
        }
        catch (final RuntimeException ex)
        {
            throw new GrimException(SYSTEM_REFUSED, "media driver in " + directory + " cannot be started: " +
                ex.getMessage(), ex);
        }
    }

    /** Checks that there is room for all mapped files: a store without room would end the process. */
    private void requireRoom(final Path directory, final MediaDriver.Context context)
    {
        final long neededLength = (long)context.conductorBufferLength() + context.toClientsBufferLength() +
            Configuration.countersMetadataBufferLength(context.counterValuesBufferLength()) +
            context.counterValuesBufferLength() + context.errorBufferLength() + context.lossReportBufferLength() +
            (long)TERM_COUNT * config.termLength() + LogBufferDescriptor.LOG_META_DATA_LENGTH;
        final long freeLength = NewFile.freeLengthAt(cluster);
        if (freeLength < neededLength)
        {
            throw new GrimException(NO_ROOM, "media driver in " + directory + " has no room for its files and one " +
                "log of grim.aeron.term-length=" + config.termLength() + ": needed=" + neededLength + " bytes free=" +
                freeLength + " bytes");
        }
    }

    private Path directoryOf(final long number)
    {
        return cluster.resolve(DIRECTORY_PREFIX + number);
    }

    private long readLong(final int offset) throws IOException
    {
        final ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES);
        return file.channel().read(bytes, offset) == Long.BYTES ? bytes.getLong(0) : 0;
    }

    private void writeLong(final int offset, final long value) throws IOException
    {
        file.channel().write(ByteBuffer.allocate(Long.BYTES).putLong(0, value), offset);
    }

    private void letGo()
    {
        isLocked = false;
        if (file == null)
        {
            return;
        }
        try
        {
            file.close();               // Gives up the lock, too.
        }
        catch (final IOException ex)
        {
            LOGGER.warn("close of {} failed", cluster.resolve(LOCK_NAME), ex);
        }
        file = null;
    }
}
