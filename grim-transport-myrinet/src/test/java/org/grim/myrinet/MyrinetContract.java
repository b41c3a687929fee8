// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.grim.TransportContractTest;
import org.junit.jupiter.api.io.TempDir;

/** The contract suite over boards: small queues and frames, so that they fill and wrap at once. */
abstract class MyrinetContract extends TransportContractTest
{
    /** Takes the largest message that the suite sends where it does not ask for more. */
    static final int FRAME_LENGTH = 7_296;
    static final int FRAME_COUNT = 64;
    static final int QUEUE_LENGTH = 16 << 10;
    static final int SMALL_MESSAGE_LENGTH = 44;

    static final long BOARD_QUIET_NS = TimeUnit.MILLISECONDS.toNanos(200);

    @TempDir
    private Path directory;

    /** Adds what both nodes of a test have in common. */
    final Map<String, Object> withBoards(final Map<String, Object> settings)
    {
        return withBoards(settings, directory, QUEUE_LENGTH);
    }

    /** The same for other suites. */
    static Map<String, Object> withBoards(
        final Map<String, Object> settings, final Path directory, final int queueLength)
    {
        settings.put("grim.transports", List.of("myrinet"));
        settings.put("grim.cluster.directory", directory.toString());
        settings.putIfAbsent("grim.myrinet.queue-length", queueLength);
        settings.putIfAbsent("grim.myrinet.arrival.frame-length", FRAME_LENGTH);
        settings.putIfAbsent("grim.myrinet.arrival.frame-count", FRAME_COUNT);
        settings.putIfAbsent("grim.myrinet.registered-length", "4MiB");
        settings.putIfAbsent("grim.myrinet.linger", "20ms");
        settings.put("grim.myrinet.deadline", "30s");
        return settings;
    }

    /** Messages in the sender's board, and in the receiver's arrival queue. */
    @Override
    protected int smallCapacity()
    {
        return QUEUE_LENGTH / SMALL_MESSAGE_LENGTH + FRAME_COUNT;
    }

    @Override
    protected int largeCapacity()
    {
        return 2 + FRAME_COUNT;
    }

    /** Where boards have threads, those may have to wait for a core. */
    @Override
    protected long quietNs()
    {
        return isDeliveredWithoutTheReceiver() ? BOARD_QUIET_NS : 0;
    }

    @Override
    protected boolean hasRoomOfItsOwnForSmall()
    {
        return false;
    }

    /** A word less than the format has: that of the destination's incarnation. */
    @Override
    protected int expectedPayloadLengthMax()
    {
        return super.expectedPayloadLengthMax() - Integer.BYTES;
    }

    @Override
    protected Object[] settingsForAnOrderlyLeave()
    {
        return new Object[]{"grim.liveness.interval", "1ms", "grim.myrinet.linger", "30s"};
    }

    /** Boards do not know whose messages stood unread in a host's memory. */
    @Override
    protected int unknownCountMax()
    {
        return Integer.MAX_VALUE;
    }

    @Override
    protected Object[] settingsForTheLargestMessage()
    {
        return new Object[]{"grim.myrinet.queue-length", "128KiB", "grim.myrinet.arrival.frame-length", 65_600};
    }
}
