// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.status.CountersReader;
import org.grim.buffer.Buffers;
import org.grim.large.OutgoingStream;
import org.grim.transport.HopClaim;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A process that uses a node while it leaves the cluster, and afterwards: one scenario for each line of its input,
 * whose name it answers if neither the JVM nor a promise of the API broke. Arguments: transport, directory of the
 * cluster.
 */
public final class LateCallsMain
{
    /** Id of a handler that nobody registers. */
    private static final HandlerId NOBODY = HandlerId.of(999);
    private static final Logger LOGGER = LoggerFactory.getLogger(LateCallsMain.class);
    private static final int ROUND_COUNT = 8;
    private static final int THREAD_COUNT = 2;
    private static final long DEADLINE_S = 60;

    private final boolean isBoard;
    private final Map<String, Object> settings;
    private final AtomicBuffer payload = Buffers.allocate(1024);
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    private LateCallsMain(final String transport, final String directory)
    {
        isBoard = "myrinet".equals(transport);
        settings = ContractSupport.settings("grim.transports", List.of(transport), "grim.cluster.directory", directory,
            "grim.ni.reserved-length", 4096);
    }

    public static void main(final String[] arguments) throws IOException, InterruptedException
    {
        final BufferedReader input = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        final PrintStream output = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8);
        for (String scenario = input.readLine(); scenario != null; scenario = input.readLine())
        {
            final Thread watch = new Thread(LateCallsMain::endIfItHangs, "watch");
            watch.setDaemon(true);
            watch.start();
            new LateCallsMain(arguments[0], arguments[1]).run(Scenario.valueOf(scenario));
            watch.interrupt();
            watch.join();
            output.println(scenario);
        }
    }

    /** Calls while the node leaves, or later. */
    public enum Scenario
    {
        /** Threads read the counters. */
        COUNTERS,
        /** Threads send on a shared link. */
        SHARED_LINK,
        /** Threads ask for the nodes. */
        NODES,
        /** Threads read and write registered memory, and that of the NI. */
        REGION,
        /** A thread reads the bytes of a message that was handled. */
        MESSAGE,
        /** The owner polls and sends while another thread closes. */
        POLLING_OWNER,
        /** Several threads close. */
        SEVERAL_CLOSERS,
        /** A handler closes its own node, in the application's loop. */
        HANDLER,
        /** A handler closes its own node, in the loop of startPolling. */
        HANDLER_OF_POLLING_THREAD,
        /** A claim is published after the node left. */
        CLAIM,
        /** Every other call after the node left. */
        AFTERWARDS
    }

    private void run(final Scenario scenario) throws InterruptedException
    {
        switch (scenario)
        {
            case COUNTERS -> closeUnder(node -> readCounters(node.counters()));
            case SHARED_LINK -> closeUnderSharedLink();
            case NODES -> closeUnder(node -> tolerateLeft(node::nodes));
            case REGION -> closeUnderRegion();
            case MESSAGE -> closeUnderMessage();
            case POLLING_OWNER -> closeUnderOwner();
            case SEVERAL_CLOSERS -> closeTogether();
            case HANDLER -> closeInHandler(false);
            case HANDLER_OF_POLLING_THREAD -> closeInHandler(true);
            case CLAIM -> publishLate();
            case AFTERWARDS -> callLate();
        }
        if (failure.get() != null)
        {
            throw new IllegalStateException("a thread failed", failure.get());
        }
    }

    private Grim join(final String name)
    {
        return Grim.enable(ContractSupport.builder(settings, 0).set("grim.node.name", name).build());
    }

    /** Some threads do something all the time, while the node leaves and for a while after. */
    private void closeUnder(final Use use) throws InterruptedException
    {
        for (int round = 0; round < ROUND_COUNT; round++)
        {
            closeUnder(join("near"), use);
        }
    }

    private void closeUnder(final Grim node, final Use use) throws InterruptedException
    {
        final AtomicBoolean isEnded = new AtomicBoolean();
        final List<Thread> threads = new ArrayList<>();
        final CountDownLatch running = new CountDownLatch(THREAD_COUNT);
        for (int i = 0; i < THREAD_COUNT; i++)
        {
            threads.add(start(() ->
            {
                use.run(node);
                running.countDown();
                while (!isEnded.get())
                {
                    use.run(node);
                }
                use.run(node);
            }));
        }
        await(running);
        node.close();
        TimeUnit.MILLISECONDS.sleep(5);
        isEnded.set(true);
        for (final Thread thread : threads)
        {
            thread.join();
        }
    }

    private void closeUnderSharedLink() throws InterruptedException
    {
        try (Grim far = join("far"))
        {
            for (int round = 0; round < ROUND_COUNT; round++)
            {
                final Grim node = join("near");
                final SharedLink link = node.endpoint().sharedLink(node.locate("far"));
                closeUnder(node, ignored ->
                {
                    link.send(NOBODY, payload, 0, 100);
                    far.node();
                });
                require(link.send(NOBODY, payload, 0, 8) == SendStatus.CLOSED, "a late send is CLOSED");
                link.close();
            }
        }
    }

    private void closeUnderRegion() throws InterruptedException
    {
        for (int round = 0; round < ROUND_COUNT; round++)
        {
            final Grim node = join("near");
            final AtomicBuffer region = node.endpoint().memory().register(1 << 20).buffer();
            final AtomicBuffer niMemory = isBoard ? niMemory(node) : region;
            closeUnder(node, ignored ->
            {
                touch(region);
                touch(niMemory);
            });
        }
    }

    /** The transport is none of this module's. */
    private static AtomicBuffer niMemory(final Grim node)
    {
        try
        {
            final Class<?> type = Class.forName("org.grim.myrinet.extension.NetworkInterface");
            return (AtomicBuffer)type.getMethod("memory").invoke(node.extension(type));
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    private void closeUnderMessage() throws InterruptedException
    {
        for (int round = 0; round < ROUND_COUNT; round++)
        {
            final Grim node = join("near");
            final DirectBuffer[] kept = new DirectBuffer[1];
            final int[] offset = new int[1];
            final HandlerId keep = handler(node, "keep", message ->
            {
                kept[0] = message.buffer();
                offset[0] = message.offset();
            });
            sendToSelf(node, keep);
            pollUntil(node, () -> kept[0] != null);
            closeUnder(node, ignored -> kept[0].getLong(offset[0]));
        }
    }

    private void closeUnderOwner() throws InterruptedException
    {
        try (Grim far = join("far"))
        {
            for (int round = 0; round < ROUND_COUNT; round++)
            {
                final Grim node = join("near");
                final EndpointId farId = far.node().endpoint();
                final CountDownLatch running = new CountDownLatch(1);
                final Thread owner = start(() ->
                {
                    final Link self = node.endpoint().link(node.endpoint().id());
                    final Link link = node.endpoint().link(farId);
                    SendStatus status = SendStatus.SENT;
                    while (status != SendStatus.CLOSED)
                    {
                        self.send(NOBODY, payload, 0, 100);
                        status = link.send(NOBODY, payload, 0, 100);
                        node.endpoint().poll();
                        running.countDown();
                    }
                    require(node.endpoint().poll() == 0, "a late poll does nothing");
                });
                await(running);
                node.close();
                owner.join();
            }
        }
    }

    private void closeTogether() throws InterruptedException
    {
        for (int round = 0; round < ROUND_COUNT; round++)
        {
            final Grim node = join("near");
            node.startPolling();
            final Thread other = start(node::close);
            final Thread third = start(node::close);
            node.close();
            other.join();
            third.join();
        }
    }

    private void closeInHandler(final boolean isPolledForUs) throws InterruptedException
    {
        for (int round = 0; round < ROUND_COUNT; round++)
        {
            final Grim node = join("near");
            final CountDownLatch done = new CountDownLatch(1);
            final HandlerId leave = handler(node, "leave", message ->
            {
                final byte before = message.buffer().getByte(message.offset());
                node.close();
                require(before == message.buffer().getByte(message.offset()), "the message stays");
                require(message.reply(NOBODY, 0) == SendStatus.CLOSED, "a reply after closing is CLOSED");
                done.countDown();
            });
            sendToSelf(node, leave);
            if (isPolledForUs)
            {
                node.endpoint().releaseOwnership();
                node.startPolling();
                await(done);
            }
            else
            {
                pollUntil(node, () -> done.getCount() == 0);
            }
            node.close();
            require(node.endpoint().poll() == 0, "a late poll does nothing");
            // Its name is free again: it has left.
            join("near").close();
        }
    }

    private void publishLate()
    {
        try (Grim far = join("far"))
        {
            final Grim node = join("near");
            final HopClaim claim = new HopClaim();
            final Link link = node.endpoint().link(far.node().endpoint());
            require(link.tryClaim(NOBODY, 100, claim) == SendStatus.SENT, "a claim");
            final HopClaim aborted = new HopClaim();
            final Link self = node.endpoint().link(1, node.endpoint().id().onChannel(1));
            require(self.tryClaim(NOBODY, 8, aborted) == SendStatus.SENT, "another claim");
            node.close();
            claim.buffer().putLong(claim.offset(), 1);
            requireLeft(claim::publish);
            aborted.abort();
            require(link.tryClaim(NOBODY, 8, claim) == SendStatus.CLOSED, "a late claim is CLOSED");
        }
    }

    private void callLate()
    {
        final Grim node = join("near");
        final Link link = node.endpoint().link(node.endpoint().id());
        final MemoryRegion region = node.endpoint().memory().register(4096);
        final RemoteMemory.Read read = node.endpoint().memory().newRead();
        final RemoteMemory.Atomic added = node.endpoint().memory().newAtomic();
        final RemoteMemory.Atomic unseen = node.endpoint().memory().newAtomic();
        final var remote = node.endpoint().memory().link(node.endpoint().id());
        require(remote.fetchAddInt(region.remote(), 0, 7, added) == SendStatus.SENT, "an addition");
        pollUntil(node, added::isComplete);
        require(remote.fetchAddInt(region.remote(), 0, 7, unseen).isAccepted(), "another addition");
        final var reader = node.counters();
        final var idle = node.endpoint().idleStrategy();
        node.close();
        node.close();
        readCounters(node.counters());
        readCounters(reader);
        requireLeft(node::node);
        requireLeft(node::nodes);
        requireLeft(node::start);
        requireLeft(() -> node.locate("near"));
        requireLeft(() -> node.openEndpoint(3));
        requireLeft(node::startPolling);
        requireLeft(() -> node.extension(AutoCloseable.class));
        requireLeft(() -> node.endpoint().memory().register(1));
        requireLeft(() -> node.endpoint().link(EndpointId.of(0, 0, 1)));
        requireLeft(() -> node.endpoint().sharedLink(node.endpoint().id()));
        requireLeft(() -> node.handlers().resolve("unknown"));
        requireLeft(() -> node.endpoint().doorbell().listen(null));
        requireLeft(() -> node.endpoint().doorbell().prepareToSleep());
        node.endpoint().doorbell().awake();
        idle.idle(0);
        region.close();
        require(region.buffer().capacity() == 0, "a region is empty");
        require(read.isComplete(), "a read has ended");
        require(added.isComplete() && added.previous() == 0, "an addition has ended");
        require(unseen.isComplete(), "an addition whose end nobody saw has ended");
        require(remote.fetchAddInt(region.remote(), 0, 1, added) == SendStatus.CLOSED, "a late addition");
        require(remote.writeWithSignal(region.remote(), 0, payload, 0, 8, region.remote().slice(8, 4), 1) ==
            SendStatus.CLOSED, "a late signal");
        require(remote.write(region.remote(), 0, payload, 0, 8) == SendStatus.CLOSED, "a late write");
        require(link.send(NOBODY, payload, 0, 8) == SendStatus.CLOSED, "a late send");
        require(link.tryOpenStream(NOBODY, 0, 0, 0, 0, 8, new OutgoingStream()) == SendStatus.CLOSED, "a late stream");
        require(node.endpoint().poll() == 0, "a late poll");
    }

    private HandlerId handler(final Grim node, final String name, final ActiveMessage.Handler handler)
    {
        node.handlers().register(name, handler);
        node.start();
        return node.handlers().resolve(name);
    }

    private void sendToSelf(final Grim node, final HandlerId handler)
    {
        final EndpointId self = node.endpoint().id();
        require(node.endpoint().link(self).send(handler, payload, 0, 100) == SendStatus.SENT, "room");
    }

    private static void pollUntil(final Grim node, final java.util.function.BooleanSupplier isSo)
    {
        while (!isSo.getAsBoolean())
        {
            node.endpoint().poll();
        }
    }

    private static void readCounters(final CountersReader reader)
    {
        reader.forEach((value, counterId, label) -> require(!label.isEmpty(), "a label"));
    }

    private static void touch(final AtomicBuffer region)
    {
        for (int i = 0; i < region.capacity(); i += 4096)
        {
            try
            {
                region.putLong(i, region.getLong(i) + 1);
            }
            catch (final IndexOutOfBoundsException ex)
            {
                require(region.capacity() == 0, "a region that was freed");
            }
        }
    }

    private static void tolerateLeft(final Runnable call)
    {
        try
        {
            call.run();
        }
        catch (final IllegalStateException ex)
        {
            requireText(ex);
        }
    }

    private static void requireLeft(final Runnable call)
    {
        try
        {
            call.run();
        }
        catch (final IllegalStateException ex)
        {
            requireText(ex);
            return;
        }
        throw new IllegalStateException("a late call did not fail");
    }

    private static void requireText(final IllegalStateException ex)
    {
        if (!ex.getMessage().contains("has left the cluster"))
        {
            throw new IllegalStateException("another text", ex);
        }
    }

    private static void require(final boolean isSo, final String what)
    {
        if (!isSo)
        {
            throw new IllegalStateException("expected: " + what);
        }
    }

    private Thread start(final Runnable work)
    {
        final Thread thread = new Thread(work, "late");
        thread.setUncaughtExceptionHandler((ignored, ex) -> failure.compareAndSet(null, ex));
        thread.start();
        return thread;
    }

    private void await(final CountDownLatch latch) throws InterruptedException
    {
        while (!latch.await(1, TimeUnit.MILLISECONDS) && failure.get() == null)
        {
            Thread.onSpinWait();
        }
    }

    private static void endIfItHangs()
    {
        try
        {
            TimeUnit.SECONDS.sleep(DEADLINE_S);
        }
        catch (final InterruptedException expected)
        {
            return;                         // The scenario has ended.
        }
        Thread.getAllStackTraces().forEach((thread, frames) -> LOGGER.warn("hangs: {} {}", thread, List.of(frames)));
        Runtime.getRuntime().halt(3);
    }

    /** One use of the node. */
    @FunctionalInterface
    private interface Use
    {
        void run(Grim node);
    }
}
