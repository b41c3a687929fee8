// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import org.grim.Endpoint;
import org.grim.FreePorts;
import org.grim.Grim;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.NodeInfo;
import org.grim.SendStatus;
import org.grim.aeron.observe.Party;
import org.grim.buffer.Uninterrupted;
import org.grim.death.PeerJvm;
import org.grim.death.ShmDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Processes are killed, with the host's media driver or without, and stopped. */
@Tag("process")
@Tag("long")
@Timeout(180)
final class AeronDeathIT
{
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

    private final Path directory = ShmDirectory.create();
    private final String endpoint = "127.0.0.1:" + FreePorts.pair();
    private final List<String> reported = new ArrayList<>();
    private final List<PeerJvm> peers = new ArrayList<>();
    private Grim sender;
    private HandlerId take;

    @AfterEach
    void close()
    {
        sender.close();
        peers.forEach(PeerJvm::close);
        ShmDirectory.delete(directory);
    }

    @Test
    void shouldAccountForEveryMessageWhenAPeerIsKilledAndFollowWithTheDriver() throws IOException
    {
        final PeerJvm victim = start("victim");
        final BufferedReader victimSays = victim.process().inputReader(StandardCharsets.UTF_8);
        assertEquals("joined", victimSays.readLine(), this::logs);
        join();
        sendReported("victim", victimSays);
        victim.tell("stop");
        assertEquals("stopped", victimSays.readLine());
        send("victim", 100, 107);

        victim.kill();
        await(() -> reported.size() == 1);
        final PeerJvm next = start("next");
        final BufferedReader nextSays = next.process().inputReader(StandardCharsets.UTF_8);
        assertEquals("joined", nextSays.readLine(), this::logs);
        send("next", 0, 100);
        read(nextSays, 0, 100);

        assertEquals(List.of("victim gone undelivered=0 unknown=7"), reported);
    }

    @Test
    void shouldReachAPeerAgainThatWasStoppedForTooLong() throws IOException
    {
        join();
        final PeerJvm stopped = start("stopped");
        final BufferedReader says = stopped.process().inputReader(StandardCharsets.UTF_8);
        assertEquals("joined", says.readLine(), this::logs);
        sendReported("stopped", says);

        stopped.stop();
        send("stopped", 100, 107);
        await(() -> reported.size() == 1);
        stopped.resume();
        send("stopped", 200, 300);
        readLateOnes(says, 100, 107, 200);
        read(says, 201, 300);

        assertEquals(List.of("stopped lost undelivered=0 unknown=7"), reported);
    }

    private void join()
    {
        sender = Grim.enable(
            AeronSettings.shortTimes(directory, "sender").set("grim.aeron.bind", endpoint).build());
        sender.endpoint().onNodeGone(new Endpoint.NodeGoneListener()
        {
            @Override
            public void onNodeGone(final NodeInfo node, final long undelivered, final long unknown)
            {
                reported.add(node.name() + " gone undelivered=" + undelivered + " unknown=" + unknown);
            }

            @Override
            public void onPathLost(final NodeInfo node, final long undelivered, final long unknown)
            {
                reported.add(node.name() + " lost undelivered=" + undelivered + " unknown=" + unknown);
            }
        });
    }

    /** The first 100 messages; the sender knows that all of them were consumed. */
    private void sendReported(final String name, final BufferedReader says) throws IOException
    {
        final Path driver = ShmDirectory.tree(directory).stream().filter(file -> file.endsWith("cnc.dat")).findFirst()
            .orElseThrow().getParent();
        try (ReportSpy reports = new ReportSpy(driver.toString(), endpoint,
            new Party(sender.node().number(), sender.node().incarnation())))
        {
            send(name, 0, 100);
            read(says, 0, 100);
            await(() -> reports.isRead(100));
        }
    }

    private void send(final String name, final int from, final int to)
    {
        await(() -> sender.handlers().tryResolve("take") != null);
        take = sender.handlers().tryResolve("take");
        for (int i = from; i < to; i++)
        {
            final int sequence = i;
            await(() -> trySend(name, sequence) == SendStatus.SENT);
        }
    }

    private SendStatus trySend(final String name, final int sequence)
    {
        try
        {
            return sender.endpoint().link(sender.locate(name)).send(take, sequence, 0, 0, 0);
        }
        catch (final GrimException ex)
        {
            assertEquals(GrimException.Reason.UNREACHABLE, ex.reason(), ex::getMessage);
            return SendStatus.BACK_PRESSURED;           // There is no driver at this moment.
        }
    }

    private void read(final BufferedReader says, final int from, final int to) throws IOException
    {
        for (int i = from; i < to; i++)
        {
            await(() -> isReady(says));
            assertEquals(Integer.toString(i), says.readLine());
        }
    }

    /** The stopped process may deliver, in order, messages from its memory before the first message of the new hop. */
    private void readLateOnes(final BufferedReader says, final int from, final int to, final int next)
        throws IOException
    {
        await(() -> isReady(says));
        int sequence = Integer.parseInt(says.readLine());
        for (int expected = from; sequence != next; expected++)
        {
            assertTrue(sequence == expected && expected < to, "sequence=" + sequence);
            await(() -> isReady(says));
            sequence = Integer.parseInt(says.readLine());
        }
    }

    private static boolean isReady(final BufferedReader says)
    {
        try
        {
            return says.ready();
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    private void await(final BooleanSupplier isSo)
    {
        final long deadlineNs = System.nanoTime() + PATIENCE_NS;
        while (!isSo.getAsBoolean())
        {
            assertTrue(System.nanoTime() - deadlineNs < 0, () -> "in vain: reported=" + reported + logs());
            sender.endpoint().poll();
            Uninterrupted.park(100_000);
        }
    }

    private PeerJvm start(final String name)
    {
        final PeerJvm peer =
            new PeerJvm(directory.resolve(name + ".log"), PeerMain.class, directory.toString(), name);
        peers.add(peer);
        return peer;
    }

    private String logs()
    {
        final StringBuilder text = new StringBuilder();
        for (final Path file : ShmDirectory.tree(directory))
        {
            text.append(file.toString().endsWith(".log") && Files.isRegularFile(file) ?
                "\n" + file.getFileName() + ": " + ShmDirectory.text(file) : "");
        }
        return text.toString();
    }
}
