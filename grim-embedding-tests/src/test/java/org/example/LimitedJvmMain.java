// SPDX-License-Identifier: Apache-2.0
package org.example;

import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

import org.agrona.concurrent.IdleStrategy;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.SendStatus;
import org.grim.SharedLink;

/** A process that is short of something; {@link LimitedJvmIT} starts it with the limit. Says what it found. */
final class LimitedJvmMain
{
    private static final int SLEEP_COUNT = 40;
    private static final long HEAP_FULL_NS = TimeUnit.SECONDS.toNanos(2);
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final int JOIN_COUNT_MAX = 100;
    private static final int OBJECT_LENGTH_MAX = 1 << 20;

    private final Path directory;
    private final List<Throwable> errors = new ArrayList<>();
    private final AtomicInteger handledCount = new AtomicInteger();

    private LimitedJvmMain(final Path directory)
    {
        this.directory = directory;
    }

    public static void main(final String[] arguments) throws IOException, InterruptedException
    {
        final LimitedJvmMain process = new LimitedJvmMain(Path.of(arguments[1]));
        switch (arguments[0])
        {
            case "descriptors" -> process.runWithoutDescriptors();
            case "heap" -> process.runWithAFullHeap();
            case "direct" -> process.runWithLittleDirectMemory();
            case "lingering" -> process.joinUntilThereIsNoRoom();
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    /**
     * Neither a doorbell that cannot be made nor one that cannot accept throws out of the loop, nor does a class that
     * is needed for the first time.
     */
    private void runWithoutDescriptors() throws IOException
    {
        try (Grim near = enable("near"); Grim far = enable("far"))
        {
            final HandlerId handler = near.handlers().register("count", message -> handledCount.incrementAndGet());
            near.start();
            final Path bell = directory.resolve("default").resolve("node-" + near.node().number() + "-" +
                near.node().incarnation() + ".bell-0");
            final Link link = far.endpoint().link(near.node().endpoint());

            final Deque<Closeable> held = takeAllDescriptors();
            sleep(near);
            link.send(handler, 0, 0, 0, 0);
            loop(near, () -> handledCount.get() == 1);
            say("without a doorbell: errors", errors.size());
            giveBack(held);
            loop(near, () -> Files.exists(bell));

            held.addAll(takeAllDescriptors());
            held.pop().close();
            try (SocketChannel ring = SocketChannel.open(StandardProtocolFamily.UNIX))
            {
                ring.connect(UnixDomainSocketAddress.of(bell));
                sleep(near);
                link.send(handler, 0, 0, 0, 0);
                loop(near, () -> handledCount.get() == 2);
                say("with a doorbell that accepts nothing: errors", errors.size());
                giveBack(held);
                sleep(near);
                say("afterwards: errors", errors.size());
            }
        }
    }

    private void runWithAFullHeap() throws InterruptedException
    {
        try (Grim grim = enable("full"))
        {
            final HandlerId handler = grim.handlers().register("count", message -> handledCount.incrementAndGet());
            grim.startPolling();
            grim.start();
            final SharedLink link = grim.endpoint().sharedLink(grim.node().endpoint());
            final int fullCount = fillHeap();
            while (link.send(handler, 0, 0, 0, 0) != SendStatus.SENT)
            {
                Thread.sleep(1);
            }
            final long deadlineNs = System.nanoTime() + DEADLINE_NS;
            while (handledCount.get() == 0 && System.nanoTime() - deadlineNs < 0)
            {
                Thread.sleep(1);
            }
            say("heap was full=" + (fullCount > 0) + " handled", handledCount.get());
        }
    }

    private void runWithLittleDirectMemory()
    {
        try (Grim grim = enable("little"))
        {
            grim.start();
            say("joined", grim.nodes().size());
            try
            {
                grim.endpoint().link(grim.node().endpoint());
            }
            catch (final GrimException ex)
            {
                System.out.println(ex.reason() + " " + ex.getMessage());
            }
        }
    }

    private void joinUntilThereIsNoRoom()
    {
        int joinCount = 0;
        try
        {
            for (; joinCount < JOIN_COUNT_MAX; joinCount++)
            {
                enable("again").close();
            }
        }
        catch (final GrimException ex)
        {
            System.out.println(ex.reason() + " " + ex.getMessage());
        }
        say("joins", joinCount);
    }

    private Grim enable(final String name)
    {
        return Grim.enable(GrimConfig.builder().nodeName(name).directory(directory).set("grim.warm-up", "300ms")
            .errorHandler(errors::add).build());
    }

    private static void sleep(final Grim grim)
    {
        final IdleStrategy idle = grim.endpoint().idleStrategy();
        int emptyCount = 0;
        while (emptyCount < SLEEP_COUNT * SLEEP_COUNT)     // Of a strategy that spins and yields before it sleeps.
        {
            final int workCount = grim.endpoint().poll();
            idle.idle(workCount);
            emptyCount += workCount == 0 ? 1 : 0;
        }
    }

    private static void loop(final Grim grim, final BooleanSupplier isDone)
    {
        final IdleStrategy idle = grim.endpoint().idleStrategy();
        final long deadlineNs = System.nanoTime() + DEADLINE_NS;
        while (!isDone.getAsBoolean())
        {
            if (System.nanoTime() - deadlineNs > 0)
            {
                throw new IllegalStateException("it does not come");
            }
            idle.idle(grim.endpoint().poll());
        }
    }

    private static Deque<Closeable> takeAllDescriptors()
    {
        final Deque<Closeable> held = new ArrayDeque<>();
        try
        {
            while (true)
            {
                held.push(new FileInputStream("/dev/null"));
            }
        }
        catch (final IOException ex)
        {
            return held;                // There is none left.
        }
    }

    private static void giveBack(final Deque<Closeable> held) throws IOException
    {
        while (!held.isEmpty())
        {
            held.pop().close();
        }
    }

    /** Returns how often it was full; the library's threads run meanwhile, and allocate. */
    private static int fillHeap()
    {
        final List<Object> hoard = new ArrayList<>(OBJECT_LENGTH_MAX);
        long endNs = System.nanoTime() + DEADLINE_NS;
        int fullCount = 0;
        int length = OBJECT_LENGTH_MAX;
        while (System.nanoTime() - endNs < 0)
        {
            try
            {
                hoard.add(new byte[length]);
            }
            catch (final OutOfMemoryError ex)
            {
                endNs = fullCount == 0 ? System.nanoTime() + HEAP_FULL_NS : endNs;
                fullCount++;
                length = Math.max(length / 2, 1);
            }
        }
        final boolean isFilled = !hoard.isEmpty();
        hoard.clear();
        return isFilled ? fullCount : 0;
    }

    private static void say(final String what, final int count)
    {
        System.out.println(what + "=" + count);
    }
}
