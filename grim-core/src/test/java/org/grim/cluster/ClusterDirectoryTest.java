// SPDX-License-Identifier: Apache-2.0
package org.grim.cluster;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.grim.DeviceInfo;
import org.grim.EndpointId;
import org.grim.GrimException;
import org.grim.NodeInfo;
import org.grim.buffer.Buffers;
import org.grim.buffer.MappedFile;
import org.grim.buffer.OwnFiles;
import org.grim.transport.TreePlace;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.grim.GrimException.Reason.NO_ROOM;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(60)
final class ClusterDirectoryTest
{
    @TempDir
    private Path parent;
    private Path path;
    private ClusterFiles files;

    @BeforeEach
    void name()
    {
        path = parent.resolve("cluster");
        files = new ClusterFiles(path);
    }

    @AfterEach
    void clearInterrupt()
    {
        Thread.interrupted();
    }

    @Test
    void shouldShowEachNodeToTheOther()
    {
        try (ClusterDirectory one = join("one"); ClusterDirectory two = join("two"))
        {
            one.up();

            final List<NodeInfo> nodes = two.nodes();

            assertEquals(0, one.self());
            assertEquals(1, two.self());
            assertEquals(2, nodes.size());
            assertEquals("one", nodes.get(0).name());
            assertEquals(NodeInfo.State.UP, nodes.get(0).state());
            assertEquals(NodeInfo.State.JOINING, nodes.get(1).state());
            assertEquals(one.incarnation(), nodes.get(0).incarnation());
            assertEquals(ProcessHandle.current().pid(), nodes.get(0).processId());
            assertEquals(List.of("shmem"), nodes.get(0).transports());
            assertEquals(
                List.of(new DeviceInfo(EndpointId.of(0, 0, 0), NodeInfo.Device.HOST_CPU, DeviceInfo.State.UP, 1)),
                nodes.get(0).devices());
            assertEquals("local", nodes.get(0).host());
            assertTrue(two.isUp(0) && two.isAlive(0) && two.hasTransport(0, "shmem") && !two.isUp(1));
            assertFalse(two.convictIfDead(0));
            assertNull(two.reasonUnreachable(EndpointId.of(0, 0, 1)));
            assertEquals("node=1 is JOINING", one.reasonUnreachable(EndpointId.of(1, 0, 0)));
            assertEquals("node=3 is unknown", one.reasonUnreachable(EndpointId.of(3, 0, 0)));
            assertEquals(one.nextHandlerId() + 1, two.nextHandlerId());
        }
    }

    @Test
    void shouldShowAreasByLabelUntilTheNextIncarnation()
    {
        try (ClusterDirectory one = join("one"))
        {
            try (ClusterDirectory two = join("two"); ClusterDirectory view = ClusterDirectory.view(path))
            {
                assertEquals(0, view.area(1, "x-rings").getInt(28));
                new TreePlace(1, 7, 640).publish(two);
                two.area(1, "x-rings").putIntRelease(28, 5);

                assertEquals(new TreePlace(1, 7, 640), TreePlace.of(one, 1));
                assertFalse(TreePlace.of(one, 0).exists());
                assertEquals(5, one.area(1, "x-rings").getIntAcquire(28));
                assertEquals(5, view.area(1, "x-rings").getInt(28));
                assertEquals(0, view.area(0, "x-rings").getInt(28));
                assertEquals(32, one.area(0, "third").capacity());
                assertEquals(32, two.area(0, "fourth").capacity());
                assertEquals(NO_ROOM, assertThrows(GrimException.class, () -> one.area(0, "fifth")).reason());
                assertEquals(0, one.area(1, "fifth").getLong(24));
                assertThrows(IllegalArgumentException.class, () -> one.area(0, ""));
                assertThrows(IllegalArgumentException.class, () -> one.area(0, "ninechars"));
            }
            assertEquals(5, one.area(1, "x-rings").getInt(28));

            try (ClusterDirectory next = join("two"))
            {
                assertEquals(1, next.self());
                assertEquals(0, one.area(1, "x-rings").getInt(28));
                assertFalse(TreePlace.of(one, 1).exists());
            }
        }
    }

    /** Names that look like GRIM's own, but are none; a directory and a link of GRIM's own names. */
    @Test
    void shouldLeaveFilesOfTheUser() throws IOException
    {
        final List<String> names = List.of("directory.1.tmp", "directory.letter.tmp", "node-0-letter.txt",
            "node-0-1.txt", "node-0-1.inbox.old", "node-1-1.counters.1.tmp", "node-0-01.inbox", "node-x-1.inbox",
            "node-0-1.inbox~", "xnode-0-1.inbox");
        final ClusterDirectory one = join("one");
        for (final String name : names)
        {
            Files.writeString(path.resolve(name), name);
        }
        Files.createDirectory(path.resolve("node-0-2.inbox"));
        Files.writeString(path.resolve("node-0-2.inbox").resolve("letter"), "a");
        Files.createSymbolicLink(path.resolve("node-0-3.inbox"), path.resolve("node-0-letter.txt"));
        Files.createFile(files.ofNode(0, 1, "arena-12"));
        Files.createFile(path.resolve("node-0-1.wire-3-4.77-ab12.tmp"));

        one.close();
        join("next").close();

        for (final String name : names)
        {
            assertEquals(name, Files.readString(path.resolve(name)));
        }
        try (Stream<Path> left = Files.list(path))
        {
            assertEquals(names.size() + 2, left.count());
        }
        assertTrue(assertThrows(GrimException.class, () -> files.ofNode(0, 1, "../letter")).getMessage()
            .startsWith("file kind=../letter is none of "));
    }

    @Test
    void shouldRemoveEverythingWhenTheLastNodeLeaves() throws IOException
    {
        final ClusterDirectory one = join("one");
        final ClusterDirectory two = join("two");
        final Path inbox = Files.createFile(files.ofNode(1, two.incarnation(), "inbox"));
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));

        two.close();
        two.close();
        assertFalse(Files.exists(inbox));
        assertEquals(NodeInfo.State.GONE, one.nodes().get(1).state());
        assertTrue(one.convictIfDead(1));
        one.close();

        assertFalse(Files.exists(path));
        join("again").close();
        assertFalse(Files.exists(path));
    }

    /**
     * A node that waits for the lock to leave may wake in another cluster of the name, whose files have the same names.
     */
    @Test
    void shouldNotTakeFilesOfTheNextClusterAlong() throws IOException
    {
        final ClusterDirectory late = join("late");
        files.deleteAll();                                              // As the last of the others to leave does.
        try (ClusterDirectory next = join("next"))
        {
            final Path counters = Files.createFile(files.ofNode(late.self(), late.incarnation(), "counters"));

            late.close();

            assertEquals(late.self(), next.self());
            assertTrue(Files.exists(counters));
        }
        assertFalse(Files.exists(path));
    }

    @Test
    void shouldReportThatItsFilesWereRemovedAndLeaveThoseOfTheNextClusterAlone() throws IOException
    {
        final ClusterDirectory old = join("old");
        final MappedFile inbox = makeInbox(files, old);
        final Path name = files.ofNode(old.self(), old.incarnation(), "inbox");
        assertNull(old.findFault(1_000));
        removeAll();
        assertEquals(GrimException.Reason.FENCED, old.findFault(3_000).reason());
        assertNull(old.findFault(5_000));
        assertTrue(assertThrows(GrimException.class, () -> ClusterDirectory.view(path)).getMessage().startsWith(
            "no cluster at " + path + ": the cluster's files were removed under process " +
            ProcessHandle.current().pid()));

        try (ClusterDirectory next = join("next"))
        {
            assertEquals(old.self(), next.self());
            Files.createFile(name);                                     // As if it had the same incarnation, too.

            inbox.closeAndDelete();
            old.close();

            assertTrue(Files.exists(name));
            assertTrue(next.isAlive(next.self()));
            assertNull(next.findFault(1_000));
            try (ClusterDirectory later = join("later"))
            {
                assertEquals(2, later.nodes().size());
            }
        }
        assertFalse(Files.exists(path));
    }

    @Test
    void shouldLeaveNothingWhereItsFilesWereRemoved() throws IOException
    {
        final ClusterDirectory one = join("one");
        final ClusterDirectory two = join("two");
        removeAll();

        one.close();
        assertFalse(Files.exists(path));
        two.close();

        assertFalse(Files.exists(path));
    }

    @Test
    void shouldBeginAnewWhereNothingSaysWhoLives() throws IOException
    {
        try (ClusterDirectory old = join("old"))
        {
            Files.delete(files.liveness());
            try (ClusterDirectory next = join("next"))
            {
                assertEquals(1, next.nodes().size());
                assertEquals(NodeInfo.State.JOINING, old.info(old.self()).state());
                assertEquals(GrimException.Reason.FENCED, old.findFault(1_000).reason());
            }
        }
        assertFalse(Files.exists(path));
    }

    @Test
    void shouldBeginIncarnationsOfEachClusterElsewhere()
    {
        final Set<Integer> firsts = new HashSet<>();
        for (int i = 0; i < 4; i++)
        {
            try (ClusterDirectory one = join("one"); ClusterDirectory two = join("two"))
            {
                assertEquals(one.incarnation(), two.incarnation());
                firsts.add(one.incarnation());
            }
        }

        assertNotEquals(1, firsts.size());
    }

    @Test
    void shouldTakeItsByteAgainWhenItsProcessHasOpenedAndClosedTheFile() throws IOException
    {
        try (ClusterDirectory one = join("one"); ClusterDirectory two = join("two"))
        {
            assertNull(one.findFault(1_000));
            Files.readAllBytes(files.liveness());                       // To close it takes both bytes away.

            final GrimException fault = one.findFault(1_001);

            assertEquals(GrimException.Reason.SYSTEM_REFUSED, fault.reason());
            assertTrue(fault.getMessage().contains("has taken it again"), fault.getMessage());
            assertNull(one.findFault(1_002));
            assertNull(two.findFault(1_002));
            assertTrue(two.isAlive(one.self()));
        }
    }

    /** Something in its process has closed the file, and it polls again in a moment. */
    @Test
    void shouldNotConvictANodeThatHasLostItsByteWhileItsProcessLives() throws IOException
    {
        final OtherProcess process = OtherProcess.start();
        final ClusterDirectory one = join("one");
        try (DirectorySegment segment = DirectorySegment.open(files, true))
        {
            final ClusterDirectory two = join("two");
            two.up();
            belongsTo(process.identity(), segment.record(1));
            Liveness.open(files.liveness(), true).letGo(1);

            assertFalse(one.convictIfDead(1));
            assertTrue(one.isAlive(1) && one.isUp(1));
            two.heartbeat(System.currentTimeMillis());
            join("three").close();
            assertTrue(one.isUp(1), "who joins sweeps");
            two.heartbeat(System.currentTimeMillis());
            one.close();
            assertTrue(Files.exists(files.directory()), "the last one leaves");

            process.close();
            join("four").close();
            assertEquals(NodeInfo.State.GONE, segment.record(1).info(1).state());
            assertFalse(Files.exists(files.directory()));
        }
        finally
        {
            process.close();
        }
    }

    /** Its class loader went, and the process goes on. */
    @Test
    void shouldConvictANodeWithoutAByteThatWritesNoHeartbeatsAlthoughItsProcessLives() throws IOException
    {
        try (OtherProcess process = OtherProcess.start(); ClusterDirectory one = join("one");
            DirectorySegment segment = DirectorySegment.open(files, true))
        {
            final ClusterDirectory two = join("two");
            two.up();
            belongsTo(process.identity(), segment.record(1));
            two.heartbeat(System.currentTimeMillis() - NodeRecord.HEARTBEAT_AGE_MAX_MS);
            Liveness.open(files.liveness(), true).letGo(1);

            assertFalse(one.isAlive(1));
            assertTrue(one.convictIfDead(1));
            assertFalse(one.isUp(1));
        }
    }

    @Test
    void shouldGiveANodeThatComesBackItsNumberAndTheNextIncarnation()
    {
        try (ClusterDirectory one = join("one"))
        {
            final int first = one.incarnation();
            for (int incarnation = first; incarnation < first + 4; incarnation++)
            {
                try (ClusterDirectory two = join("two"))
                {
                    assertEquals(1, two.self());
                    assertEquals(incarnation, two.incarnation());
                    assertEquals(incarnation, one.incarnationOf(one.status(1)));
                }
            }
        }
    }

    @Test
    void shouldRefuseANameThatALiveNodeHas()
    {
        try (ClusterDirectory one = join("one"))
        {
            final String text = refusal("one");

            assertTrue(text.startsWith("node name=one is taken by live node=0 (process "), text);
            assertEquals(1, one.nodes().size());
        }
        assertFalse(Files.exists(path));
    }

    @Test
    void shouldLeaveNoTraceOfANodeWhoseDescriptionIsTooLong()
    {
        try (ClusterDirectory one = join("one"))
        {
            final String text = assertThrows(IllegalArgumentException.class, () -> ClusterDirectory.join(files, 4,
                new NodeDescription("local", "two", 2, List.of("x".repeat(61)))))
                .getMessage();

            assertEquals("text length=61 bytes exceeds max=60: " + "x".repeat(61), text);
            assertEquals(1, one.nodes().size());
            assertFalse(one.isAlive(1));
            join("two").close();
        }
    }

    @Test
    void shouldRefuseANodeTooManyAndTakeTheNumberOfOneThatIsGone()
    {
        try (ClusterDirectory one = join("a"); ClusterDirectory two = join("b"); ClusterDirectory three = join("c"))
        {
            final ClusterDirectory four = join("d");
            assertEquals("cluster is full: live nodes=4 max=4 (grim.cluster.nodes-max of the node that made it)",
                refusal("e"));
            four.close();
            try (ClusterDirectory five = join("e"))
            {
                assertEquals(3, five.self());
                assertEquals(four.incarnation() + 1, five.incarnation());
            }
            assertEquals(3, one.self() + two.self() + three.self());
        }
    }

    @Test
    void shouldConvictAndSweepANodeThatDiedUnnoticed() throws IOException
    {
        try (ClusterDirectory one = join("one"))
        {
            final ClusterDirectory dead = join("dead");
            dead.up();
            Liveness.open(files.liveness(), true).letGo(dead.self());
            final Path inbox = Files.createFile(files.ofNode(1, dead.incarnation(), "inbox"));

            final ClusterDirectory two = join("two");

            assertFalse(Files.exists(inbox));
            assertEquals(NodeInfo.State.GONE, NodeRecord.state(one.status(1)));
            assertEquals(2, two.self());
            two.close();
        }
    }

    @Test
    void shouldSayInOneSentenceWhatIsWrongWithTheDirectoryFileAndLeaveItAlone() throws IOException
    {
        Files.createDirectory(path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));

        assertTrue(refusalOf(new byte[10]).contains("is truncated or foreign: length=10 bytes"));
        assertTrue(refusalOf("garbage!".repeat(40_000).getBytes(java.nio.charset.StandardCharsets.UTF_8))
            .contains("is not a GRIM segment: magic=0x"));
        final byte[] foreign = bytesOfADirectory();
        Buffers.wrap(foreign).putInt(8, 77);
        assertTrue(refusalOf(foreign).contains("has layout version=77, this GRIM reads version=5"));
        final byte[] corrupt = bytesOfADirectory();
        Buffers.wrap(corrupt).putInt(64, 5_000);
        assertTrue(refusalOf(corrupt).contains("cluster directory is corrupt: nodes=5000 do not fit length="));
    }

    @Test
    void shouldViewWithoutJoining()
    {
        assertEquals("no cluster at " + path + ": no node has joined there",
            assertThrows(GrimException.class, () -> ClusterDirectory.view(path)).getMessage());
        try (ClusterDirectory one = join("one"); ClusterDirectory view = ClusterDirectory.view(path))
        {
            assertEquals(one.nodes(), view.nodes());
            assertTrue(view.isAlive(0));
        }
    }

    @Test
    void shouldJoinAndLeaveOnAThreadThatIsInterruptedAndKeepTheInterrupt()
    {
        Thread.currentThread().interrupt();

        try (ClusterDirectory one = join("one"))
        {
            assertTrue(one.isAlive(0));
            join("two").close();
        }

        assertTrue(Thread.interrupted());
        assertFalse(Files.exists(path));
    }

    @Test
    void shouldHoldAByteOfTheFileThatStandsThereAlthoughAViewKeepsAnOldOneOpen()
    {
        join("one").close();
        final ClusterDirectory first = join("one");
        try (ClusterDirectory view = ClusterDirectory.view(path))
        {
            first.close();
            try (ClusterDirectory second = join("one"))
            {
                assertTrue(Files.exists(files.liveness()));
                assertTrue(second.isAlive(second.self()));
            }
            assertEquals(4, view.nodeCountMax());
        }
    }

    @Test
    void shouldLetOneAtATimeJoin() throws Exception
    {
        final CountDownLatch isHeld = new CountDownLatch(1);
        final CountDownLatch mayEnd = new CountDownLatch(1);
        final CompletableFuture<Void> holder = CompletableFuture.runAsync(() ->
        {
            try (JoinLock lock = JoinLock.acquire(files, 10_000))
            {
                assertNotEquals(null, lock);
                isHeld.countDown();
                assertTrue(mayEnd.await(60, TimeUnit.SECONDS));
            }
            catch (final InterruptedException ex)
            {
                throw new IllegalStateException(ex);
            }
        });
        assertTrue(isHeld.await(60, TimeUnit.SECONDS));

        final String text = assertThrows(GrimException.class, () -> JoinLock.acquire(files, 20)).getMessage();
        mayEnd.countDown();
        holder.get(60, TimeUnit.SECONDS);
        JoinLock.acquire(files, 10_000).close();

        assertTrue(text.startsWith("join lock " + files.lock() + " is held by another process, " +
            "or by another node of this one: waited=20 ms"), text);
    }

    @Test
    void shouldKeepLivenessBytesApart()
    {
        files.prepare();
        try (Liveness one = Liveness.open(files.liveness(), true);
            Liveness same = Liveness.open(files.liveness(), true))
        {
            final boolean[] hasRun = new boolean[1];
            assertTrue(one.tryHold(3));
            assertFalse(same.tryHold(3));
            assertTrue(one.isHeld(3));
            assertFalse(one.isHeld(2));
            assertFalse(one.runIfFree(3, () -> hasRun[0] = true));
            assertFalse(hasRun[0]);
            one.letGo(3);
            assertTrue(one.runIfFree(3, () -> hasRun[0] = true));
            assertTrue(hasRun[0]);
            assertFalse(one.isHeld(3));
        }
    }

    /** Another process than this one, whose locks the JDK knows. */
    private static void belongsTo(final ProcessIdentity process, final NodeRecord nodeRecord)
    {
        final int status = nodeRecord.status();
        nodeRecord.describe(new NodeDescription("local", "two", 2, List.of("shmem")), process,
            System.currentTimeMillis());
        assertEquals(status, nodeRecord.status());
    }

    private ClusterDirectory join(final String name)
    {
        return ClusterDirectory.join(files, 4, new NodeDescription("local", name, 2, List.of("shmem")));
    }

    private static MappedFile makeInbox(final ClusterFiles files, final ClusterDirectory node)
    {
        final MappedFile file = MappedFile.create(files.ofNode(node.self(), node.incarnation(), "inbox"), 64);
        file.publish();
        return file;
    }

    /** As systemd-logind does when a user logs out. */
    private void removeAll() throws IOException
    {
        try (DirectoryStream<Path> content = Files.newDirectoryStream(path))
        {
            for (final Path file : content)
            {
                Files.delete(file);
            }
        }
        Files.delete(path);
    }

    private String refusal(final String name)
    {
        return assertThrows(GrimException.class, () -> join(name)).getMessage();
    }

    private String refusalOf(final byte[] content) throws IOException
    {
        Files.write(files.directory(), content);
        Files.setPosixFilePermissions(files.directory(), OwnFiles.FILE_PERMISSIONS);
        final String text = refusal("one");
        assertArrayEquals(content, Files.readAllBytes(files.directory()));
        return text;
    }

    private byte[] bytesOfADirectory() throws IOException
    {
        final ClusterFiles others = new ClusterFiles(parent.resolve("others"));
        try (ClusterDirectory one = ClusterDirectory.join(others, 4, new NodeDescription("local", "one", 2,
            List.of("shmem"))))
        {
            assertEquals(0, one.self());
            return Files.readAllBytes(others.directory());
        }
    }
}
