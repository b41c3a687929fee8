// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.grim.endpoint.EndpointLink;
import org.grim.wire.MessageHeader;
import org.junit.jupiter.api.AfterEach;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

/** Common base of the parts of the contract suite: a cluster, waits with a deadline, numbered messages. */
public abstract class ContractSupport
{
    /** Tag of what need not be shown again with the far node in another JVM: integration tests leave it out. */
    static final String LOCAL = "local";

    static final int SLOT_COUNT = 64;
    static final int RING_LENGTH = 16 * 1024;
    static final int PAYLOAD_LENGTH_MAX = RING_LENGTH / 16 * 7;
    static final int INLINE_LENGTH = 32;
    static final int CHANNEL_COUNT = 4;
    static final int HOST_CHANNEL_COUNT = 2;

    private static final long DEADLINE_MS = 60_000;
    private static final int SPIN_COUNT = 200;
    private static final int IN_TRANSIT_MAX = 2_000;

    final AtomicBuffer payload = Buffers.allocate(128 * 1024);
    private TransportCluster cluster;

    /** Opens the two nodes with these settings on top of {@link #settings}. */
    protected abstract TransportCluster open(Map<String, Object> settings, long firstPosition);

    /** Most messages of a small payload that one way holds while its receiver does not poll. */
    protected int smallCapacity()
    {
        return SLOT_COUNT;
    }

    /** Small messages that one way does not hold, however many of them are being handed on meanwhile. */
    final int moreThanCapacity()
    {
        return Math.min(smallCapacity() * 3, smallCapacity() + IN_TRANSIT_MAX);
    }

    /** Most messages of the largest payload that one way holds while its receiver does not poll. */
    protected int largeCapacity()
    {
        return 2;
    }

    /** Whether small messages have room of their own when large ones find none. */
    protected boolean hasRoomOfItsOwnForSmall()
    {
        return true;
    }

    /** Whether what was sent stands in the receiver's queues although the receiver does nothing. */
    protected boolean isDeliveredWithoutTheReceiver()
    {
        return true;
    }

    /** Settings with which a node that leaves has the time that it needs for its accounts. */
    protected Object[] settingsForAnOrderlyLeave()
    {
        return new Object[]{"grim.liveness.interval", "1ms"};
    }

    /** Most messages that are unknown when a peer leaves in order that has not read them. */
    protected int unknownCountMax()
    {
        return 0;
    }

    /** Most payload bytes of a message with {@link #settings}. */
    protected int payloadLengthMax()
    {
        return PAYLOAD_LENGTH_MAX;
    }

    /** Most payload bytes of a message with {@link #settingsForTheLargestMessage}. */
    protected int expectedPayloadLengthMax()
    {
        return MessageHeader.PAYLOAD_LENGTH_MAX;
    }

    /** Whether there are further nodes, which keep the names of handlers when the two are gone. */
    protected boolean hasOthers()
    {
        return false;
    }

    /** Time without work before all is as far as it can come: more than 0 where other threads move it. */
    protected long quietNs()
    {
        return 0;
    }

    /** Settings with which the largest message of the format can be sent. */
    protected Object[] settingsForTheLargestMessage()
    {
        return new Object[]{"grim.queue.ring-length", "256KiB"};
    }

    @AfterEach
    void closeCluster()
    {
        if (cluster != null)
        {
            cluster.close();
        }
    }

    /** Small queues, so that they fill and wrap at once; long timeouts, because the machine may be busy. */
    static Map<String, Object> settings(final Object... pairs)
    {
        final Map<String, Object> settings = new HashMap<>();
        settings.put("grim.queue.slot-count", SLOT_COUNT);
        settings.put("grim.queue.ring-length", RING_LENGTH);
        settings.put("grim.channels.count", CHANNEL_COUNT);
        settings.put("grim.channels.host", HOST_CHANNEL_COUNT);
        settings.put("grim.handlers.resolve-timeout", "60s");
        for (int i = 0; i < pairs.length; i += 2)
        {
            settings.put((String)pairs[i], pairs[i + 1]);
        }
        return settings;
    }

    /** A configuration for one node of a test cluster. */
    public static GrimConfig.Builder builder(final Map<String, Object> settings, final long firstPosition)
    {
        final GrimConfig.Builder builder = GrimConfig.builder().firstPositionForTest(firstPosition);
        settings.forEach(builder::set);
        return builder;
    }

    /** A counter by its label; fails if there is none. */
    public static long counter(final Grim grim, final String label)
    {
        final long[] found = {-1};
        grim.counters().forEach((value, counterId, name) -> found[0] = name.equals(label) ? value : found[0]);
        if (found[0] < 0)
        {
            fail("no counter " + label);
        }
        return found[0];
    }

    /** Sends a message of GRIM's own, with any content: what only a peer that errs would send. */
    public static SendStatus sendBuiltIn(
        final Link link, final int id, final long arguments01, final long arguments23, final DirectBuffer payload,
        final int length)
    {
        return ((EndpointLink)link).sendBuiltIn(id, arguments01, arguments23, payload, 0, length, true);
    }

    /** Describes a node's work and refusals: all counters that are not 0. */
    static String countersOf(final Grim grim)
    {
        final StringBuilder text = new StringBuilder();
        grim.counters().forEach((value, counterId, name) ->
            text.append(value == 0 ? "" : "[" + name + "=" + value + "]"));
        return text.toString();
    }

    final TransportCluster start(final Object... pairs)
    {
        return startAt(0, pairs);
    }

    final TransportCluster startAt(final long firstPosition, final Object... pairs)
    {
        cluster = open(settings(pairs), firstPosition);
        return cluster;
    }

    final TransportCluster cluster()
    {
        return cluster;
    }

    final Grim near()
    {
        return cluster.near();
    }

    final EndpointId farId(final int channel)
    {
        return near().locate("far").onChannel(channel);
    }

    final Link link(final int channel)
    {
        return near().endpoint().link(farId(channel));
    }

    /** Work that waits for other such work: a thread for each, where a pool has one for each core or fewer. */
    static CompletableFuture<Void> onThreadOfItsOwn(final Runnable work)
    {
        return CompletableFuture.runAsync(work, task ->
        {
            final Thread thread = new Thread(task, "contract");
            thread.setDaemon(true);
            thread.start();
        });
    }

    /** Polls both sides until something is so. */
    final void await(final BooleanSupplier isSo, final Supplier<String> what)
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(DEADLINE_MS);
        int idleCount = 0;
        while (!isSo.getAsBoolean())
        {
            idleCount = cluster.pollNear() + cluster.stepFar() == 0 ? idleCount + 1 : 0;
            pause(idleCount);
            if (System.nanoTime() - deadlineNs > 0)
            {
                fail("waited " + DEADLINE_MS + " ms in vain: " + what.get() + report());
            }
        }
    }

    /** Describes the work of both nodes so far, to explain a failure that does not come again. */
    private String report()
    {
        try
        {
            return "\n near: " + countersOf(cluster.near()) + "\n far: " + cluster.far("report");
        }
        catch (final RuntimeException | AssertionError ex)
        {
            return "\n one of the nodes has left: " + ex;
        }
    }

    /** Waits for another thread while stepping what belongs to this one. */
    final <T> T awaitFuture(final CompletableFuture<T> future, final Runnable step)
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(DEADLINE_MS);
        while (!future.isDone() && System.nanoTime() - deadlineNs < 0)
        {
            step.run();
            LockSupport.parkNanos(1);
        }
        try
        {
            return future.get(60, TimeUnit.SECONDS);
        }
        catch (final InterruptedException | TimeoutException ex)
        {
            return fail("another thread did not end in time", ex);
        }
        catch (final java.util.concurrent.ExecutionException ex)
        {
            throw new IllegalStateException(ex.getCause());
        }
    }

    /** Bounded spin, then other threads get the core: the peer may need it. */
    static void pause(final int idleCount)
    {
        if (idleCount > SPIN_COUNT * 2)
        {
            LockSupport.parkNanos(50_000);
        }
        else if (idleCount > SPIN_COUNT)
        {
            LockSupport.parkNanos(1);
        }
    }

    /**
     * Waits until the near node knows a handler's id, and until the far node does if it has the handler: until then it
     * refuses messages for it.
     */
    final HandlerId resolve(final String name)
    {
        await(() -> near().handlers().tryResolve(name) != null, () -> "resolve of " + name);
        await(() -> "true".equals(cluster().far("knows " + name)), () -> "resolve of " + name + " by the far node");
        return near().handlers().tryResolve(name);
    }

    /** Has a handler of the near node run, as soon as there is room for its message. */
    final void sendToSelf(final HandlerId handler)
    {
        final Link self = near().endpoint().link(near().endpoint().id());
        await(() -> self.send(handler, payload, 0, 0).isAccepted(), () -> "room on the link to itself");
    }

    /** Opens a device of {@link FarDevices} and waits until it has the ids of its handlers. */
    final EndpointId openFarDevice(final String device)
    {
        final EndpointId opened = EndpointId.ofKey(Integer.parseInt(cluster().far("device open " + device)));
        final String name = device.substring(0, device.indexOf(' '));
        await(() -> "true".equals(cluster().far("device known " + name)), () -> "ids of the device's handlers");
        return opened;
    }

    /** Registers a handler of the near node and waits until the cluster knows it. */
    final HandlerId registerNear(final String name, final ActiveMessage.Handler handler)
    {
        near().handlers().register(name, handler);
        return resolve(name);
    }

    final int crc(final int length, final int seed)
    {
        Payloads.fill(payload, 0, length, seed);
        return Payloads.crc(payload, 0, length);
    }

    /** Sends one numbered message, for the far side to record. */
    final SendStatus trySendNumbered(final Link link, final HandlerId handler, final int sequence, final int length)
    {
        return link.send(handler, sequence, crc(length, sequence), 0, 0, payload, 0, length);
    }

    final void sendNumbered(final Link link, final HandlerId handler, final int sequence, final int length)
    {
        final int crc = crc(length, sequence);
        await(() -> link.send(handler, sequence, crc, 0, 0, payload, 0, length) == SendStatus.SENT,
            () -> "room for message " + sequence);
    }

    /** Sends until there is no room at this moment. */
    final int fill(final Link link, final HandlerId handler, final int firstSequence, final int length)
    {
        int sequence = firstSequence;
        SendStatus status = trySendNumbered(link, handler, sequence, length);
        while (status == SendStatus.SENT)
        {
            sequence++;
            status = trySendNumbered(link, handler, sequence, length);
        }
        assertEquals(SendStatus.BACK_PRESSURED, status);
        return sequence - firstSequence;
    }

    /** Sends until there is no room, also after everything in flight has come as far as it can. */
    final int fillFully(final Link link, final HandlerId handler, final int length)
    {
        int count = 0;
        int newCount = fill(link, handler, 0, length);
        while (newCount > 0)
        {
            count += newCount;
            settle();
            newCount = fill(link, handler, count, length);
        }
        return count;
    }

    /** Takes what is under way, for example to do with handlers, and publishes all heads. */
    final void settle()
    {
        final long quietNs = quietNs();
        final long startNs = System.nanoTime();
        for (int i = 0; i < 200 || System.nanoTime() - startNs < quietNs; i++)
        {
            cluster.pollNear();
            cluster.stepFar();
            pause(i);
        }
    }

    final void awaitHistory(final int channel, final int count)
    {
        await(() -> Integer.parseInt(cluster.far("received " + channel)) >= count,
            () -> cluster.far("history " + channel) + " instead of count=" + count);
        assertEquals("count=" + count + " outOfOrder=0 corrupt=0", cluster.far("history " + channel));
    }
}
