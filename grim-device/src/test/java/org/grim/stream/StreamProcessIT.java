// SPDX-License-Identifier: Apache-2.0
package org.grim.stream;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.DeviceInfo;
import org.grim.EndpointId;
import org.grim.Grim;
import org.grim.NodeInfo;
import org.grim.SendStatus;
import org.grim.death.PeerJvm;
import org.grim.death.ShmDirectory;
import org.grim.device.accelerator.PageOperands;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A line of five processes: owner, three stages, sink. A stage is replaced while items flow, and one is killed. */
@Tag("process")
@Timeout(600)
final class StreamProcessIT
{
    private static final int ADD = 2;
    private static final int MULTIPLY = 4;
    private static final int COUNT = 20_000;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    private Path directory;
    private final Path clusters = ShmDirectory.create();
    private final List<PeerJvm> peers = new ArrayList<>();
    private final BitSet lost = new BitSet();
    private Grim grim;
    private Streams streams;
    private Connection connection;

    @AfterEach
    void close()
    {
        if (streams != null)
        {
            streams.close();
        }
        if (grim != null)
        {
            grim.close();
        }
        peers.forEach(PeerJvm::close);
        ShmDirectory.delete(clusters);
    }

    @Test
    void shouldNameWhatADeadStageLoses() throws Exception
    {
        final Path file = directory.resolve("items");
        final EndpointId sink = open(file);
        final EndpointId[] gpus = {device("gpu0"), device("gpu1"), device("gpu2")};
        final ConnectionListener listener = new ConnectionListener()
        {
            @Override
            public void onLost(final long first, final long last)
            {
                lost.set((int)first, (int)last + 1);
            }
        };
        connection = streams.open(ConnectionSpec.of("line", sink,
            Stage.of(gpus[0], "alu").operation(ADD).constant(1), Stage.of(gpus[1], "alu").operation(MULTIPLY)
            .constant(3), Stage.of(gpus[2], "alu").operation(ADD).constant(5)).listener(listener), PATIENCE);

        inject(COUNT / 2);
        connection.replace(1, Stage.of(gpus[2], "alu").operation(MULTIPLY).constant(3));
        inject(COUNT / 2);
        await(connection::isSettled);
        assertEquals(0, lost.cardinality(), "a live change loses nothing");
        connection.replace(1, Stage.of(gpus[1], "alu").operation(MULTIPLY).constant(3));
        await(connection::isSettled);
        inject(COUNT / 2);
        final long killedNs = System.nanoTime();
        peers.get(2).kill();                    // The process of gpu1.
        inject(COUNT / 2);
        final long replacedNs = System.nanoTime();
        await(() -> connection.accounts().pending() == 0 && connection.isSettled());
        final Accounts accounts = connection.accounts();
        connection.close();
        await(() -> Files.exists(file));

        assertEquals(2 * COUNT, accounts.injected());
        assertEquals(2 * COUNT, accounts.delivered() + accounts.lost(), accounts::toString);
        assertEquals(accounts.lost(), lost.cardinality(), accounts::toString);
        final BitSet delivered = new BitSet();
        int last = 0;
        for (final String line : Files.readAllLines(file))
        {
            final int sequence = Integer.parseInt(line.substring(0, line.indexOf(' ')));
            assertTrue(sequence > last, () -> line + " is out of order");
            last = sequence;
            assertEquals(sequence + " " + ((sequence + 1) * 3 + 5), line);
            delivered.set(sequence);
        }
        assertEquals(accounts.delivered(), delivered.cardinality());
        delivered.flip(1, 2 * COUNT + 1);
        assertEquals(lost, delivered, "each lost item is named, and no other");
        LoggerFactory.getLogger(getClass()).info("{}; all were injected {} ms after the kill", accounts,
            TimeUnit.NANOSECONDS.toMillis(replacedNs - killedNs));
    }

    /** A running sum in a page: what the page had when its process was killed is named exactly. */
    @Test
    void shouldRestoreTheCheckpointOfAKilledStageUnderLoad() throws Exception
    {
        final Path file = directory.resolve("items");
        final EndpointId sink = open(file);
        final long[] restored = {-1, -1};
        final ConnectionListener listener = new ConnectionListener()
        {
            @Override
            public void onRestored(final int stage, final long sequence)
            {
                restored[0] = sequence;
                restored[1] = connection.accounts().injected();
            }
        };
        connection = streams.open(ConnectionSpec.of("line", sink, Stage.of(device("gpu0"), "alu").operation(ADD)
            .pages(PageOperands.NONE.readB(3, 0).keepC(3, 0).inSpace(5)).checkpoint(500)).listener(listener), PATIENCE);

        inject(COUNT / 2);
        await(() -> connection.checkpoint(0) != null && connection.checkpoint(0).sequence() > 0);
        inject(COUNT / 4);
        peers.get(1).kill();                    // The process of gpu0.
        inject(COUNT / 4);
        await(() -> connection.accounts().pending() == 0 && connection.isSettled());
        final Accounts accounts = connection.accounts();
        connection.close();
        await(() -> Files.exists(file));

        assertTrue(restored[0] > 0 && restored[0] <= restored[1], () -> restored[0] + " of " + restored[1]);
        assertEquals(COUNT, accounts.delivered() + accounts.lost(), accounts::toString);
        long sum = 0;
        boolean isBehind = false;
        for (final String line : Files.readAllLines(file))
        {
            final long sequence = Long.parseLong(line.substring(0, line.indexOf(' ')));
            if (sequence > restored[1] && !isBehind)
            {
                isBehind = true;
                sum = restored[0] * (restored[0] + 1) / 2;
            }
            sum += sequence;
            assertEquals(sequence + " " + sum, line, () -> "restored " + restored[0] + " at " + restored[1]);
        }
        assertTrue(isBehind, "no item came behind the death");
        LoggerFactory.getLogger(getClass()).info("{}; restored up to {} of {}", accounts, restored[0], restored[1]);
    }

    /** Starts all processes. Returns the sink. */
    private EndpointId open(final Path file) throws Exception
    {
        peers.add(new PeerJvm(directory.resolve("sink.log"), StreamMain.class, clusters.toString(), "sink",
            file.toString()));
        for (int i = 0; i < 3; i++)
        {
            peers.add(new PeerJvm(directory.resolve("gpu.log"), StreamMain.class, clusters.toString(), "gpu" + i));
        }
        grim = Grim.enable(StreamMain.config(clusters, "owner"));
        grim.startPolling();
        streams = Streams.open(grim);
        grim.start();
        final Path sink = file.resolveSibling("sink");
        await(() -> Files.exists(sink));
        await(() -> grim.devices(NodeInfo.Device.ACCELERATOR).stream()
            .filter(device -> device.state() == DeviceInfo.State.UP).count() == 3);
        return EndpointId.ofKey(Integer.parseInt(Files.readString(sink).strip()));
    }

    private EndpointId device(final String node)
    {
        return grim.locate(NodeInfo.Device.ACCELERATOR, grim.locate(node).node());
    }

    private void inject(final int count)
    {
        final UnsafeBuffer item = new UnsafeBuffer(new byte[4]);
        for (int i = 0; i < count; i++)
        {
            item.putInt(0, (int)connection.accounts().injected() + 1);
            await(() -> connection.inject(item, 0, item.capacity()) == SendStatus.SENT);
        }
    }

    private void await(final BooleanSupplier isSo)
    {
        final long startNs = System.nanoTime();
        while (!isSo.getAsBoolean())
        {
            assertTrue(System.nanoTime() - startNs < PATIENCE.toNanos(), () -> "waited in vain: " +
                (connection == null ? "" : connection.accounts() + " " + connection.failure()));
            streams.idleStrategy().idle(streams.poll());
        }
    }
}
