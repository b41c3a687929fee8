// SPDX-License-Identifier: Apache-2.0
package org.grim.mpi;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The place of this process in its job, as the launcher says: {@code grim run}, Slurm, Open MPI or MPICH.
 *
 * @param rank of this process: 0 to {@code size} - 1.
 * @param size processes of the job; 1 if there is no launcher.
 */
public record Launch(int rank, int size)
{
    /** Most processes of a job. */
    public static final int SIZE_MAX = 1024;

    private static final Pattern NODE_NAME = Pattern.compile("node-(0|[1-9][0-9]{0,3})");

    /** Variables of the rank and of the size, by launcher; the first that is there counts. */
    private static final List<List<String>> VARIABLES = List.of(List.of("GRIM_RUN_RANK", "GRIM_RUN_SIZE"),
        List.of("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"), List.of("PMI_RANK", "PMI_SIZE"),
        List.of("SLURM_PROCID", "SLURM_NTASKS"));

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
        for (final List<String> variables : VARIABLES)
        {
            if (environment.containsKey(variables.get(0)) && environment.containsKey(variables.get(1)))
            {
                return new Launch(number(environment, variables.get(0)), number(environment, variables.get(1)));
            }
        }
        return new Launch(0, 1);
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
}
