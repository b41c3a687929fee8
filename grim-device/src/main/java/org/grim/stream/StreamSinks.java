// SPDX-License-Identifier: Apache-2.0
package org.grim.stream;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.EndpointId;
import org.grim.SendStatus;
import org.grim.device.DeviceCode;
import org.grim.device.DeviceException;
import org.grim.device.accelerator.ItemFormat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Sinks of connections. The sink alone says what became of an item: an item is delivered if its turn has come here, and
 * lost if a later one or the end of its epoch comes first. Has no clock and no thread.
 * <p>Thread: the one that polls the streams.
 */
class StreamSinks
{
    private static final Logger LOGGER = LoggerFactory.getLogger(StreamSinks.class);
    private static final int REASON_LENGTH_MAX = 256;

    private final StreamPort port;
    private final Map<String, SinkHandler> handlers = new HashMap<>();
    private final Map<Long, SinkConnection> connections = new HashMap<>();
    private final Epoch[] epochs = new Epoch[ItemFormat.ENTRY_COUNT];
    private final int[] uses = new int[ItemFormat.ENTRY_COUNT];
    private int lastEntry;
    private long staleCount;

    /** An item, failed item or marker whose epoch has not begun. */
    private record Held(int a0, int sequence, UnsafeBuffer payload)
    {
    }

    /** An epoch of a connection, which has a slot here. */
    private static final class Epoch
    {
        private final SinkConnection connection;
        private final int number;
        private final int slot;
        private final Deque<Held> held = new ArrayDeque<>();

        private Epoch(final SinkConnection connection, final int number, final int slot)
        {
            this.connection = connection;
            this.number = number;
            this.slot = slot;
        }
    }

    /** Report for the owner. */
    private record Account(int kind, long sequence, long count, String reason)
    {
    }

    /** A connection that ends here. */
    private static final class SinkConnection
    {
        private final int owner;
        private final int number;
        private final SinkHandler handler;
        private final Deque<Epoch> epochs = new ArrayDeque<>();
        private final Deque<Account> accounts = new ArrayDeque<>();
        private long last;              // Sequence: all up to here are accounted for.

        private SinkConnection(final int owner, final int number, final SinkHandler handler)
        {
            this.owner = owner;
            this.number = number;
            this.handler = handler;
        }

        private void account(final int kind, final long sequence, final long count, final String reason)
        {
            final Account before = accounts.peekLast();
            long total = count;
            if (kind == StreamFormat.DELIVERED && before != null && before.kind == kind)
            {
                accounts.pollLast();
                total += before.count;
            }
            accounts.add(new Account(kind, sequence, total, reason));
        }
    }

    /**
     * Makes sinks without connections.
     *
     * @param port      to owners.
     * @param firstSlot slot that is given first. Sinks that are opened anew have another one: what is still under way
     *                  to those before means nothing.
     */
    StreamSinks(final StreamPort port, final int firstSlot)
    {
        this.port = port;
        lastEntry = ItemFormat.entry(firstSlot - 1);
        Arrays.fill(uses, ItemFormat.use(firstSlot) - 1);
    }

    void handler(final String name, final SinkHandler handler)
    {
        handlers.put(name, handler);
    }

    /** Opens a connection, or a further epoch of it. Returns its slot; the same one if the owner asks again. */
    int open(final int owner, final int number, final int epoch, final String name)
    {
        SinkConnection connection = connections.get(key(owner, number));
        if (connection == null)
        {
            if (epoch != StreamFormat.FIRST_EPOCH)
            {
                throw noConnection(number);
            }
            final SinkHandler handler = handlers.get(name);
            if (handler == null)
            {
                throw new DeviceException(DeviceCode.NOT_FOUND, "sink has no handler for connection=" + name);
            }
            connection = new SinkConnection(owner, number, handler);
        }
        final Epoch newest = connection.epochs.peekLast();
        if (newest != null && newest.number == epoch)
        {
            return newest.slot;             // The answer did not reach the owner in time.
        }
        if (newest != null && newest.number > epoch)
        {
            throw new IllegalArgumentException("epoch=" + epoch + " is not above " + newest.number);
        }
        for (int i = 1; i <= ItemFormat.ENTRY_COUNT; i++)
        {
            final int entry = (lastEntry + i) % ItemFormat.ENTRY_COUNT;
            if (epochs[entry] == null)
            {
                lastEntry = entry;
                uses[entry]++;
                epochs[entry] = new Epoch(connection, epoch, ItemFormat.slot(entry, uses[entry]));
                connection.epochs.add(epochs[entry]);
                connections.put(key(owner, number), connection);
                return epochs[entry].slot;
            }
        }
        throw new DeviceException(DeviceCode.NO_ROOM, "sink has no free entry: entries=" + ItemFormat.ENTRY_COUNT);
    }

    /** Refuses if a connection does not end here: then its sink was closed, and is another one now. */
    void requireConnection(final int owner, final int number)
    {
        if (!connections.containsKey(key(owner, number)))
        {
            throw noConnection(number);
        }
    }

    private static DeviceException noConnection(final int number)
    {
        return new DeviceException(DeviceCode.NOT_FOUND, "sink has no connection=" + number);
    }

    /** Takes a message of a last stage, or a marker of the owner. */
    void onItem(final int a0, final int sequence, final DirectBuffer buffer, final int offset, final int length)
    {
        final Epoch epoch = epochs[ItemFormat.entry(a0)];
        if (epoch == null || epoch.slot != ItemFormat.slot(a0))
        {
            staleCount++;
            return;
        }
        final SinkConnection connection = epoch.connection;
        if (!isTurn(epoch.number, connection.epochs.peek().number))
        {
            final UnsafeBuffer payload = new UnsafeBuffer(new byte[length]);
            payload.putBytes(0, buffer, offset, length);
            epoch.held.add(new Held(a0, sequence, payload));
            return;
        }
        take(connection, a0, sequence, buffer, offset, length);
        Epoch current = connection.epochs.peek();
        while (current != null && !current.held.isEmpty())
        {
            final Held held = current.held.poll();
            take(connection, held.a0, held.sequence, held.payload, 0, held.payload.capacity());
            current = connection.epochs.peek();
        }
    }

    /** Whether the items of an epoch may be taken; those of a later one are held until the marker has come. */
    boolean isTurn(final int number, final int current)
    {
        return number == current;
    }

    /** Sends accounts. Returns how many. */
    int step()
    {
        int workCount = 0;
        for (final SinkConnection connection : new ArrayList<>(connections.values()))
        {
            workCount += sendAccounts(connection);
        }
        return workCount;
    }

    /** Ends a connection at its owner's request. */
    void close(final int owner, final int number)
    {
        final SinkConnection connection = connections.get(key(owner, number));
        if (connection != null)
        {
            end(connection);
        }
    }

    /** Ends the connections of owners that are gone. */
    void onOwnersGone(final Predicate<EndpointId> isGone)
    {
        final List<SinkConnection> ended = connections.values().stream()
            .filter(connection -> isGone.test(EndpointId.ofKey(connection.owner))).toList();
        ended.forEach(this::end);
    }

    /** Returns messages of epochs that have ended. */
    long staleCount()
    {
        return staleCount;
    }

    private void take(
        final SinkConnection connection, final int a0, final int lower, final DirectBuffer buffer, final int offset,
        final int length)
    {
        final long sequence = StreamFormat.sequence(connection.last, lower);
        if (ItemFormat.isMarker(a0))
        {
            lose(connection, sequence);
            final Epoch ended = connection.epochs.poll();
            epochs[ItemFormat.entry(ended.slot)] = null;
            staleCount += ended.held.size();
            connection.account(StreamFormat.ENDED, ended.number, 0, null);
        }
        else if (sequence <= connection.last)
        {
            staleCount++;
        }
        else
        {
            lose(connection, sequence - 1);
            connection.last = sequence;
            deliver(connection, a0, sequence, buffer, offset, length);
        }
    }

    private void deliver(
        final SinkConnection connection, final int a0, final long sequence, final DirectBuffer buffer,
        final int offset, final int length)
    {
        String reason = null;
        if (ItemFormat.isFailed(a0))
        {
            reason = buffer.getStringWithoutLengthUtf8(offset, length);
            final String text = reason;
            guarded(connection, () -> connection.handler.onFailed(sequence, text));
        }
        else
        {
            reason = guarded(connection, () -> connection.handler.onItem(sequence, buffer, offset, length));
        }
        connection.account(reason == null ? StreamFormat.DELIVERED : StreamFormat.FAILED, sequence, 1, reason);
    }

    private void lose(final SinkConnection connection, final long last)
    {
        if (last > connection.last)
        {
            final long first = connection.last + 1;
            connection.last = last;
            connection.account(StreamFormat.LOST, last, last - first + 1, null);
            guarded(connection, () -> connection.handler.onLost(first, last));
        }
    }

    private void end(final SinkConnection connection)
    {
        connections.remove(key(connection.owner, connection.number));
        connection.epochs.forEach(epoch -> epochs[ItemFormat.entry(epoch.slot)] = null);
        guarded(connection, connection.handler::onEnd);
    }

    /**
     * Runs code of the application. Returns its exception as a text, which the owner gets as the reason of a failed
     * item; null if there was none.
     */
    private static String guarded(final SinkConnection connection, final Runnable code)
    {
        try
        {
            code.run();
            return null;
        }
        catch (final RuntimeException ex)
        {
            LOGGER.debug("handler of the sink of connection={} has failed", connection.number, ex);
            return reason(ex);
        }
        catch (final Error ex)              // The item is accounted for all the same.
        {
            LOGGER.error("handler of the sink of connection={} has failed", connection.number, ex);
            return reason(ex);
        }
    }

    private static String reason(final Throwable failure)
    {
        final String reason = "sink: " + failure;
        return reason.substring(0, Math.min(REASON_LENGTH_MAX, reason.length()));
    }

    private int sendAccounts(final SinkConnection connection)
    {
        int workCount = 0;
        while (!connection.accounts.isEmpty())
        {
            final Account account = connection.accounts.peek();
            final byte[] reason = account.reason == null ? new byte[0] : account.reason.getBytes(UTF_8);
            final SendStatus status = port.send(connection.owner, port.handler(StreamFormat.ACCOUNT),
                connection.number, (int)account.sequence, StreamFormat.account(account.kind, account.count),
                new UnsafeBuffer(reason), 0, reason.length);
            if (!status.isAccepted())
            {
                return workCount;               // The owner has no room now, or its death is reported soon.
            }
            connection.accounts.poll();
            workCount++;
        }
        return workCount;
    }

    private static long key(final int owner, final int number)
    {
        return ((long)owner << 16) | number;
    }
}
