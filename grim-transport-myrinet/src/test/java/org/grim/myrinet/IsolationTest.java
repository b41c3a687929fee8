// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.EndpointId;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.SendStatus;
import org.grim.board.ChannelRegisters;
import org.grim.board.DmaRegionHeader;
import org.grim.board.PhysicalAddress;
import org.grim.board.counters.NiCounterKind;
import org.grim.buffer.Buffers;
import org.grim.counters.CountersView;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.grim.board.ChannelRegisters.ARRIVAL_ADDRESS;
import static org.grim.board.ChannelRegisters.DELIVERED;
import static org.grim.board.ChannelRegisters.FRAME_COUNT;
import static org.grim.board.ChannelRegisters.FRAME_LENGTH;
import static org.grim.board.ChannelRegisters.PULL_REFUSED;
import static org.grim.board.ChannelRegisters.STATUS;
import static org.grim.board.ChannelRegisters.UNDELIVERED;
import static org.grim.board.ChannelRegisters.UNKNOWN;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

/** Writes of a process into its own part of a shared board reach no memory or channels of others. */
@Tag("long")
@Timeout(180)
final class IsolationTest
{
    private static final int CHANNEL_COUNT = 4;
    private static final int CONTEXT_COUNT = 5;         // The board's own node, honest, hostile, partner, newcomer.
    private static final int MESSAGE_COUNT = 200;
    private static final int PAYLOAD_LENGTH_MAX = 1_500;
    private static final int REGISTERED_LENGTH = 64 << 10;
    private static final byte CANARY = (byte)0xC7;
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(60);

    @TempDir
    private Path directory;
    private final AtomicBuffer payload = Buffers.allocate(PAYLOAD_LENGTH_MAX);
    private final List<Grim> polled = new ArrayList<>();
    private final int[][] counts = new int[CONTEXT_COUNT][CONTEXT_COUNT];
    private Grim board;
    private Grim honest;
    private Grim hostile;
    private Grim partner;
    private HostileParty party;
    private int honestStart;

    @BeforeEach
    void start() throws IOException
    {
        board = open("board", "");
        honest = open("honest", "board");
        hostile = open("hostile", "board");
        partner = open("partner", "board");
        exchange(partner, honest);
        exchange(hostile, partner);
        polled.remove(hostile);                                 // From now on it only does harm.
        honestStart = writeCanaries();
        party = new HostileParty(file(board, "board"), hostile.node(), honest.node(), board.node(), CHANNEL_COUNT,
            honestStart);
    }

    @AfterEach
    void close()
    {
        if (party != null)
        {
            party.close();
        }
        for (final Grim grim : Arrays.asList(honest, hostile, partner, board))
        {
            if (grim != null)
            {
                grim.close();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Attack.class)
    void shouldHarmNobodyElse(final Attack attack) throws IOException
    {
        final byte[] before = regionOfHonest();
        final long refusedBefore = refused();

        attack.run(party);

        await(() -> attack.isCounted(party), () -> "a count of " + attack + ": " + counters());
        if (attack.result() == Attack.Result.REFUSED)
        {
            await(() -> refused() > refusedBefore, () -> "the board's count of " + attack);
        }
        exchange(honest, partner);
        assertArrayEquals(before, regionOfHonest());
        assertFalse(party.hasStolen(CANARY));
        try (Grim newcomer = open("newcomer", "board"))
        {
            exchange(newcomer, partner);
            exchange(newcomer, honest);
            polled.remove(newcomer);
        }
        assertArrayEquals(before, regionOfHonest());
    }

    private Grim open(final String name, final String boardName)
    {
        final GrimConfig.Builder builder = GrimConfig.builder().directory(directory).nodeName(name)
            .transports("myrinet")
            .set("grim.channels.count", CHANNEL_COUNT).set("grim.channels.host", 2)
            .set("grim.handlers.resolve-timeout", "30s")
            .set("grim.myrinet.board", boardName)
            .set("grim.myrinet.deadline", "30s").set("grim.myrinet.linger", "1ms")
            .set("grim.myrinet.queue-length", 16 << 10)
            .set("grim.myrinet.arrival.frame-length", 4 << 10).set("grim.myrinet.arrival.frame-count", 16)
            .set("grim.myrinet.registered-length", REGISTERED_LENGTH)
            .set("grim.myrinet.injection.mechanism", "bulk-copy");          // Bounce buffers stay as they are.
        if (boardName.isEmpty())
        {
            builder.set("grim.myrinet.firmware", "duty-cycle").set("grim.myrinet.contexts", CONTEXT_COUNT)
                .set("grim.myrinet.board-channels", CONTEXT_COUNT * CHANNEL_COUNT)
                .set("grim.myrinet.sram-length", "4MiB");
        }
        final Grim grim = Grim.enable(builder.build());
        if (boardName.isEmpty())
        {
            grim.startPolling();                                // Others wait for the board to take them in.
            return grim;
        }
        polled.add(grim);
        grim.handlers().register("check", message ->
        {
            final int sequence = message.argument(0);
            assertEquals(counts[message.source().node()][grim.node().number()]++, sequence);
            assertEquals(length(sequence), message.length());
            for (int i = 0; i < message.length(); i++)
            {
                assertEquals((byte)(sequence + i), message.buffer().getByte(message.offset() + i));
            }
        });
        await(() -> grim.handlers().tryResolve("check") != null, () -> "the handler");
        return grim;
    }

    private void exchange(final Grim near, final Grim far)
    {
        final int nearNumber = near.node().number();
        final int farNumber = far.node().number();
        counts[nearNumber][farNumber] = 0;
        counts[farNumber][nearNumber] = 0;
        for (int i = 0; i < MESSAGE_COUNT; i++)
        {
            final int sequence = i;
            await(() -> send(near, farNumber, sequence), () -> "room from " + nearNumber + " to " + farNumber);
            await(() -> send(far, nearNumber, sequence), () -> "room from " + farNumber + " to " + nearNumber);
        }
        await(() -> counts[nearNumber][farNumber] == MESSAGE_COUNT && counts[farNumber][nearNumber] == MESSAGE_COUNT,
            () -> "all messages between " + nearNumber + " and " + farNumber);
    }

    private boolean send(final Grim from, final int to, final int sequence)
    {
        final int length = length(sequence);
        for (int i = 0; i < length; i++)
        {
            payload.putByte(i, (byte)(sequence + i));
        }
        return from.endpoint().link(EndpointId.of(to, 0, 0)).send(
            from.handlers().tryResolve("check"), sequence, 0, 0, 0, payload, 0, length) == SendStatus.SENT;
    }

    private static int length(final int sequence)
    {
        return sequence * 37 % PAYLOAD_LENGTH_MAX;
    }

    private void await(final BooleanSupplier isSo, final Supplier<String> what)
    {
        final long deadlineNs = System.nanoTime() + DEADLINE_NS;
        while (!isSo.getAsBoolean())
        {
            polled.forEach(node -> node.endpoint().poll());
            if (System.nanoTime() - deadlineNs > 0)
            {
                fail("waited in vain: " + what.get());
            }
        }
    }

    /** Fills the honest node's registered memory, which is the end of its region. Returns where that begins. */
    private int writeCanaries() throws IOException
    {
        try (FileChannel file = FileChannel.open(dma(), StandardOpenOption.WRITE))
        {
            final long start = file.size() - REGISTERED_LENGTH;
            final byte[] canaries = new byte[REGISTERED_LENGTH];
            Arrays.fill(canaries, CANARY);
            assertEquals(REGISTERED_LENGTH, file.write(ByteBuffer.wrap(canaries), start));
            assertTrue(start > 0);
            return (int)start;
        }
    }

    /** Bounce buffers and registered memory: what lies behind the arrival queues. */
    private byte[] regionOfHonest() throws IOException
    {
        final byte[] region = Files.readAllBytes(dma());
        final int channelsEnd = arrivalsEnd();
        assertTrue(channelsEnd <= honestStart, channelsEnd + " " + honestStart);
        return Arrays.copyOfRange(region, channelsEnd, region.length);
    }

    private int arrivalsEnd()
    {
        long end = 0;
        for (int i = 0; i < CHANNEL_COUNT; i++)
        {
            final ChannelRegisters registers =
                new ChannelRegisters(party.sram, party.geometry, party.honestChannel + i);
            end = Math.max(end, PhysicalAddress.offset(registers.get(ARRIVAL_ADDRESS)) +
                (long)registers.get(FRAME_LENGTH) * registers.get(FRAME_COUNT));
        }
        return (int)end;
    }

    private long refused()
    {
        try (CountersView view = new CountersView(file(board, "ni"), NiCounterKind.values()))
        {
            return view.readings().stream().filter((reading) -> reading.kind() == NiCounterKind.REFUSED)
                .mapToLong(CountersView.Reading::value).sum();
        }
    }

    private String counters()
    {
        return "status=" + party.registers.getAcquire(STATUS) + " undelivered=" +
            party.registers.getAcquire(UNDELIVERED) +
            " refused=" + party.registers.getAcquire(ChannelRegisters.REFUSED) + " unknown=" +
            party.registers.getAcquire(UNKNOWN) + " delivered=" +
            party.registers.getAcquire(DELIVERED) + " pulls refused=" + party.registers.getAcquire(PULL_REFUSED) +
            " board refused=" +
            refused();
    }

    private Path dma()
    {
        return file(honest, DmaRegionHeader.fileKind(1));
    }

    private Path file(final Grim grim, final String kind)
    {
        return directory.resolve("default").resolve(
            "node-" + grim.node().number() + "-" + grim.node().incarnation() + "." + kind);
    }
}
