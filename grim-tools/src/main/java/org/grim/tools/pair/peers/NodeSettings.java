// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pair.peers;

import java.nio.file.Path;
import java.util.List;

import org.grim.GrimConfig;
import org.grim.tools.boards.BoardKind;
import org.grim.tools.pair.Ends;
import org.grim.tools.pair.HostPlaces;
import org.grim.tools.pair.PeerPair;
import org.grim.wire.MessageHeader;

/** Settings of this library's nodes as peers, also by properties of the process. No state. */
public final class NodeSettings
{
    static final String TAIL_FLAG = "tail-flag";
    static final String QUEUE_POINTER = "queue-pointer";
    private static final String HOSTS_CLUSTER = "h";        // Short: the paths of sockets are.
    private static final int SIZE_MAX_USUAL = 16 << 20;
    // Beside a large message in each of its stores: headers, and what the message before it has not given back yet.
    private static final int STORE_FACTOR = 2;
    private static final int STORE_EXTRA_LENGTH = 1 << 20;
    private static final int REGION_EXTRA_LENGTH = 1 << 12;

    private NodeSettings()
    {
    }

    /**
     * One transport, with room for messages up to a length.
     *
     * @param transport its name.
     * @param config    of the node.
     * @param sizeMax   most payload bytes.
     * @return the settings.
     */
    public static GrimConfig over(final String transport, final GrimConfig config, final int sizeMax)
    {
        return withRoom(config, sizeMax).toBuilder().transports(transport).build();
    }

    /** Aeron between two hosts of a cluster, with its defaults: each process is one, with its agent and its driver. */
    static GrimConfig overHosts(final GrimConfig config, final Path directory, final Ends ends, final int sizeMax)
    {
        final List<String> addresses = List.of(System.getProperty(HostPlaces.PROPERTY).split(","));
        final int host = ends == Ends.SECOND ? 1 : 0;
        return withRoom(config, sizeMax).toBuilder().transports("shmem", "aeron")
            .directory(directory.resolve(Integer.toString(host))).set("grim.cluster.name", HOSTS_CLUSTER)
            .set("grim.node.host", "host-" + host)
            .set("grim.network.bind", addresses.get(host)).set("grim.network.discovery.hosts", addresses).build();
    }

    /** Boards; the arrival mode is the caller's, unless a kind of board was asked for, which comes as configured. */
    static GrimConfig boards(final GrimConfig config, final int sizeMax, final String arrivalMode)
    {
        final GrimConfig.Builder builder = board().apply(withRoom(config, sizeMax)).toBuilder();
        return System.getProperty(BoardKind.PROPERTY) == null ?
            builder.set("grim.myrinet.arrival.mode", arrivalMode).build() : builder.build();
    }

    /** Boards, with room for a region of twice a length. */
    static GrimConfig boardsWithMemory(final GrimConfig config, final int sizeMax)
    {
        return board().apply(config, 2L * sizeMax + REGION_EXTRA_LENGTH);
    }

    private static BoardKind board()
    {
        final String label = System.getProperty(BoardKind.PROPERTY);
        return label == null ? BoardKind.DUTY_CYCLE : BoardKind.ofLabel(label);
    }

    private static GrimConfig withRoom(final GrimConfig config, final int sizeMax)
    {
        if (sizeMax <= MessageHeader.PAYLOAD_LENGTH_MAX || !Boolean.getBoolean(PeerPair.ECHO_PROPERTY))
        {
            return config;
        }
        final int lengthMax = Math.max(sizeMax, SIZE_MAX_USUAL);
        final long storeLength = (long)lengthMax * STORE_FACTOR + STORE_EXTRA_LENGTH;
        return config.toBuilder().set("grim.message.length-max", lengthMax)
            .set("grim.message.outbox-length", storeLength).set("grim.message.reassembly-length", storeLength)
            .set("grim.overflow.ceiling", storeLength).build();
    }
}
