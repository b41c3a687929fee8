// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.run;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

import org.grim.GrimException;
import org.grim.tools.run.RunRequest.Program;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class RunPlanTest
{
    private static final Program CLASS = new Program(true, List.of("-Xmx1g"), "app.jar", List.of("Main", "a b"));
    private static final Program COMMAND = new Program(false, List.of(), ".", List.of("java", "-jar", "x.jar"));

    @TempDir
    private Path temporary;
    private final Properties properties = new Properties();
    {
        properties.setProperty("java.class.path", "/x/grim.jar");
        properties.setProperty("grim.queue.slot-count", "256");
        properties.setProperty("user.name", "me");
    }

    @Test
    void shouldGiveEachRankItsNodeInOneClusterOfThisHost()
    {
        final RunPlan plan = plan(2, RunHosts.LOCAL, CLASS, Map.of());

        assertEquals("", plan.key());
        assertEquals(1, plan.places().size());
        assertEquals(2, plan.starts().size());
        final List<String> words = plan.starts().get(1).command();
        final String directory = "/shm/" + plan.id() + "-0";
        assertEquals("setsid", words.get(0));
        assertTrue(words.containsAll(List.of("GRIM_RUN_RANK=1", "GRIM_RUN_SIZE=2", "GRIM_RUN_ID=" + plan.id(),
            "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED", "-Dgrim.node.name=node-1", "-Dgrim.cluster.size=2",
            "-Dgrim.cluster.directory=" + directory, "-Dgrim.queue.slot-count=256", "-Xmx1g",
            "app.jar:/x/grim.jar")), words::toString);
        assertEquals(List.of("Main", "a b"), words.subList(words.size() - 2, words.size()));
        assertTrue(words.stream().noneMatch(word -> word.contains("user.name") || word.contains("grim.network") ||
            word.contains("JDK_JAVA_OPTIONS") || word.contains("nodes-max")), words::toString);
        assertNotEquals(plan.id(), plan(2, RunHosts.LOCAL, CLASS, Map.of()).id());
    }

    @Test
    void shouldGiveAnyCommandItsSettingsInTheVariableOfJava()
    {
        final List<String> words = plan(70, RunHosts.LOCAL, COMMAND,
            Map.of("JDK_JAVA_OPTIONS", "-Xmx2g", "GRIM_CONFIG", "/etc/grim.conf")).starts().get(0).command();

        assertEquals(List.of("java", "-jar", "x.jar"), words.subList(words.size() - 3, words.size()));
        final String options = words.get(words.size() - 4);
        assertTrue(options.startsWith("JDK_JAVA_OPTIONS=-Xmx2g --add-opens=java.base/"), options);
        assertTrue(options.contains(" -Dgrim.node.name=node-0") && options.contains(" -Dgrim.cluster.nodes-max=70"),
            options);
        assertTrue(words.contains("GRIM_CONFIG=/etc/grim.conf"), words::toString);
        assertEquals("\"-Da=b c\"", RankCommand.quoteOption("-Da=b c"));
        assertEquals("'-Da=\"b\"'", RankCommand.quoteOption("-Da=\"b\""));
    }

    @Test
    void shouldConnectSeveralHostsWithoutShowingTheirKey()
    {
        final RunPlan plan = plan(3, RunHosts.ofList("127.0.0.2,127.0.0.3"), CLASS, Map.of());

        assertEquals(64, plan.key().length());
        final List<String> words = plan.starts().get(2).command();
        assertEquals(List.of("setsid", "my-ssh"), words.subList(0, 2));
        assertEquals("127.0.0.3", words.get(words.size() - 2));
        final String line = words.get(words.size() - 1);
        assertTrue(line.startsWith("exec 'sh' '-c' '") && line.endsWith(" 'Main' 'a b'"), line);
        for (final String part : List.of("-Dgrim.node.host=127.0.0.3", "-Dgrim.network.bind=127.0.0.3:",
            "-Dgrim.network.discovery.hosts.0=127.0.0.2:", "-Dgrim.network.discovery.hosts.1=127.0.0.3:",
            "-Dgrim.transports.0=shmem", "-Dgrim.transports.1=aeron",
            "-Dgrim.network.key-file=/shm/" + plan.id() + "-1/key"))
        {
            assertTrue(line.contains("'" + part), () -> part + " is not in " + line);
        }
        assertFalse(plan.starts().toString().contains(plan.key()), "the key is on a command line");
    }

    @Test
    void shouldHaveAProcessHoldTheDriverOfEachHost()
    {
        final RunHosts two = RunHosts.ofList("127.0.0.2,127.0.0.3");

        final RunPlan plan = plan(3, two, CLASS, Map.of("GRIM_CONFIG", "/etc/grim.conf"));
        final String driver = plan.places().get(1).driver();
        assertTrue(driver.startsWith("'env' 'GRIM_RUN_ID=" + plan.id() + "' 'GRIM_CONFIG=/etc/grim.conf' '") &&
            driver.endsWith(" '-cp' 'app.jar:/x/grim.jar' 'org.grim.aeron.DriverProcess'"), driver);
        for (final String part : List.of("-Dgrim.cluster.directory=/shm/" + plan.id() + "-1'", "-Dgrim.network.bind=" +
            "127.0.0.3:", "-Dgrim.network.key-file=", "-Dgrim.queue.slot-count=256'"))
        {
            assertTrue(driver.contains("'" + part), () -> part + " is not in " + driver);
        }
        assertFalse(driver.contains("node.name") || driver.contains("Xmx1g"), driver);
        assertEquals("", plan(3, two, COMMAND, Map.of()).places().get(0).driver());
        assertEquals("", plan(3, RunHosts.LOCAL, CLASS, Map.of()).places().get(0).driver());
        properties.setProperty("grim.transports.0", "aeron");
        assertNotEquals("", plan(3, two, CLASS, Map.of()).places().get(0).driver());
        properties.setProperty("grim.aeron.directory", "/x");
        assertEquals("", plan(3, two, CLASS, Map.of()).places().get(0).driver());
        properties.remove("grim.aeron.directory");
        properties.setProperty("grim.transports.0", "myrinet");
        assertEquals("", plan(3, two, CLASS, Map.of()).places().get(0).driver());
    }

    @Test
    void shouldLeaveTransportsToTheUser()
    {
        properties.setProperty("grim.transports.0", "aeron");

        final String line = plan(2, RunHosts.ofList("127.0.0.2,127.0.0.3"), CLASS, Map.of()).starts().toString();

        assertTrue(line.contains("-Dgrim.transports.0=aeron") && !line.contains("shmem"), line);
    }

    @Test
    void shouldRefuseHostsThatCannotReachEachOther()
    {
        final String message = assertThrows(GrimException.class,
            () -> plan(2, RunHosts.ofList("192.0.2.1,127.0.0.2"), CLASS, Map.of())).getMessage();

        assertTrue(message.startsWith("host=127.0.0.2 has the address 127.0.0.2"), message);
    }

    @Test
    void shouldStartAllRanksBySrun()
    {
        final RunPlan plan = plan(4, null, CLASS, Map.of("SLURM_NNODES", "2"));

        assertEquals(1, plan.starts().size());
        assertEquals(RunPlan.ALL_RANKS, plan.starts().get(0).rank());
        final List<String> words = plan.starts().get(0).command();
        assertTrue(words.containsAll(List.of("my-srun", "-x", "-n", "4", "-l", "--kill-on-bad-exit=1", "--input=0",
            "-Dgrim.launcher=slurm")), words::toString);
        assertTrue(words.stream().noneMatch(word -> word.contains("grim.node.name")), words::toString);
        assertEquals(List.of("my-srun", "-x", "-N", "2", "--ntasks-per-node=1", "rm", "-rf", "/shm/" + plan.id()),
            plan.cleanUp());
        assertFalse(words.toString().contains(plan.key()), "the key is on a command line");
    }

    /** The guard marks that it asks, and then signals; a process says which it is, and then looks for the mark. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldNotBeginAProcessThatTheGuardCannotHaveAsked(final boolean isAsked) throws Exception
    {
        if (isAsked)
        {
            Files.createFile(temporary.resolve("asked"));
        }
        final String place = temporary.toString();

        final Process process = new ProcessBuilder(
            "sh", "-c", ShellScripts.START_LOCAL, "sh", place, place, "7", "touch", "begun").start();

        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        assertEquals(isAsked ? 143 : 0, process.exitValue());
        assertEquals(!isAsked, Files.exists(temporary.resolve("begun")));
        assertTrue(Files.exists(temporary.resolve("rank-7")));
    }

    @Test
    void shouldQuoteForShells()
    {
        assertEquals("'a b' '$c' 'it'\\''s'", ShellScripts.quote(List.of("a b", "$c", "it's")));
    }

    private RunPlan plan(
        final int count, final RunHosts hosts, final Program program, final Map<String, String> environment)
    {
        final RunRequest request = new RunRequest(
            count, hosts, program, List.of("my-ssh"), List.of("my-srun", "-x"), "/shm", false, false);
        return RunPlan.of(request, environment, properties);
    }
}
