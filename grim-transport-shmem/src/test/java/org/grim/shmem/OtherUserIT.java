// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.channels.Selector;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.agrona.concurrent.Agent;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.death.PeerJvm;
import org.grim.death.ShmDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

import com.typesafe.config.Config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Another user of the machine, nobody, against nodes of root. This user may prepare anything in a directory that all
 * may write, and is refused; it can neither read, write, delay nor join files of root's nodes.
 */
@Tag("process")
@Timeout(180)
final class OtherUserIT
{
    private static final Path SETPRIV = Path.of("/usr/bin/setpriv");
    private static final int NOBODY = 65_534;
    private static final long DEADLINE_S = 60;

    private Path open;          // As /dev/shm: all may write, with the sticky bit.
    private Path base;

    @BeforeEach
    void requireTwoUsers() throws IOException
    {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root can become another user");
        assumeTrue(Files.isExecutable(SETPRIV), "no setpriv (util-linux): the test cannot become another user");
        open = ShmDirectory.create();
        Files.setAttribute(open, "unix:mode", 01777);
        base = open.resolve("base");
    }

    @AfterEach
    void delete()
    {
        if (open != null)
        {
            ShmDirectory.delete(open);
        }
    }

    @Test
    void shouldRefuseWhateverAnotherUserMadeInItsPlace() throws Exception
    {
        final Path cluster = base.resolve("c");
        final Path trap = open.resolve("trap");
        for (final String preparation : List.of(
            "mkdir -m 0777 base", "mkdir -m 0700 base", "mkdir -m 0777 base base/c", "mkdir -m 1777 base",
            "mkdir -m 0777 trap && ln -s trap base", "mkdir -m 0777 trap trap/c && ln -s trap base",
            "ln -s missing base", "ln -s / base", "touch base", "mkfifo -m 0666 base",
            "mkdir -m 0777 base base/c && cd base/c && mkfifo -m 0666 join.lock liveness directory node-0-1.bell-0"))
        {
            assertEquals("", nobody("cd " + open + " && " + preparation), preparation);

            final String text = assertThrows(GrimException.class, () -> enable(base)).getMessage();

            assertEquals("cluster directory " + cluster + " cannot be used: " + base +
                " belongs to uid=65534, expected uid=0; set grim.cluster.directory to one of your own", kindless(text),
                preparation);
            assertFalse(Files.exists(trap.resolve("c").resolve("join.lock")), preparation);
            assertEquals("", nobody("rm -r " + base + " && rm -fr " + trap), preparation);
        }
        enable(base).close();
        assertEquals("", nobody("mkdir -m 0777 " + open.resolve("c") + " && ln -s / " + open.resolve("d")));
        assertTrue(assertThrows(GrimException.class, () -> enable(open)).getMessage().contains(
            open.resolve("c") + " cannot be used: it belongs to uid=65534, expected uid=0"));
    }

    @Test
    void shouldKeepAnotherUserFromReadingWritingDelayingAndJoining() throws Exception
    {
        try (Grim near = enable(base); Grim far = enable(base, "far"); Selector selector = Selector.open())
        {
            far.endpoint().doorbell().listen(selector);
            final Path cluster = base.resolve("c");
            final List<Path> made = ShmDirectory.tree(base);
            for (final Path path : made)
            {
                assertRefused("cat " + path);
                assertRefused("echo x >> " + path);
                assertRefused("rm -rf " + path);
                assertRefused("mv " + path + " " + open.resolve("moved"));
                assertRefused("chmod 0777 " + path);
                assertRefused("ln " + path + " " + open.resolve("linked"));
                assertEquals(Files.isDirectory(path) ? "rwx------" : "rw-------",
                    PosixFilePermissions.toString(Files.getPosixFilePermissions(path)), path.toString());
            }
            assertRefused("ls " + cluster);
            assertRefused("mkfifo " + cluster.resolve("node-2-1.inbox"));
            assertRefused("mkfifo " + base.resolve("d"));
            assertEquals(made, ShmDirectory.tree(base));
            final Joining other = joinAsNobody();

            assertTrue(other.output.contains("cluster directory " + cluster + " cannot be made: AccessDenied"),
                other.output);
            assertFalse(other.hasJoined());
            assertEquals(List.of("near", "far"), near.nodes().stream().map(node -> node.name()).toList());
            near.handlers().register("near.nothing", message ->
            {
            });
            near.start();
            assertEquals(1, near.endpoint().link(near.locate("far")).destination().node());
        }
        assertFalse(Files.exists(base.resolve("c")));
    }

    @Test
    void shouldLetAnotherUserHaveHisOwn() throws Exception
    {
        assertEquals("", nobody("mkdir -m 0700 " + base));

        final Joining other = joinAsNobody();

        assertTrue(other.hasJoined(), other.output);
    }

    /** The same text for any kind of file: directories and links differ in the first check. */
    private static String kindless(final String text)
    {
        return text.replaceAll(" is a (regular file|FIFO), expected a directory",
            " belongs to uid=65534, expected uid=0");
    }

    private static Grim enable(final Path base)
    {
        return enable(base, "near");
    }

    private static Grim enable(final Path base, final String name)
    {
        return Grim.enable(GrimConfig.builder().directory(base).set("grim.cluster.name", "c").nodeName(name)
            .transports(ShmemTransportProvider.NAME).build());
    }

    private void assertRefused(final String command) throws Exception
    {
        final String answer = nobody(command + " && echo DONE");
        assertFalse(answer.isEmpty() || answer.contains("DONE"), command + ": " + answer);
    }

    /** Output of a shell of the other user. */
    private static String nobody(final String script) throws Exception
    {
        return run(List.of("sh", "-c", script)).output;
    }

    /** Joins by a JVM of the other user, who needs readable classes. */
    private Joining joinAsNobody() throws Exception
    {
        final Path classes = Files.createDirectory(open.resolve("classes"));
        final Set<Path> places = new LinkedHashSet<>();
        for (final Class<?> type : List.of(Grim.class, ShmemTransportProvider.class, OtherUserIT.class, Agent.class,
            Config.class, LoggerFactory.class))
        {
            places.add(placeOf(type));
        }
        final List<String> classPath = new ArrayList<>();
        for (final Path place : places)
        {
            final Path copy = classes.resolve(Integer.toString(classPath.size()));
            assertEquals(0, new ProcessBuilder("cp", "-r", place.toString(), copy.toString()).start().waitFor());
            assertEquals(0, new ProcessBuilder("chmod", "-R", "a+rX", copy.toString()).start().waitFor());
            classPath.add(copy.toString());
        }
        Files.setPosixFilePermissions(classes, PosixFilePermissions.fromString("rwxr-xr-x"));
        final List<String> command = PeerJvm.command(OtherUserIT.class, true);
        command.set(command.indexOf("-cp") + 1, String.join(":", classPath));
        command.add(base.toString());
        return run(command);
    }

    private static Path placeOf(final Class<?> type) throws URISyntaxException
    {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    private static Joining run(final List<String> command) throws IOException, InterruptedException
    {
        final List<String> whole = new ArrayList<>(List.of(SETPRIV.toString(), "--reuid=" + NOBODY, "--regid=" + NOBODY,
            "--clear-groups", "--no-new-privs"));
        whole.addAll(command);
        final Process process = new ProcessBuilder(whole).redirectErrorStream(true).directory(Path.of("/").toFile())
            .start();
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(DEADLINE_S, TimeUnit.SECONDS), output);
        return new Joining(output);
    }

    /** Output of a process. */
    private record Joining(String output)
    {
        private static final String JOINED = "joined";

        boolean hasJoined()
        {
            return output.lines().anyMatch(JOINED::equals);
        }
    }

    /** The other user's node. */
    @SuppressWarnings("checkstyle:systemOut")
    public static void main(final String[] arguments)
    {
        try (Grim grim = enable(Path.of(arguments[0]), "other"))
        {
            System.out.println(grim.nodes().stream().map(node -> Joining.JOINED).collect(Collectors.joining("\n")));
        }
        catch (final GrimException ex)
        {
            System.out.println(ex.getMessage());
        }
        try (Stream<Path> files = Files.list(Path.of(arguments[0])))
        {
            System.out.println(files.toList());
        }
        catch (final IOException ex)
        {
            System.out.println(ex);
        }
    }
}
