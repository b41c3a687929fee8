// SPDX-License-Identifier: Apache-2.0
package org.grim.network.launcher;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.grim.text.SafeText;
import org.grim.transport.Key;
import org.grim.transport.Keys;
import org.grim.transport.Settings;

/**
 * Settings that follow from the launcher that started the process ({@code grim.launcher}).
 * <p>Thread: any; no state: the environment is an argument.
 */
public final class Launcher
{
    private static final String KEY = "launcher";
    private static final String SLURM = "slurm";
    private static final String OPENMPI = "openmpi";
    private static final String STATEFULSET = "statefulset";
    private static final String DISCOVERY = "network.discovery.";
    private static final int TEXT_LENGTH_MAX = 1024;
    private static final int RANK_MAX = 4095;
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");
    private static final Pattern ORDINAL_NAME = Pattern.compile("(.+)-([0-9]{1,4})");

    private final Settings settings;
    private final Map<String, String> environment;
    private final String kind;
    private final Map<String, Object> values = new HashMap<>();

    private Launcher(final Settings settings, final Map<String, String> environment)
    {
        this.settings = settings;
        this.environment = environment;
        kind = kind(settings, environment);
    }

    /**
     * Reads the environment, if the settings say so.
     *
     * @param settings    of the process, the defaults included.
     * @param environment of the process.
     * @return keys and values: of the node's name and host, the cluster's size, and of the other hosts, unless set.
     * @throws IllegalArgumentException if the launcher did not start the process, the environment is not as that
     *                                  launcher makes it, or it contradicts the settings.
     */
    public static Map<String, Object> settings(final Settings settings, final Map<String, String> environment)
    {
        final Launcher launcher = new Launcher(settings, environment);
        switch (launcher.kind)
        {
            case SLURM -> launcher.slurm();
            case OPENMPI -> launcher.openmpi();
            case STATEFULSET -> launcher.statefulset();
            default -> launcher.values.clear();
        }
        return launcher.values;
    }

    private static String kind(final Settings settings, final Map<String, String> environment)
    {
        final String kind = Keys.read(settings, LauncherKeys.class).kind;
        if (!kind.equals("auto"))
        {
            return kind;
        }
        final boolean isSlurm = environment.containsKey("SLURM_PROCID");
        final boolean isPmixAlone = environment.containsKey("PMIX_RANK") && !isSlurm;
        return environment.containsKey("OMPI_COMM_WORLD_RANK") || isPmixAlone ? OPENMPI : isSlurm ? SLURM : "none";
    }

    private void slurm()
    {
        ranked(number("SLURM_PROCID"), number("SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"));
        slurmHosts();
    }

    private void slurmHosts()
    {
        final String variable = present("SLURM_STEP_NODELIST", "SLURM_JOB_NODELIST", "SLURM_NODELIST");
        final List<String> hosts;
        try
        {
            hosts = HostList.expand(environment.get(variable));
        }
        catch (final IllegalArgumentException ex)
        {
            throw new IllegalArgumentException(variable + "=" + SafeText.shorten(environment.get(variable)) + " " +
                ex.getMessage() + " (" + said() + ")", ex);
        }
        if (hosts.size() > 1)
        {
            final String host = environment.get(present("SLURMD_NODENAME"));
            if (!hosts.contains(host))
            {
                throw new IllegalArgumentException("SLURMD_NODENAME=" + SafeText.shorten(host) + " is not in " +
                    variable + "=" + SafeText.shorten(environment.get(variable)) + " (" + said() + ")");
            }
            host(host);
            bind(host);
            if (!isDiscoverySet())
            {
                put(DISCOVERY + "hosts", hosts);
            }
        }
    }

    /** It says how many processes are on this host, and not which the others are. */
    private void openmpi()
    {
        final int rank = number("OMPI_COMM_WORLD_RANK", "PMIX_RANK");
        final boolean isSized = environment.containsKey("OMPI_COMM_WORLD_SIZE");
        ranked(rank, isSized ? number("OMPI_COMM_WORLD_SIZE") : settings.integer("cluster.size", 0, RANK_MAX + 1));
        final boolean isAlone = isSized && number("OMPI_COMM_WORLD_LOCAL_SIZE") == number("OMPI_COMM_WORLD_SIZE");
        if (isAlone)
        {
            return;
        }
        if (environment.containsKey("SLURMD_NODENAME"))
        {
            slurmHosts();
        }
        else if (isDiscoverySet())
        {
            host(environment.get(present("PMIX_HOSTNAME", "HOSTNAME")));
        }
        else
        {
            throw new IllegalArgumentException("there are processes on other hosts (OMPI_COMM_WORLD_LOCAL_SIZE=" +
                environment.get("OMPI_COMM_WORLD_LOCAL_SIZE") + " OMPI_COMM_WORLD_SIZE=" +
                environment.get("OMPI_COMM_WORLD_SIZE") + "), and Open MPI does not say which: set one key below " +
                "grim.network.discovery (" + said() + ")");
        }
    }

    private void statefulset()
    {
        final String name = environment.get(present("HOSTNAME"));
        final Matcher matcher = ORDINAL_NAME.matcher(name);
        if (!matcher.matches())
        {
            throw new IllegalArgumentException("HOSTNAME=" + SafeText.shorten(name) + " is not NAME-NUMBER, as pods " +
                "of a StatefulSet are named (" + said() + ")");
        }
        if (!isDiscoverySet())
        {
            throw new IllegalArgumentException("grim.network.discovery.dns is to name the headless service of the " +
                "StatefulSet (" + said() + ")");
        }
        requireSize(Integer.parseInt(matcher.group(2)), settings.integer("cluster.size", 0, RANK_MAX + 1), "HOSTNAME");
        set("node.name", "", name);
        host(name);
        bind(name);
    }

    private void ranked(final int rank, final int size)
    {
        requireSize(rank, size, "rank");
        set("node.name", "", "node-" + rank);
        final int sizeSet = settings.integer("cluster.size", 0, RANK_MAX + 1);
        if (sizeSet != 0 && sizeSet != size)
        {
            throw contradiction("cluster.size", Integer.toString(sizeSet), Integer.toString(size));
        }
        put("cluster.size", size);
    }

    private void requireSize(final int rank, final int size, final String what)
    {
        if (size != 0 && rank >= size)
        {
            throw new IllegalArgumentException(what + " number=" + rank + " is not below the cluster's size=" + size +
                " (" + said() + ")");
        }
    }

    private void host(final String host)
    {
        if (settings.text("node.host", 1, TEXT_LENGTH_MAX).equals("local"))
        {
            put("node.host", host);
        }
    }

    /** Loopback is the default, where other hosts reach nobody; any other address was set for a reason. */
    private void bind(final String host)
    {
        final String bind = settings.text("network.bind", 1, TEXT_LENGTH_MAX);
        if (bind.startsWith("127.0.0.1:"))
        {
            put("network.bind", host + bind.substring(bind.indexOf(':')));
        }
    }

    private boolean isDiscoverySet()
    {
        return !settings.texts(DISCOVERY + "hosts", HostList.HOST_COUNT_MAX, TEXT_LENGTH_MAX).isEmpty() ||
            List.of("dns", "directory", "xml").stream()
            .anyMatch(key -> !settings.text(DISCOVERY + key, 0, TEXT_LENGTH_MAX).isEmpty());
    }

    private void set(final String key, final String absent, final String value)
    {
        final String other = settings.text(key, 0, TEXT_LENGTH_MAX);
        if (!other.equals(absent) && !other.equals(value))
        {
            throw contradiction(key, other, value);
        }
        put(key, value);
    }

    private void put(final String key, final Object value)
    {
        values.put("grim." + key, value);
    }

    private int number(final String... variables)
    {
        final String variable = present(variables);
        final String text = environment.get(variable);
        if (!NUMBER.matcher(text).matches() || Integer.parseInt(text) > RANK_MAX + 1)
        {
            throw new IllegalArgumentException(variable + "=" + SafeText.shorten(text) + " is not a number from 0 to " +
                (RANK_MAX + 1) + " (" + said() + ")");
        }
        return Integer.parseInt(text);
    }

    private String present(final String... variables)
    {
        return List.of(variables).stream().filter(environment::containsKey).findFirst().orElseThrow(() ->
            new IllegalArgumentException("environment has no " + String.join(" or ", variables) + " (" + said() +
            "): was the process started by that launcher?"));
    }

    private IllegalArgumentException contradiction(final String key, final String value, final String launched)
    {
        return new IllegalArgumentException("grim." + key + "=" + SafeText.shorten(value) +
            " contradicts the launcher, which says " + SafeText.shorten(launched) + " (" + said() +
            "): leave that key out, or set grim.launcher = none");
    }

    private String said()
    {
        return "grim." + KEY + "=" + kind;
    }

    private record LauncherKeys(
        @Key(value = KEY, initial = "none", words = {"none", "auto", SLURM, OPENMPI, STATEFULSET},
            text = "Program that started this process and describes the node in the environment: `slurm` (srun), " +
            "`openmpi` (mpirun, PMIx), `statefulset` (a pod's host name), or `auto`: `slurm` or `openmpi` if one of " +
            "them did. It sets `grim.node.name` and `grim.cluster.size`, which must not be set to other values, and " +
            "`grim.node.host` and `grim.network` unless set.")
        String kind)
    {
    }
}
