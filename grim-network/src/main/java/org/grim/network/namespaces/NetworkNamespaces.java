// SPDX-License-Identifier: Apache-2.0
package org.grim.network.namespaces;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Hosts of a network of their own: a network namespace each, with a cable (a pair of {@code veth}) to a switch (a
 * bridge in one more namespace). Nothing of it shows in the namespace that this process is in. Needs root, and
 * {@code ip} of iproute2.
 * <p>Thread: one. Owns: the namespaces, and all processes in them, until {@link #close()}; what a process that ended
 * left over goes when the next one begins.
 */
public final class NetworkNamespaces implements AutoCloseable
{
    private static final String PREFIX = "grim-";
    private static final Path NAMES = Path.of("/run/netns");
    private static final Pattern NAME = Pattern.compile(PREFIX + "([0-9]+)-[0-9]+-(switch|[0-9]+)");
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final String NETWORK = "10.77.0.";
    private static final String DEVICE = "eth0";
    /** A host keeps its hardware address when its power was off. */
    private static final String HARDWARE = "02:00:00:00:01:";
    /** Nobody has it, so what goes there is for nobody. */
    private static final String NOBODY = "02:00:00:00:00:01";
    private static final int HOST_COUNT_MAX = 64;
    private static final int TIMEOUT_S = 20;

    private final int hostCount;
    private final String name = PREFIX + ProcessHandle.current().pid() + "-" + COUNT.getAndIncrement() + "-";

    /**
     * Makes hosts that all reach each other.
     *
     * @param hostCount 1 to {@value #HOST_COUNT_MAX}.
     * @throws IllegalStateException if this machine does not permit it, with what {@code ip} said; nothing is left.
     */
    public NetworkNamespaces(final int hostCount)
    {
        if (hostCount < 1 || hostCount > HOST_COUNT_MAX)
        {
            throw new IllegalArgumentException("hosts=" + hostCount + " is not 1 to " + HOST_COUNT_MAX);
        }
        this.hostCount = hostCount;
        removeLeftOvers();
        boolean isMade = false;
        try
        {
            make();
            isMade = true;
        }
        finally
        {
            if (!isMade)
            {
                close();
            }
        }
    }

    /** {@return why this machine permits no namespaces; empty if it does} */
    public static String refusal()
    {
        try (NetworkNamespaces tried = new NetworkNamespaces(2))
        {
            tried.cut(0);
            return "";
        }
        catch (final IllegalStateException ex)
        {
            return ex.getMessage();
        }
    }

    /**
     * Where a host is.
     *
     * @param host from 0.
     * @return its IPv4 address.
     */
    public String address(final int host)
    {
        return NETWORK + (1 + host);
    }

    /**
     * Moves a command to a host.
     *
     * @param host    from 0.
     * @param command to run there.
     * @return a command that becomes that one, in the same process.
     */
    public List<String> on(final int host, final List<String> command)
    {
        return Stream.concat(Stream.of("ip", "netns", "exec", name(host)), command.stream()).toList();
    }

    /**
     * Unplugs a host's cable at the switch.
     *
     * @param host from 0.
     */
    public void cut(final int host)
    {
        ip("-n", switchName(), "link", "set", port(host), "down");
    }

    /**
     * Plugs a host's cable in.
     *
     * @param host from 0.
     */
    public void heal(final int host)
    {
        ip("-n", switchName(), "link", "set", port(host), "up");
    }

    /**
     * From now on nothing that one host sends arrives at another; what that one sends does.
     *
     * @param from whose datagrams are lost.
     * @param to   who does not get them.
     */
    public void cutOneWay(final int from, final int to)
    {
        ip("-n", name(from), "neigh", "replace", address(to), "lladdr", NOBODY, "dev", DEVICE, "nud", "permanent");
    }

    /**
     * Ends a cut of one direction.
     *
     * @param from as it was cut.
     * @param to   as it was cut.
     */
    public void healOneWay(final int from, final int to)
    {
        ip("-n", name(from), "neigh", "del", address(to), "dev", DEVICE);
    }

    /**
     * Turns a host's power off: its processes end without notice to others. Also its connections are forgotten, which
     * the kernel would end in order otherwise.
     *
     * @param host from 0.
     */
    public void losePower(final int host)
    {
        ip("-n", switchName(), "link", "delete", port(host));       // First: what a dying process sends stays here.
        remove(name(host));
    }

    /**
     * Turns a host's power on again. It has its old address and nothing else of what it had.
     *
     * @param host from 0, without power.
     */
    public void restorePower(final int host)
    {
        makeHost(host);
    }

    /** Ends all processes on the hosts, and removes the hosts. */
    @Override
    public void close()
    {
        Stream.concat(IntStream.range(0, hostCount).mapToObj(this::name), Stream.of(switchName()))
            .forEach(NetworkNamespaces::remove);
    }

    private void make()
    {
        ip("netns", "add", switchName());
        ip("-n", switchName(), "link", "add", "bridge", "type", "bridge");
        ip("-n", switchName(), "link", "set", "bridge", "up");
        IntStream.range(0, hostCount).forEach(this::makeHost);
    }

    private void makeHost(final int host)
    {
        ip("netns", "add", name(host));
        ip("-n", switchName(), "link", "add", port(host), "type", "veth", "peer", "name", DEVICE, "address",
            HARDWARE + HexFormat.of().toHexDigits((byte)(1 + host)), "netns", name(host));
        ip("-n", switchName(), "link", "set", port(host), "master", "bridge");
        ip("-n", name(host), "address", "add", address(host) + "/24", "dev", DEVICE);
        ip("-n", name(host), "link", "set", "lo", "up");
        ip("-n", name(host), "link", "set", DEVICE, "up");
        heal(host);
    }

    private String name(final int host)
    {
        if (host < 0 || host >= hostCount)
        {
            throw new IllegalArgumentException("host=" + host + " is not 0 to " + (hostCount - 1));
        }
        return name + host;
    }

    private String switchName()
    {
        return name + "switch";
    }

    private String port(final int host)
    {
        return "port" + name(host).substring(name.length());
    }

    private static void removeLeftOvers()
    {
        for (final String left : names())
        {
            final Matcher matcher = NAME.matcher(left);
            if (matcher.matches() && ProcessHandle.of(Long.parseLong(matcher.group(1))).isEmpty())
            {
                remove(left);
            }
        }
    }

    private static void remove(final String namespace)
    {
        if (!names().contains(namespace))
        {
            return;
        }
        ip("netns", "pids", namespace).lines().map(String::trim).filter(line -> !line.isEmpty())
            .map(Long::parseLong).forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
        ip("netns", "delete", namespace);
    }

    private static List<String> names()
    {
        if (!Files.isDirectory(NAMES))
        {
            return List.of();
        }
        try (Stream<Path> files = Files.list(NAMES))
        {
            return files.map(file -> file.getFileName().toString()).toList();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static String ip(final String... arguments)
    {
        final List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(arguments));
        try
        {
            final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            final String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(TIMEOUT_S, TimeUnit.SECONDS))
            {
                process.destroyForcibly();
                throw new IllegalStateException(String.join(" ", command) + " did not end within " + TIMEOUT_S + " s");
            }
            if (process.exitValue() != 0)
            {
                throw new IllegalStateException(String.join(" ", command) + ": exit=" + process.exitValue() + " " +
                    text.strip());
            }
            return text;
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException(String.join(" ", command) + " cannot be run: " + ex.getMessage(), ex);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(String.join(" ", command) + " was interrupted", ex);
        }
    }
}
