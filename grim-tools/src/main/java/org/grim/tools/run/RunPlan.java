// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.run;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ThreadLocalRandom;

import org.grim.GrimException;

import static org.grim.GrimException.Reason.NOT_FOUND;
import static org.grim.GrimException.Reason.SYSTEM_REFUSED;
import static org.grim.GrimException.Reason.UNREACHABLE;
import static org.grim.tools.run.RankCommand.flag;

/**
 * The processes that a run starts, in the order of their ranks, or srun alone; and the hosts, each of which gets a
 * guard. The id is of this run only; the key is secret, and empty for one host.
 * <p>Thread: any; immutable.
 *
 * @param cleanUp last command of the guard; empty without one.
 */
record RunPlan(String id, String key, List<Place> places, List<Start> starts, List<String> cleanUp)
{
    /** Rank of a process that starts all ranks, and begins each line of their output with the rank. */
    static final int ALL_RANKS = -1;

    private static final int KEY_LENGTH = 32;
    /** Below the ports that systems give to connections. */
    private static final int PORT_MIN = 10_000;
    private static final int PORT_MAX = 30_000;
    /** A host that is silent is noticed after 15 s. */
    private static final List<String> SSH_OPTIONS = List.of("-o", "BatchMode=yes", "-o", "ConnectTimeout=10", "-o",
        "ServerAliveInterval=5", "-o", "ServerAliveCountMax=3");

    /**
     * A host, the words that run a command there (none: this host), its directory for the run, and the command, for a
     * shell, of a process that holds its media driver (empty: ranks hold it).
     */
    record Place(String name, List<String> remote, String directory, String driver)
    {
        /** Returns the command that runs a script there, in a session of its own: no Ctrl-C reaches it. */
        List<String> shell(final String script, final List<String> arguments)
        {
            final List<String> shell = new ArrayList<>(List.of("sh", "-c", script, "grim-run"));
            shell.addAll(arguments);
            final List<String> command = new ArrayList<>(List.of("setsid"));
            command.addAll(remote);
            command.addAll(remote.isEmpty() ? shell : List.of("exec " + ShellScripts.quote(shell)));
            return command;
        }
    }

    /** A process of a rank, or of {@link #ALL_RANKS}; the index of its host; its command. */
    record Start(int rank, int place, List<String> command)
    {
        /** Returns the number by which the guard of its host knows it. */
        int number()
        {
            return Math.max(0, rank);
        }
    }

    static RunPlan of(final RunRequest request, final Map<String, String> environment, final Properties properties)
    {
        final String id = "grim-run-" + ProcessHandle.current().pid() + "-" +
            Integer.toHexString(ThreadLocalRandom.current().nextInt());
        final RankCommand command = new RankCommand(request, environment, properties, id);
        return request.hosts() == null ? ofSlurm(request, environment, command) : ofHosts(request, command);
    }

    /** One process, srun. The nodes' settings follow from what Slurm says to each of them. */
    private static RunPlan ofSlurm(
        final RunRequest request, final Map<String, String> environment, final RankCommand command)
    {
        final Place place = new Place(RunHosts.LOCAL_NAME, List.of(), request.directory() + "/" + command.id(), "");
        final List<String> settings = command.settings(place.directory());
        settings.addAll(List.of(flag("grim.launcher", "slurm"), flag("grim.network.bind", "127.0.0.1:" + port())));
        settings.addAll(command.network(place.directory()));
        final List<String> srun = new ArrayList<>(request.srun());
        srun.addAll(List.of("-n", Integer.toString(request.count()), "-l",
            "--kill-on-bad-exit=" + (request.isKeepingGoing() ? 0 : 1), "--input=0", "sh", "-c", ShellScripts.TASK,
            "grim-run", place.directory()));
        srun.addAll(command.words(settings));
        final List<String> cleanUp = new ArrayList<>(request.srun());
        cleanUp.addAll(List.of("-N", environment.getOrDefault("SLURM_NNODES", "1"), "--ntasks-per-node=1", "rm", "-rf",
            place.directory()));
        return new RunPlan(command.id(), newKey(), List.of(place), List.of(start(place, ALL_RANKS, 0, srun)), cleanUp);
    }

    private static RunPlan ofHosts(final RunRequest request, final RankCommand command)
    {
        final List<Integer> placement = request.hosts().place(request.count());
        final List<RunHosts.Host> hosts =
            request.hosts().hosts().subList(0, placement.get(placement.size() - 1) + 1);
        final List<Place> places = new ArrayList<>();
        final List<String> addresses = hosts.size() == 1 ? List.of() : addresses(hosts);
        final List<List<String>> settings = new ArrayList<>();
        for (final RunHosts.Host host : hosts)
        {
            final String directory = request.directory() + "/" + command.id() + "-" + places.size();
            settings.add(settings(request, command, directory, host, addresses));
            places.add(new Place(host.name(), isLocal(host) ? List.of() : remote(request, host), directory,
                hosts.size() > 1 && command.usesDriver() ?
                ShellScripts.quote(command.driver(settings.get(places.size()))) : ""));
        }
        final List<Start> starts = new ArrayList<>();
        for (int rank = 0; rank < request.count(); rank++)
        {
            final int index = placement.get(rank);
            final Place place = places.get(index);
            final List<String> ofRank = new ArrayList<>(settings.get(index));
            ofRank.add(flag("grim.node.name", "node-" + rank));
            starts.add(start(place, rank, index, command.words(ofRank, "GRIM_RUN_RANK=" + rank)));
        }
        return new RunPlan(command.id(), hosts.size() == 1 ? "" : newKey(), places, starts, List.of());
    }

    /** Settings of all nodes of a host; no addresses for a host that is alone. */
    private static List<String> settings(
        final RunRequest request, final RankCommand command, final String directory, final RunHosts.Host host,
        final List<String> addresses)
    {
        final List<String> settings = command.settings(directory);
        settings.add(flag("grim.cluster.size", request.count()));
        if (!addresses.isEmpty())
        {
            settings.addAll(command.network(directory));
            settings.add(flag("grim.node.host", host.address()));
            settings.add(flag("grim.network.bind", addresses.get(request.hosts().hosts().indexOf(host))));
            for (int i = 0; i < addresses.size(); i++)
            {
                settings.add(flag("grim.network.discovery.hosts." + i, addresses.get(i)));
            }
        }
        return settings;
    }

    private static Start start(final Place place, final int rank, final int index, final List<String> command)
    {
        final Start start = new Start(rank, index, command);
        final List<String> arguments = new ArrayList<>(List.of(
            System.getProperty("user.dir"), place.directory(), Integer.toString(start.number())));
        arguments.addAll(command);
        return new Start(rank, index, place.shell(
            place.remote().isEmpty() ? ShellScripts.START_LOCAL : ShellScripts.START_REMOTE, arguments));
    }

    private static List<String> remote(final RunRequest request, final RunHosts.Host host)
    {
        final List<String> remote = new ArrayList<>(request.ssh());
        remote.addAll(SSH_OPTIONS);
        remote.add(host.name().substring(0, host.name().indexOf('@') + 1) + host.address());
        return remote;
    }

    private static boolean isLocal(final RunHosts.Host host)
    {
        try
        {
            return host.name().equals(RunHosts.LOCAL_NAME) || (!host.name().contains("@") &&
                (host.name().equals(InetAddress.getLocalHost().getHostName()) ||
                NetworkInterface.getByInetAddress(InetAddress.getByName(host.address())) != null));
        }
        catch (final UnknownHostException | SocketException expected)
        {
            return false;                           // Only ssh may know it, by an alias.
        }
    }

    /** Returns the addresses of the hosts' agents. */
    private static List<String> addresses(final List<RunHosts.Host> hosts)
    {
        final int port = port();
        final List<InetAddress> addresses = hosts.stream().map(RunPlan::resolve).toList();
        for (int i = 0; i < hosts.size(); i++)
        {
            final int same = addresses.indexOf(addresses.get(i));
            if (same < i)
            {
                throw new IllegalArgumentException("host=" + hosts.get(same).name() + " and host=" +
                    hosts.get(i).name() + " have the same address=" + addresses.get(i).getHostAddress() +
                    ": name a host once, with its slots");
            }
        }
        final List<Boolean> loopback = addresses.stream().map(InetAddress::isLoopbackAddress).toList();
        final int first = loopback.indexOf(true);
        if (first >= 0 && loopback.contains(false))
        {
            throw new GrimException(UNREACHABLE, "host=" + hosts.get(first).name() + " has the address " + addresses
                .get(first).getHostAddress() + " here, which other hosts cannot reach: name it by another address");
        }
        return addresses.stream().map(InetAddress::getHostAddress)
            .map(text -> (text.contains(":") ? "[" + text + "]" : text) + ":" + port).toList();
    }

    private static InetAddress resolve(final RunHosts.Host host)
    {
        try
        {
            return InetAddress.getByName(host.address());
        }
        catch (final UnknownHostException ex)
        {
            throw new GrimException(NOT_FOUND,
                "host=" + host.name() + " has no address: the name service of this host does not know it", ex);
        }
    }

    private static int port()
    {
        return ThreadLocalRandom.current().nextInt(PORT_MIN, PORT_MAX);
    }

    private static String newKey()
    {
        final byte[] bytes = new byte[KEY_LENGTH];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** Starts a process of this plan; the first rank reads this process's standard input. */
    Process launch(final Start start)
    {
        final ProcessBuilder builder = new ProcessBuilder(start.command())
            .redirectInput(start.number() == 0 && hasInput() ? Redirect.INHERIT : Redirect.from(new File("/dev/null")));
        if (start.rank() == ALL_RANKS)
        {
            builder.environment().put("GRIM_RUN_KEY", key);
        }
        return launch(places.get(start.place()), builder);
    }

    /** Where standard input was closed, the JVM's first file has its number. */
    private static boolean hasInput()
    {
        try
        {
            return !Path.of("/proc/self/fd/0").toRealPath()
                .startsWith(Path.of(System.getProperty("java.home")).toRealPath());
        }
        catch (final IOException expected)
        {
            return true;                            // A pipe, or a system without that directory.
        }
    }

    static Process launch(final Place place, final ProcessBuilder builder)
    {
        try
        {
            return builder.start();
        }
        catch (final IOException ex)
        {
            throw new GrimException(SYSTEM_REFUSED, "host=" + place.name() + ": " + ex.getMessage(), ex);
        }
    }
}
