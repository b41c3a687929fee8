// SPDX-License-Identifier: Apache-2.0
package org.grim.cluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.grim.GrimException;
import org.grim.HostileInput;
import org.grim.NodeInfo;
import org.grim.buffer.HostileFile;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

import com.code_intelligence.jazzer.junit.FuzzTest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The directory of a host among several that a node writes as it likes: the agent, and the nodes that ask it, still do
 * all they do, or are refused.
 */
final class HostDirectoryFuzzTest
{
    private static final int NODE_COUNT_MAX = 4;
    private static final int NAME_LENGTH_MAX = HostRequests.NAME_LENGTH_MAX * 6;    // A byte can be shown as \\u0000.

    @TempDir
    private static Path parent;
    private static final Agent AGENT = new Agent();
    private static Path path;
    private static ClusterDirectory member;
    private static HostDirectory host;
    private static HostileFile mapped;
    private static HostileFile other;

    @BeforeAll
    static void join()
    {
        other = content(parent.resolve("other"));
        path = parent.resolve("cluster");
        member = join(path, "one");
        host = AGENT.directory;
        member.up();
        host.addHandler("known", 40);
        host.apply(far(1, 4, NodeInfo.State.UP));
        mapped = HostileFile.ofDirectory(new ClusterFiles(path).directory(), NODE_COUNT_MAX);
    }

    @AfterAll
    static void leave()
    {
        mapped.write(new HostileInput(new byte[0]), true);
        member.close();
    }

    @FuzzTest
    void shouldAnswerOrRefuse(final byte[] bytes)
    {
        final HostileInput input = new HostileInput(bytes);
        if (input.nextBelow(16) == 0)
        {
            joinOver(input);
            return;
        }
        final int incarnation = input.nextBelow(8);
        final NodeInfo.State state = NodeInfo.State.ofCode(input.nextBelow(4));
        mapped.write(input, true);
        askDatabase();
        answer();
        report(incarnation, state);
        look();
    }

    private static HostileFile content(final Path cluster)
    {
        try (ClusterDirectory directory = join(cluster, "three"))
        {
            directory.up();
            return HostileFile.ofDirectory(new ClusterFiles(cluster).directory(), NODE_COUNT_MAX);
        }
    }

    private static ClusterDirectory join(final Path cluster, final String name)
    {
        return ClusterDirectory.join(new ClusterFiles(cluster), NODE_COUNT_MAX,
            new NodeDescription("here", name, 2, List.of("shmem")), AGENT);
    }

    /** The next node finds the files of others. */
    private static void joinOver(final HostileInput input)
    {
        final Path cluster = parent.resolve("other");
        final ClusterFiles files = new ClusterFiles(cluster);
        files.prepare();
        other.write(input, false);
        try (ClusterDirectory directory = join(cluster, "three"))
        {
            directory.up();
            assertTrue(directory.self() >= 0 && directory.self() < directory.nodeCountMax());
            assertTrue(directory.isUp(directory.self()) && !directory.isFenced());
        }
        catch (final GrimException ex)
        {
            assertNotNull(ex.getMessage());
        }
        if (Files.exists(cluster))
        {
            files.deleteAll();
        }
    }

    private static void askDatabase()
    {
        final HandlerDatabase database = new HandlerDatabase(member);
        for (final String name : List.of("known", "new", "newer"))
        {
            try
            {
                final int id = database.register(name);
                assertTrue(id == 0 || (id >= 16 && id <= 0xFFFF), "handler id " + id);
            }
            catch (final GrimException ex)
            {
                assertNotNull(ex.getMessage());         // An answer that nobody gave.
            }
        }
    }

    private static void answer()
    {
        final HostRequests requests = host.requests();
        requests.forEachOpen((slot, sequence, name) ->
        {
            assertTrue(!name.isEmpty() && name.length() <= NAME_LENGTH_MAX, name);
            requests.delayed(slot, "not yet");
            requests.refuse(slot, sequence, GrimException.Reason.NO_ROOM, "none");
        });
        assertFalse(requests.hasOpen());
    }

    private static void report(final int incarnation, final NodeInfo.State state)
    {
        host.readHandlers((id, name) -> assertFalse(name.isEmpty()));
        host.apply(far(1, incarnation, state));
        host.apply(far(3, incarnation, state));
        host.expire(far(2, incarnation, state));
        host.convict(1, NodeInfo.GoneReason.UNREACHABLE);
        for (int node = 0; node < NODE_COUNT_MAX; node++)
        {
            host.convictIfDead(node);
            final NodeReport report = host.report(node);
            assertEquals(node, report.info().number());
            assertTrue(report.addresses().length() <= NodeRecord.TEXT_LENGTH_MAX * 6);
            assertNotNull(member.goneReason(node, incarnation));
            assertTrue(host.version(node) != 0 || !host.isLocal(node));
        }
    }

    private static void look()
    {
        for (int node = 0; node < NODE_COUNT_MAX; node++)
        {
            assertNotNull(member.address(node, "aeron"));
            assertTrue(node == member.self() || !member.isRemote(node) || !member.isSameHost(node));
            assertTrue(!member.isRemote(node) || member.isAlive(node) == member.isPresent(node));
            member.convictIfDead(node);
        }
        assertEquals(!member.isPresent(member.self()), member.isFenced());
    }

    private static NodeReport far(final int number, final int incarnation, final NodeInfo.State state)
    {
        return new NodeReport(new NodeInfo(number, "far", state, incarnation, 99, 3, List.of("aeron"),
            List.of(), 123, "there",
            state == NodeInfo.State.GONE ? NodeInfo.GoneReason.LEFT : NodeInfo.GoneReason.NONE), true,
            "aeron=10.0.0.2:40123", List.of(incarnation << 4 | 4, -1, 0, 1 << 4 | 3));
    }

    /** Has answered the request for a number before it is made: its sequence follows the one before. */
    private static final class Agent implements HostNetwork
    {
        private HostDirectory directory;

        @Override
        public void start(final HostDirectory newDirectory)
        {
            directory = newDirectory;
            final HostRequests requests = directory.requests();
            requests.answer(HostRequests.NUMBER_SLOT, requests.asked(HostRequests.NUMBER_SLOT) + 1, 0,
                directory.report(0).info().incarnation() + 1);
        }

        @Override
        public long joinTimeoutNs()
        {
            return TimeUnit.MILLISECONDS.toNanos(1);
        }

        @Override
        public void stopFollowing()
        {
        }

        @Override
        public void leave(final boolean isLast)
        {
            // No thread, no connection.
        }
    }
}
