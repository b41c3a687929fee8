// SPDX-License-Identifier: Apache-2.0
package org.grim.counters;

import org.agrona.concurrent.status.AtomicCounter;

/**
 * Counters of one logical channel. Messages are counted in fields of the channel's owner, and shown to others by
 * {@link #publish()}, at the latest when {@value #UNPUBLISHED_MAX} more were sent; everything else is a plain store
 * into mapped memory. Counters of shared links use atomic operations, and show each message at once.
 * <p>Thread: the channel's owner writes; anybody reads what was published.
 */
public final class ChannelCounters
{
    /** Messages that may have been sent since others saw it. */
    static final int UNPUBLISHED_MAX = 1024;

    private final AtomicCounter messagesSent;
    private final AtomicCounter bytesSent;
    private final AtomicCounter messagesReceived;
    private final AtomicCounter bytesReceived;
    private final AtomicCounter backPressured;
    private final AtomicCounter overflowDepth;
    private final AtomicCounter undelivered;
    private final AtomicCounter polls;
    private final AtomicCounter emptyPolls;
    private final AtomicCounter reclaimed;
    private final AtomicCounter overflowLength;
    private final AtomicCounter overflowCeiling;
    private final AtomicCounter keptMessages;
    private final AtomicCounter keptLength;
    private final AtomicCounter keptCeiling;
    private final AtomicCounter keptRefused;
    private final AtomicCounter paused;
    private final AtomicCounter memoryWrites;
    private final AtomicCounter memoryBytesWritten;
    private final AtomicCounter memoryReads;
    private final AtomicCounter memoryBytesRead;
    private final AtomicCounter memoryAtomics;
    private final boolean isShared;
    private long sentCount;
    private long sentLength;
    private long receivedCount;
    private long receivedLength;

    ChannelCounters(final NodeCounters counters, final int key, final String suffix, final boolean isShared)
    {
        this.isShared = isShared;
        messagesSent = allocate(counters, CounterKind.MESSAGES_SENT, key, suffix);
        bytesSent = allocate(counters, CounterKind.BYTES_SENT, key, suffix);
        messagesReceived = allocate(counters, CounterKind.MESSAGES_RECEIVED, key, suffix);
        bytesReceived = allocate(counters, CounterKind.BYTES_RECEIVED, key, suffix);
        backPressured = allocate(counters, CounterKind.BACK_PRESSURED, key, suffix);
        overflowDepth = allocate(counters, CounterKind.OVERFLOW_DEPTH, key, suffix);
        undelivered = allocate(counters, CounterKind.UNDELIVERED, key, suffix);
        polls = allocate(counters, CounterKind.POLLS, key, suffix);
        emptyPolls = allocate(counters, CounterKind.EMPTY_POLLS, key, suffix);
        reclaimed = allocate(counters, CounterKind.RECLAIMED, key, suffix);
        overflowLength = allocate(counters, CounterKind.OVERFLOW_LENGTH, key, suffix);
        overflowCeiling = allocate(counters, CounterKind.OVERFLOW_CEILING, key, suffix);
        keptMessages = allocate(counters, CounterKind.KEPT_MESSAGES, key, suffix);
        keptLength = allocate(counters, CounterKind.KEPT_LENGTH, key, suffix);
        keptCeiling = allocate(counters, CounterKind.KEPT_CEILING, key, suffix);
        keptRefused = allocate(counters, CounterKind.KEPT_REFUSED, key, suffix);
        paused = allocate(counters, CounterKind.PAUSED, key, suffix);
        memoryWrites = allocate(counters, CounterKind.MEMORY_WRITES, key, suffix);
        memoryBytesWritten = allocate(counters, CounterKind.MEMORY_BYTES_WRITTEN, key, suffix);
        memoryReads = allocate(counters, CounterKind.MEMORY_READS, key, suffix);
        memoryBytesRead = allocate(counters, CounterKind.MEMORY_BYTES_READ, key, suffix);
        memoryAtomics = allocate(counters, CounterKind.MEMORY_ATOMICS, key, suffix);
    }

    /** A message was accepted. */
    public void sent(final long payloadLength)
    {
        if (isShared)
        {
            messagesSent.increment();
            bytesSent.getAndAdd(payloadLength);
        }
        else
        {
            sentCount++;
            sentLength += payloadLength;
            if ((sentCount & UNPUBLISHED_MAX - 1) == 0)
            {
                publish();
            }
        }
    }

    /** A message was handed to its handler. */
    public void received(final long payloadLength)
    {
        receivedCount++;
        receivedLength += payloadLength;
    }

    /** Shows others what was sent and received until now. */
    public void publish()
    {
        if (!isShared)
        {
            messagesSent.setPlain(sentCount);
            bytesSent.setPlain(sentLength);
            messagesReceived.setPlain(receivedCount);
            bytesReceived.setPlain(receivedLength);
        }
    }

    /** A send found no room. */
    public void backPressured()
    {
        if (isShared)
        {
            backPressured.increment();
        }
        else
        {
            backPressured.incrementPlain();
        }
    }

    /** {@return sends and remote-memory operations that were accepted; thread: the channel's owner} */
    long acceptedCount()
    {
        return (isShared ? messagesSent.get() : sentCount) + memoryWrites.get() + memoryReads.get() +
            memoryAtomics.get();
    }

    /** {@return sends that found no room} */
    long backPressuredCount()
    {
        return backPressured.get();
    }

    /** A remote write was accepted. Not on shared links: they have none. */
    public void memoryWritten(final long length)
    {
        memoryWrites.incrementPlain();
        memoryBytesWritten.getAndAddPlain(length);
    }

    /** A remote read was accepted. Not on shared links: they have none. */
    public void memoryRead(final long length)
    {
        memoryReads.incrementPlain();
        memoryBytesRead.getAndAddPlain(length);
    }

    /** An atomic operation on remote memory was accepted. Not on shared links: they have none. */
    public void memoryAtomic()
    {
        memoryAtomics.incrementPlain();
    }

    /** A message or remote-memory operation entered the overflow queue. */
    public void overflowed()
    {
        overflowDepth.incrementPlain();
    }

    /** A message or remote-memory operation left the overflow queue. */
    public void overflowLeft()
    {
        overflowDepth.decrementPlain();
    }

    /**
     * Shows the content of an endpoint's overflow queues.
     *
     * @param length    bytes.
     * @param lengthMax their ceiling, bytes.
     */
    public void overflowLength(final long length, final long lengthMax)
    {
        overflowLength.setPlain(length);
        overflowCeiling.setPlain(lengthMax);
    }

    /**
     * Shows the messages that handlers of an endpoint kept.
     *
     * @param count     messages.
     * @param length    bytes that they take.
     * @param lengthMax most bytes that they may take.
     */
    public void kept(final int count, final long length, final long lengthMax)
    {
        keptMessages.setPlain(count);
        keptLength.setPlain(length);
        keptCeiling.setPlain(lengthMax);
    }

    /** A message found no room to be kept. */
    public void keptRefused()
    {
        keptRefused.incrementPlain();
    }

    /** Shows whether the channel's queues are left unread. */
    public void paused(final boolean isPaused)
    {
        paused.setPlain(isPaused ? 1 : 0);
    }

    /** Counts accepted messages that were given up, in the overflow queue or in flight. */
    public void lost(final int count)
    {
        undelivered.getAndAddPlain(count);
    }

    /**
     * Counts slots and frames recovered from dead senders.
     *
     * @param count queues, slots and frames.
     */
    public void reclaimed(final int count)
    {
        reclaimed.getAndAddPlain(count);
    }

    /**
     * Adds an endpoint's polls since the last call.
     *
     * @param pollCount      all of its polls.
     * @param emptyPollCount those that found nothing.
     */
    public void polled(final long pollCount, final long emptyPollCount)
    {
        polls.getAndAddPlain(pollCount);
        emptyPolls.getAndAddPlain(emptyPollCount);
    }

    private static AtomicCounter allocate(
        final NodeCounters counters, final CounterKind kind, final int key, final String suffix)
    {
        return counters.allocate(kind, key, kind.label() + suffix);
    }
}
