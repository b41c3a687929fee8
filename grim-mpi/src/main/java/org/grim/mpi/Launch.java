// SPDX-License-Identifier: Apache-2.0
package org.grim.mpi;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.grim.GrimConfig;

/**
 * The place of this process in its job, as the launcher says: {@code grim run}, Slurm, Open MPI or MPICH.
 *
 * @param rank of this process: 0 to {@code size} - 1.
 * @param size processes of the job; 1 if there is no launcher.
 * @param job  name of the job's cluster, unless the configuration names one; empty: as the configuration says.
 */
public record Launch(int rank, int size, String job)
{
    /** Most processes of a job. */
    public static final int SIZE_MAX = 1024;

    private static final Pattern NODE_NAME = Pattern.compile("node-(0|[1-9][0-9]{0,3})");

    private static final String CLUSTER_NAME = "grim.cluster.name";
    private static final String CLUSTER_NAME_DEFAULT = "default";
    private static final int JOB_LENGTH_MAX = 40;

    /** The first that is there counts. */
    private static final List<Variables> VARIABLES = List.of(
        new Variables("GRIM_RUN_RANK", "GRIM_RUN_SIZE", List.of()),
        new Variables("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", List.of("PMIX_NAMESPACE")),
        new Variables("SLURM_PROCID", "SLURM_STEP_NUM_TASKS", List.of("SLURM_JOB_ID", "SLURM_STEP_ID")),
        new Variables("PMI_RANK", "PMI_SIZE", List.of("PMI_JOBID")),
        new Variables("SLURM_PROCID", "SLURM_NTASKS", List.of("SLURM_JOB_ID", "SLURM_STEP_ID")));

    /** Makes a place in the cluster that the configuration names. */
    Launch(final int rank, final int size)
    {
        this(rank, size, "");
    }

    /** Checks the place. */
    public Launch
    {
        if (size < 1 || size > SIZE_MAX)
        {
            throw new IllegalArgumentException("processes=" + size + " of the job is outside 1 to " + SIZE_MAX);
        }
        if (rank < 0 || rank >= size)
        {
            throw new IllegalArgumentException("rank=" + rank + " of this process is outside 0 to " + (size - 1));
        }
    }

    /**
     * Reads what the launcher says.
     *
     * @param environment of this process.
     * @return the place.
     * @throws IllegalArgumentException naming variable, value and limit if it is none.
     */
    public static Launch of(final Map<String, String> environment)
    {
        for (final Variables variables : VARIABLES)
        {
            if (environment.containsKey(variables.rank) && environment.containsKey(variables.size))
            {
                final String job = variables.job.stream().map(name -> environment.getOrDefault(name, ""))
                    .collect(Collectors.joining("-"));
                return new Launch(
                    number(environment, variables.rank), number(environment, variables.size), nameOf(job));
            }
        }
        return new Launch(0, 1, nameOf(Long.toString(ProcessHandle.current().pid())));
    }

    /** Returns a name that jobs of other launchers and numbers do not have. */
    private static String nameOf(final String job)
    {
        final String name = job.replaceAll("[^A-Za-z0-9-]", "-");
        return name.isEmpty() ? "" : "mpi-" + name.substring(0, Math.min(name.length(), JOB_LENGTH_MAX));
    }

    /** {@return the configuration of this process's node} */
    GrimConfig node(final GrimConfig config)
    {
        final GrimConfig.Builder builder = config.toBuilder().nodeName(nodeName(rank));
        final boolean isNamed = !CLUSTER_NAME_DEFAULT.equals(config.settings().get(CLUSTER_NAME));
        return (isNamed || job.isEmpty() ? builder : builder.set(CLUSTER_NAME, job)).build();
    }

    /** {@return name of the node of a process} */
    public static String nodeName(final int ofRank)
    {
        return "node-" + ofRank;
    }

    /** {@return rank of the process of a node; -1 if its name is none of a process} */
    static int rankOf(final String nodeName)
    {
        final Matcher matcher = NODE_NAME.matcher(nodeName);
        return matcher.matches() ? Integer.parseInt(matcher.group(1)) : -1;
    }

    private static int number(final Map<String, String> environment, final String variable)
    {
        final String text = environment.get(variable);
        try
        {
            return Integer.parseInt(text);
        }
        catch (final NumberFormatException ex)
        {
            throw new IllegalArgumentException("variable " + variable + "=" + text + " is no whole number", ex);
        }
    }

    /** Variables of rank and size, and those that name the job together; {@code grim run} has its own cluster. */
    private record Variables(String rank, String size, List<String> job)
    {
    }
}
