// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.grim.tools.cli.GrimProcess;
import org.grim.tools.cli.RankedNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** The lines of docs/clusters.md that start four processes, where the launchers are installed. */
@Tag("process")
@Tag("long")
@Timeout(240)
final class LauncherProcessIT
{
    private static final List<String> DIRECTORIES = List.of(System.getenv("PATH").split(":"));

    @TempDir
    private Path directory;

    @Test
    void shouldFollowOpenMpi() throws Exception
    {
        assumeTrue(isInstalled("mpirun"), "no mpirun on PATH");
        final ProcessBuilder builder = builder(List.of("mpirun", "-n", "4"), List.of("-Dgrim.launcher=openmpi"));
        // Root's in a container, and on fewer cores than processes.
        builder.environment().put("OMPI_ALLOW_RUN_AS_ROOT", "1");
        builder.environment().put("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        builder.environment().put("OMPI_MCA_rmaps_base_oversubscribe", "1");

        assertAllGreetAll(builder);
    }

    @Test
    void shouldFollowSlurm() throws Exception
    {
        assumeTrue(isInstalled("srun") && isInstalled("slurmctld") && isInstalled("slurmd"), "no Slurm on PATH");
        assumeTrue("root".equals(System.getProperty("user.name")), "Slurm's daemon is root's");
        try (SlurmDaemons slurm = new SlurmDaemons(Files.createDirectory(directory.resolve("slurm"))))
        {
            final ProcessBuilder builder = builder(List.of("srun", "-n", "4"),
                List.of("-Dgrim.launcher=slurm", "-Dgrim.transports.0=shmem", "-Dgrim.transports.1=aeron"));
            builder.environment().put("SLURM_CONF", slurm.configuration().toString());
            builder.environment().put("SLURM_OVERCOMMIT", "1");     // On fewer cores than processes.

            assertAllGreetAll(builder);
        }
    }

    /** The command {@code run} by srun, in an allocation. */
    @Test
    void shouldRunInAnAllocation() throws Exception
    {
        assumeTrue(isInstalled("salloc") && isInstalled("slurmctld") && isInstalled("slurmd"), "no Slurm on PATH");
        assumeTrue("root".equals(System.getProperty("user.name")), "Slurm's daemon is root's");
        final Path files = Files.createDirectory(directory.resolve("f"));
        try (SlurmDaemons slurm = new SlurmDaemons(Files.createDirectory(directory.resolve("slurm"))))
        {
            final List<String> command = new ArrayList<>(List.of("salloc", "-O", "-n", "4"));
            command.addAll(GrimProcess.command("run", "-n", "4", "--directory", files.toString(), "-cp",
                System.getProperty("java.class.path"), RankedNode.class.getName()));
            final ProcessBuilder builder = new ProcessBuilder(command);
            builder.environment().put("SLURM_CONF", slurm.configuration().toString());

            assertAllGreetAll(builder);
        }
        GrimProcess.assertNothingLeft(files);
    }

    private ProcessBuilder builder(final List<String> launcher, final List<String> settings)
    {
        final List<String> command = new ArrayList<>(launcher);
        command.addAll(GrimProcess.java());
        command.addAll(settings);
        command.add("-Dgrim.cluster.directory=" + directory.resolve("cluster"));
        command.addAll(List.of(System.getProperty("build.jvmFlags").split(" ")));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), RankedNode.class.getName()));
        return new ProcessBuilder(command);
    }

    private void assertAllGreetAll(final ProcessBuilder builder) throws IOException, InterruptedException
    {
        try (GrimProcess launched = GrimProcess.start(directory, builder))
        {
            assertEquals(0, launched.exitCode(), launched.error());
            assertEquals(
                IntStream.range(0, 4).mapToObj(rank -> "node-" + rank + " of 4: greeted by 3").toList(),
                launched.output().lines().sorted().toList(), launched.error());
        }
    }

    private static boolean isInstalled(final String program)
    {
        // Daemons are in directories that not every PATH names.
        return Stream.concat(DIRECTORIES.stream(), Stream.of("/usr/sbin"))
            .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
    }
}
