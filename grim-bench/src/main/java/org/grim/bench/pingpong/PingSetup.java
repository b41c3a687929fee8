// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.pingpong;

import java.util.function.BooleanSupplier;

import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.bench.boards.BoardKind;
import org.grim.bench.process.BoundedSpin;
import org.grim.wire.MessageHeader;

/**
 * What both processes must agree on.
 *
 * @param transport name of it.
 * @param board     who runs the boards' firmware, where the transport goes through boards; else null.
 * @param mode      what goes there and back.
 * @param sizeMax   most payload bytes.
 */
public record PingSetup(String transport, BoardKind board, Mode mode, int sizeMax)
{
    /** Transport that needs no second process. */
    public static final String NULL_TRANSPORT = "null";

    private static final String REFERENCE_TRANSPORT = "shmem";
    // Read before any thread is pinned: afterwards the JVM sees one core.
    private static final int CORE_COUNT = Runtime.getRuntime().availableProcessors();
    private static final int SIZE_MAX_USUAL = 16 << 20;
    // Beside a large message in each of its stores: headers, and what the message before it has not given back yet.
    private static final int STORE_FACTOR = 2;
    private static final int STORE_EXTRA_LENGTH = 1 << 20;

    /** The same over shared memory, to compare with. */
    PingSetup reference()
    {
        return new PingSetup(REFERENCE_TRANSPORT, null, mode, sizeMax);
    }

    GrimConfig nodeConfig(final GrimConfig config, final String cluster, final String name)
    {
        return nodeConfig(config.toBuilder().set("grim.cluster.name", cluster).build(), name);
    }

    GrimConfig nodeConfig(final GrimConfig config, final String name)
    {
        final GrimConfig.Builder builder = config.toBuilder().nodeName(name).transports(transport);
        if (mode == Mode.AM && sizeMax > MessageHeader.PAYLOAD_LENGTH_MAX)
        {
            final int lengthMax = Math.max(sizeMax, SIZE_MAX_USUAL);
            final long storeLength = (long)lengthMax * STORE_FACTOR + STORE_EXTRA_LENGTH;
            builder.set("grim.message.length-max", lengthMax).set("grim.message.outbox-length", storeLength)
                .set("grim.message.reassembly-length", storeLength).set("grim.overflow.ceiling", storeLength);
        }
        if (board == null)
        {
            return builder.build();
        }
        return mode.isRemote() ? board.apply(builder.build(), MemorySide.regionLength(sizeMax)) :
            board.apply(builder.build());
    }

    PingClient newClient(final Grim grim, final BoundedSpin spin, final BooleanSupplier server)
    {
        return mode.isRemote() ? new MemoryClient(grim, spin, mode, sizeMax, isStepped(), server) :
            new EchoClient(grim, spin, sizeMax);
    }

    PingServer newServer(final Grim grim, final BoundedSpin spin)
    {
        return new PingServer(grim, spin, mode.isRemote() ? new MemoryServer(grim, spin, isStepped()) : null);
    }

    /** Threads that all want to run. */
    int pollerCount()
    {
        return board == null ? 2 : board.pollerCount();
    }

    static int coreCount()
    {
        return CORE_COUNT;
    }

    boolean hasTooFewCores()
    {
        return CORE_COUNT < pollerCount();
    }

    /** Whether remote memory moves only while its owner polls: through boards, and to itself. */
    private boolean isStepped()
    {
        return !REFERENCE_TRANSPORT.equals(transport);
    }
}
