// SPDX-License-Identifier: Apache-2.0
package org.grim.cluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.grim.EndpointId;
import org.grim.GrimException;
import org.grim.HostileInput;
import org.grim.NodeInfo;
import org.grim.buffer.HostileFile;
import org.grim.transport.TreePlace;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

import com.code_intelligence.jazzer.junit.FuzzTest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A cluster's directory that a peer writes as it likes: members and tools still ask all they ask, or are refused. */
final class DirectoryFuzzTest
{
    private static final int NODE_COUNT_MAX = 4;
    private static final int HANDLER_COUNT = 4;

    @TempDir
    private static Path parent;
    private static Path path;
    private static ClusterDirectory member;
    private static HostileFile mapped;
    private static HostileFile other;

    @BeforeAll
    static void join()
    {
        path = parent.resolve("cluster");
        member = join(path, "one");
        member.up();
        final ClusterDirectory second = join(path, "two");
        second.up();
        mapped = HostileFile.ofDirectory(new ClusterFiles(path).directory(), NODE_COUNT_MAX);
        try (ClusterDirectory third = join(parent.resolve("other"), "three"))
        {
            third.up();
            other = HostileFile.ofDirectory(new ClusterFiles(parent.resolve("other")).directory(), NODE_COUNT_MAX);
        }
        second.close();
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
        }
        else
        {
            final int handler = (int)input.nextPosition();
            final EndpointId id = EndpointId.of(input.nextBelow(8), input.nextBelow(16), input.nextBelow(256));
            mapped.write(input, true);
            askMember(id);
            askDatabase(handler);
            askView();
        }
    }

    private static ClusterDirectory join(final Path cluster, final String name)
    {
        return ClusterDirectory.join(new ClusterFiles(cluster), NODE_COUNT_MAX,
            new NodeDescription("local", name, 2, List.of("shmem")));
    }

    /** The next node finds the files of others: it joins, or says why not. */
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
            assertTrue(directory.incarnation() > 0 && directory.isUp(directory.self()));
            directory.nodes().forEach(DirectoryFuzzTest::check);
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

    private static void askMember(final EndpointId id)
    {
        assertEquals(NODE_COUNT_MAX, member.nodeCountMax());
        for (int node = 0; node < NODE_COUNT_MAX; node++)
        {
            check(member.info(node));
            assertEquals(member.status(node) >>> 4, member.incarnationOf(member.status(node)));
            if (member.hasTransport(node, "shmem") && member.isUp(node))
            {
                assertTrue(member.nodes().size() > 0);
            }
            member.convictIfDead(node);
            assertTrue(TreePlace.of(member, node).forwarder() >= TreePlace.NOWHERE);
        }
        final int keeper = member.keeper();
        assertTrue(keeper >= -1 && keeper < NODE_COUNT_MAX, "keeper " + keeper);
        assertTrue(keeper < 0 || member.isUp(keeper));
        final String reason = member.reasonUnreachable(id);
        assertTrue(reason != null || (id.node() < NODE_COUNT_MAX && member.isUp(id.node())));
    }

    private static void askDatabase(final int first)
    {
        final HandlerDatabase database = new HandlerDatabase(member);
        for (int i = 0; i < HANDLER_COUNT; i++)
        {
            final String name = "handler" + (i == 0 ? first : i);
            try
            {
                final int id = database.register(name);
                assertTrue(id >= 16 && id <= 0xFFFF, "handler id " + id);
                assertEquals(id, database.find(name));
            }
            catch (final GrimException ex)
            {
                assertTrue(ex.getMessage().startsWith("handler ids of the cluster are used up"), ex.getMessage());
            }
        }
    }

    private static void askView()
    {
        try (ClusterDirectory view = ClusterDirectory.view(path))
        {
            view.nodes().forEach(info ->
            {
                check(info);
                view.isAlive(info.number());
            });
        }
        catch (final GrimException ex)
        {
            assertNotNull(ex.getMessage());
        }
    }

    private static void check(final NodeInfo info)
    {
        assertTrue(info.number() >= 0 && info.incarnation() >= 0 && info.incarnation() <= NodeRecord.INCARNATION_MAX);
        assertTrue(info.name().length() <= NodeRecord.TEXT_LENGTH_MAX * 6);         // A byte can be shown as \\u0000.
        assertTrue(info.transports().size() <= NodeRecord.TEXT_LENGTH_MAX);
        assertTrue(info.devices().size() <= EndpointId.DEVICE_MAX + 1);
        assertNotNull(info.state());
    }
}
