// SPDX-License-Identifier: Apache-2.0
package org.grim.counters;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

import org.agrona.concurrent.SystemEpochClock;
import org.agrona.concurrent.errors.DistinctErrorLog;
import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersReader;
import org.grim.GrimException;
import org.grim.LongWait;
import org.grim.RejectReason;
import org.grim.RemoteRefusal;
import org.grim.text.SafeText;

/**
 * All counters of one node and its log of distinct errors.
 * <p>Thread: counters of a channel belong to the channel's owner; the error log is for any thread.
 * <p>Owns: the file, which goes when the node leaves.
 */
public final class NodeCounters implements AutoCloseable
{
    /** Key of the counters of all shared links together, where others have their channel. */
    public static final int SHARED_LINKS_KEY = -1;

    private final CountersFile file;
    private final ChannelCounters[] channels;
    private final ChannelCounters sharedLinks;
    private final Map<CounterKind, AtomicCounter> nodeCounters = new EnumMap<>(CounterKind.class);
    private final AtomicCounter[] rejected = new AtomicCounter[RejectReason.count()];
    private final AtomicCounter[] memoryRefused = new AtomicCounter[RemoteRefusal.count()];
    private int waitCount;                  // Guarded by this.
    private boolean isClosed;               // Guarded by this.

    private NodeCounters(final CountersFile file, final int channelCount)
    {
        this.file = file;
        channels = new ChannelCounters[channelCount];
        for (int channel = 0; channel < channelCount; channel++)
        {
            channels[channel] = new ChannelCounters(this, channel, " channel=" + channel, false);
        }
        sharedLinks = new ChannelCounters(this, SHARED_LINKS_KEY, " shared-links", true);
        for (final CounterKind kind : CounterKind.values())
        {
            if (kind.scope() == CounterKind.Scope.NODE)
            {
                nodeCounters.put(kind, allocate(kind, 0, kind.label()));
            }
        }
        for (final RejectReason reason : RejectReason.values())
        {
            rejected[reason.code()] = allocate(CounterKind.REJECTED, reason.code(),
                CounterKind.REJECTED.label() + " " + reason);
        }
        for (final RemoteRefusal reason : RemoteRefusal.values())
        {
            memoryRefused[reason.code()] = allocate(CounterKind.MEMORY_REFUSED, reason.code(),
                CounterKind.MEMORY_REFUSED.label() + " " + reason);
        }
        file.publish();
    }

    /**
     * Makes counters that tools can read.
     *
     * @param path         of the file.
     * @param channelCount logical channels of the node.
     * @return the counters, all zero.
     * @throws GrimException if the file cannot be made; nothing is left behind.
     */
    public static NodeCounters create(final Path path, final int channelCount)
    {
        final CountersFile file = CountersFile.create(path, countOf(channelCount));
        try
        {
            return new NodeCounters(file, channelCount);
        }
        catch (final RuntimeException | Error ex)
        {
            file.close();
            throw ex;
        }
    }

    /**
     * Makes counters of this process alone.
     *
     * @param channelCount logical channels of the node.
     * @return the counters, all zero.
     */
    public static NodeCounters inPrivateMemory(final int channelCount)
    {
        return new NodeCounters(CountersFile.inPrivateMemory(countOf(channelCount)), channelCount);
    }

    /**
     * Counters of one channel.
     *
     * @param channel 0 to channel count - 1.
     * @return the same object each time.
     */
    public ChannelCounters channel(final int channel)
    {
        return channels[channel];
    }

    /** {@return logical channels that have counters} */
    public int channelCount()
    {
        return channels.length;
    }

    /**
     * Counters of all links that several threads share: they count with atomic operations. Returns the same object each
     * time.
     */
    public ChannelCounters sharedLinks()
    {
        return sharedLinks;
    }

    /**
     * A counter of the whole node.
     *
     * @param kind of scope node.
     * @return the counter.
     */
    public AtomicCounter node(final CounterKind kind)
    {
        return nodeCounters.get(kind);
    }

    /**
     * The counter of one reason.
     *
     * @param reason to refuse bytes.
     * @return the counter.
     */
    public AtomicCounter rejected(final RejectReason reason)
    {
        return rejected[reason.code()];
    }

    /**
     * The counter of one reason; several endpoints may count in it.
     *
     * @param reason not to execute a remote-memory operation.
     * @return the counter.
     */
    public AtomicCounter memoryRefused(final RemoteRefusal reason)
    {
        return memoryRefused[reason.code()];
    }

    /**
     * Adds up the counters of one kind.
     *
     * @param kind of any scope.
     * @return their sum, as it was published.
     */
    public long total(final CounterKind kind)
    {
        final CountersReader reader = reader();
        long total = 0;
        for (int counterId = 0; counterId <= reader.maxCounterId(); counterId++)
        {
            total += reader.getCounterTypeId(counterId) == kind.typeId() ? reader.getCounterValue(counterId) : 0;
        }
        return total;
    }

    /** {@return where errors go that the application does not see, once per cause} */
    public DistinctErrorLog errorLog()
    {
        return file.errorLog();
    }

    /** {@return all counters, by id: a live reader} */
    public CountersReader reader()
    {
        return file.reader();
    }

    /**
     * Shows what a thread of the node waits for. Any thread.
     *
     * @param what in words.
     * @param node that it waits for; -1 for none alone.
     * @return the wait; not shown if there is no room for one more, or the counters are closed.
     */
    public LongWait reportWait(final String what, final int node)
    {
        final ReportedWait wait = new ReportedWait();
        wait.update(what, node);
        return wait;
    }

    /** A counter, while there is one for it. Guarded by the node's counters. */
    private final class ReportedWait implements LongWait
    {
        private final long sinceMs = SystemEpochClock.INSTANCE.time();
        private AtomicCounter counter;
        private String what;
        private int node;
        private boolean isOver;

        @Override
        public void update(final String newWhat, final int newNode)
        {
            Objects.requireNonNull(newWhat, "what");
            synchronized (NodeCounters.this)
            {
                if (isOver || (newNode == node && newWhat.equals(what)))
                {
                    return;
                }
                what = newWhat;
                node = newNode;
                free();
                if (!isClosed && waitCount < LongWait.COUNT_MAX)
                {
                    waitCount++;
                    counter = allocate(CounterKind.THREAD_WAITS, node,
                        CounterKind.THREAD_WAITS.label() + ' ' + SafeText.shorten(what, LongWait.LENGTH_MAX));
                    counter.setRelease(sinceMs);
                }
            }
        }

        @Override
        public void close()
        {
            synchronized (NodeCounters.this)
            {
                isOver = true;
                free();
            }
        }

        private void free()
        {
            if (counter != null && !isClosed)
            {
                counter.close();
                waitCount--;
            }
            counter = null;
        }
    }

    /** Removes the file. Nothing may count any more. */
    @Override
    public void close()
    {
        synchronized (this)
        {
            isClosed = true;
        }
        file.close();
    }

    AtomicCounter allocate(final CounterKind kind, final int key, final String label)
    {
        return file.allocate(kind, key, label);
    }

    private static int countOf(final int channelCount)
    {
        int count = 0;
        for (final CounterKind kind : CounterKind.values())
        {
            count += switch (kind.scope())
            {
                case CHANNEL -> channelCount + 1;       // and one for all shared links
                case NODE -> 1;
                case REJECT_REASON -> RejectReason.count();
                case REMOTE_REFUSAL -> RemoteRefusal.count();
                case WAIT -> LongWait.COUNT_MAX;
            };
        }
        return count;
    }
}
