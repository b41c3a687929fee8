// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.launch;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.grim.FreePorts;

import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Slurm on this machine alone, without authentication, at ports of its own, and with all files in one directory.
 * <p>Thread: one. Owns: its two daemons.
 */
final class SlurmDaemons implements AutoCloseable
{
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long END_S = 20;
    private static final long LOOK_MS = 100;

    private final Path configuration;
    private final List<Process> daemons = new ArrayList<>();

    /** Starts them, and waits until the machine may be used. */
    SlurmDaemons(final Path directory) throws IOException, InterruptedException
    {
        final String host = InetAddress.getLocalHost().getHostName().replaceFirst("[.].*", "");
        final int port = FreePorts.pair();
        configuration = directory.resolve("slurm.conf");
        Files.createDirectory(directory.resolve("state"));
        Files.createDirectory(directory.resolve("spool"));
        Files.writeString(configuration, """
            ClusterName=grim
            SlurmctldHost=HOST(127.0.0.1)
            SlurmUser=root
            AuthType=auth/none
            CredType=cred/none
            ProctrackType=proctrack/pgid
            TaskPlugin=task/none
            SwitchType=switch/none
            SlurmctldPort=PORT-0
            SlurmdPort=PORT-1
            SlurmctldPidFile=DIRECTORY/slurmctld.pid
            SlurmdPidFile=DIRECTORY/slurmd.pid
            StateSaveLocation=DIRECTORY/state
            SlurmdSpoolDir=DIRECTORY/spool
            NodeName=HOST NodeAddr=127.0.0.1 CPUs=1 State=UNKNOWN
            PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
            """.replace("HOST", host).replace("DIRECTORY", directory.toString())
            .replace("PORT-0", Integer.toString(port)).replace("PORT-1", Integer.toString(port + 1)));
        try
        {
            start(directory, "slurmctld");
            start(directory, "slurmd");
            final long startNs = System.nanoTime();
            while (!hasIdleNode())
            {
                assertTrue(System.nanoTime() - startNs < PATIENCE_NS && daemons.stream().allMatch(Process::isAlive),
                    () -> "Slurm does not come up: " + text(directory, "slurmctld") + text(directory, "slurmd"));
                Thread.sleep(LOOK_MS);
            }
        }
        catch (final IOException | InterruptedException | AssertionError ex)
        {
            close();
            throw ex;
        }
    }

    /** {@return what programs find it by} */
    Path configuration()
    {
        return configuration;
    }

    @Override
    public void close()
    {
        for (final Process daemon : daemons)
        {
            daemon.destroy();
            if (!hasEnded(daemon))
            {
                daemon.destroyForcibly();
            }
        }
    }

    private static boolean hasEnded(final Process daemon)
    {
        try
        {
            return daemon.waitFor(END_S, TimeUnit.SECONDS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void start(final Path directory, final String daemon) throws IOException
    {
        final Path program = Path.of("/usr/sbin", daemon);
        daemons.add(new ProcessBuilder(Files.isExecutable(program) ? program.toString() : daemon, "-D", "-f",
            configuration.toString()).redirectErrorStream(true)
            .redirectOutput(directory.resolve(daemon + ".log").toFile()).start());
    }

    private boolean hasIdleNode() throws IOException, InterruptedException
    {
        final ProcessBuilder builder = new ProcessBuilder("sinfo", "--noheader", "--format=%T");
        builder.environment().put("SLURM_CONF", configuration.toString());
        final Process process = builder.redirectErrorStream(true).start();
        final String states = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return states.contains("idle");
    }

    private static String text(final Path directory, final String daemon)
    {
        try
        {
            return Files.readString(directory.resolve(daemon + ".log"));
        }
        catch (final IOException ex)
        {
            return ex.toString();
        }
    }
}
