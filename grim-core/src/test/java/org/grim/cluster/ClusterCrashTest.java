// SPDX-License-Identifier: Apache-2.0
package org.grim.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.grim.DeviceInfo;
import org.grim.EndpointId;
import org.grim.GrimException;
import org.grim.NodeInfo;
import org.grim.buffer.MappedFile;
import org.grim.crash.CrashEnumeration;
import org.grim.crash.CrashingFileSystem;
import org.grim.crash.CrashingMemory;
import org.grim.crash.Lifetime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Kills a node before every store to the directory and every change of the file system that it makes while it joins,
 * convicts, takes the keeper's place and leaves. Then another joins by its name, and a third one looks.
 */
@Timeout(300)
final class ClusterCrashTest
{
    private static final int NODE_COUNT_MAX = 3;
    private static final int LENGTH = 64;
    private static final long JOIN_NS_MAX = TimeUnit.SECONDS.toNanos(30);
    // So chosen that a name which was half overwritten can be that of the resident: "ghi" over "gX" is "gh".
    private static final String GHOST = "gX";
    private static final String RESIDENT = "gh";
    private static final String VICTIM = "ghi";

    @TempDir
    private Path parent;
    private Path path;
    private ClusterFiles files;
    private final Map<String, Integer> handlers = new HashMap<>();
    private int caseCount;

    @Test
    void shouldSurviveDeathBeforeEveryStepOfTheFirstNode()
    {
        CrashEnumeration.withSomeVisibleStores("first node joins and leaves", life ->
        {
            name();
            live(life, List.of());
            bury();
            checkSuccession(new ArrayList<>());
        });
    }

    @Test
    void shouldSurviveDeathBeforeEveryStepOfANodeThatConvictsAndSucceedsTheDead()
    {
        CrashEnumeration.withSomeVisibleStores("node joins, convicts, succeeds and leaves", life ->
        {
            name();
            final ClusterDirectory ghost = join(GHOST);
            ghost.up();
            final ClusterDirectory resident = join(RESIDENT);
            resident.up();
            final ClusterDirectory mortal = join("mortal");
            mortal.up();
            assertEquals(mortal.self(), mortal.keeper());
            registerHandlers(mortal, "mortal", "mortal and rather longer");
            makeFile(files, ghost);
            makeFile(files, mortal);
            die(ghost);

            live(life, List.of(mortal));
            die(mortal);
            bury(resident.self());
            checkSuccession(new ArrayList<>(List.of(resident)));
        });
    }

    @Test
    void shouldSurviveDeathBeforeEveryStepOfTheLastNodeThatLeavesWhatTheDeadLeft()
    {
        CrashEnumeration.report("last node leaves after a death", CrashEnumeration.count(life ->
        {
            name();
            final ClusterDirectory first = join("first");
            final ClusterDirectory second = join("second");
            final ClusterDirectory ghost = join(GHOST);         // A number that no successor takes.
            ghost.up();
            makeFile(files, ghost);
            first.close();
            second.close();
            live(life, List.of(ghost));
            bury();
            checkSuccession(new ArrayList<>());
        }));
    }

    /**
     * The victim's life: everything that a node does to the directory. The mortal, a keeper among them, die before it
     * convicts.
     */
    private void live(final Lifetime life, final List<ClusterDirectory> mortals)
    {
        final ClusterFiles own = new ClusterFiles(
            CrashingFileSystem.over(path, life), memory -> CrashingMemory.over(memory, life));
        try
        {
            final ClusterDirectory victim = ClusterDirectory.join(own, NODE_COUNT_MAX, description(VICTIM));
            makeFile(own, victim);
            victim.up();
            victim.heartbeat(1);
            final int device = victim.freeDevice();
            victim.openDevice(EndpointId.of(victim.self(), device, 1), NodeInfo.Device.STORAGE, 1);
            victim.deviceState(device, DeviceInfo.State.UP);
            for (final ClusterDirectory mortal : mortals)
            {
                die(mortal);
                assertTrue(victim.convictIfDead(mortal.self()));
            }
            assertEquals(victim.self(), victim.keeper());
            registerHandlers(victim, "victim and rather longer", "victim");
            victim.close();
        }
        catch (final Lifetime.Death ex)
        {
            assertTrue(life.isOver());
        }
    }

    private void checkSuccession(final List<ClusterDirectory> living)
    {
        final Map<Integer, NodeInfo> before = look();
        if (!Files.exists(files.directory()))
        {
            handlers.clear();                   // The next cluster of the name begins again.
        }
        final Set<String> names = living.stream().map(node -> node.info(node.self()).name()).collect(
            Collectors.toSet());
        for (final String name : names)
        {
            final String text = assertThrows(GrimException.class, () -> join(name)).getMessage();
            assertTrue(text.contains("is taken by live node"), text);
        }

        for (final String name : List.of(VICTIM, "third"))
        {
            final long startNs = System.nanoTime();
            final ClusterDirectory successor = join(name);
            assertTrue(System.nanoTime() - startNs < JOIN_NS_MAX, "took too long");
            checkIncarnation(before.get(successor.self()), successor);
            before.values().stream().filter(node -> node.name().equals(name)).findFirst().ifPresent(
                node -> assertEquals(node.number(), successor.self()));
            assertEquals(NodeInfo.State.JOINING, successor.info(successor.self()).state());
            makeFile(files, successor);
            assertEquals(1, successor.freeDevice(), "a device of a predecessor is left");
            successor.up();
            living.add(successor);
            names.add(name);
        }
        final ClusterDirectory third = living.get(living.size() - 1);
        final List<NodeInfo> up = third.nodes().stream().filter(node -> node.state() == NodeInfo.State.UP).toList();
        assertEquals(names, up.stream().map(NodeInfo::name).collect(Collectors.toSet()));
        assertEquals(names.size(), up.size());
        assertTrue(third.nodes().stream().noneMatch(node -> node.state() == NodeInfo.State.JOINING));
        assertTrue(third.isUp(third.keeper()));
        assertTrue(living.stream().allMatch(node -> node.keeper() == third.keeper()));
        checkHandlers(living);
        checkFiles(living);

        living.forEach(ClusterDirectory::close);
        assertFalse(Files.exists(path));
    }

    /** A number's incarnations grow. */
    private static void checkIncarnation(final NodeInfo before, final ClusterDirectory successor)
    {
        if (before != null)
        {
            assertTrue(successor.incarnation() > before.incarnation(), "incarnation " + successor.incarnation());
        }
        else
        {
            assertTrue(successor.incarnation() >= 1);
        }
    }

    /** A node with the id of a name has the name's only one; the next keeper goes on from there. */
    private void checkHandlers(final List<ClusterDirectory> living)
    {
        final int keeper = living.get(0).keeper();
        final ClusterDirectory node = living.stream().filter(each -> each.self() == keeper).findFirst().orElseThrow();
        for (final String name : List.of("a", "victim", "mortal", "victim and rather longer", "z"))
        {
            registerHandlers(node, name);
        }
        final HandlerDatabase next = new HandlerDatabase(node);
        handlers.forEach((name, id) -> assertEquals(id, next.find(name), name));
        assertEquals(handlers.size(), Set.copyOf(handlers.values()).size(), "an id was given twice");
    }

    /** As a keeper does that has just taken over. */
    private void registerHandlers(final ClusterDirectory keeper, final String... names)
    {
        final HandlerDatabase database = new HandlerDatabase(keeper);
        for (final String name : names)
        {
            final int id = database.register(name);
            final Integer before = handlers.putIfAbsent(name, id);
            assertTrue(before == null || before == id, name);
        }
    }

    /** Only the files of who is there now, and those of the cluster. */
    private void checkFiles(final List<ClusterDirectory> living)
    {
        final Set<String> expected = new HashSet<>(Set.of("directory", "liveness", "join.lock"));
        living.stream().filter(node -> Files.exists(file(files, node))).forEach(
            node -> expected.add(file(files, node).getFileName().toString()));
        try (Stream<Path> content = Files.list(path))
        {
            assertEquals(expected, content.map(file -> file.getFileName().toString()).collect(Collectors.toSet()));
        }
        catch (final IOException ex)
        {
            throw new AssertionError(ex);
        }
    }

    /** View of a tool; empty if there is no directory. */
    private Map<Integer, NodeInfo> look()
    {
        final Map<Integer, NodeInfo> nodes = new HashMap<>();
        if (Files.exists(files.directory()) && Files.exists(files.liveness()))
        {
            try (ClusterDirectory view = ClusterDirectory.view(path))
            {
                view.nodes().forEach(node -> nodes.put(node.number(), node));
            }
        }
        return nodes;
    }

    private void name()
    {
        path = parent.resolve("cluster-" + caseCount++);
        handlers.clear();
        files = new ClusterFiles(path);
    }

    /** The kernel lets go of the bytes of the dead. */
    private void bury(final int... living)
    {
        if (Files.exists(path) && Files.exists(files.liveness()))
        {
            try (Liveness liveness = Liveness.open(files.liveness(), false))
            {
                for (int node = 0; node < NODE_COUNT_MAX; node++)
                {
                    if (living.length == 0 || living[0] != node)
                    {
                        liveness.letGo(node);
                    }
                }
            }
        }
    }

    private void die(final ClusterDirectory node)
    {
        try (Liveness liveness = Liveness.open(files.liveness(), false))
        {
            liveness.letGo(node.self());
        }
    }

    private ClusterDirectory join(final String name)
    {
        return ClusterDirectory.join(files, NODE_COUNT_MAX, description(name));
    }

    private static void makeFile(final ClusterFiles files, final ClusterDirectory node)
    {
        try (MappedFile file = MappedFile.create(file(files, node), LENGTH))
        {
            file.publish();
        }
    }

    private static Path file(final ClusterFiles files, final ClusterDirectory node)
    {
        return files.ofNode(node.self(), node.incarnation(), "inbox");
    }

    private static NodeDescription description(final String name)
    {
        return new NodeDescription("local", name, 2, List.of("shmem"));
    }
}
