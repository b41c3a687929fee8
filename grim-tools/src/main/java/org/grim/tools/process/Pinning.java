// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.grim.GrimException;

/**
 * Keeps the calling thread on one CPU, by the tool {@code taskset} where there is one, until {@link #close()}. Only the
 * thread is pinned: compiler and collector threads of the JVM go where there is room.
 * <p>Thread: make and close it on the thread to pin.
 */
public final class Pinning implements AutoCloseable
{
    /** Says "no CPU" where a CPU number is expected. */
    public static final int NO_CPU = -1;

    private static final Path THREAD = Path.of("/proc/thread-self");
    private static final String ALLOWED_KEY = "Cpus_allowed_list:";
    private static final long TOOL_TIMEOUT_MS = 5_000;

    private final String previousCpus;
    private final String description;

    private Pinning(final String previousCpus, final String description)
    {
        this.previousCpus = previousCpus;
        this.description = description;
    }

    /**
     * Pins the calling thread.
     *
     * @param cpu to run on, or {@link #NO_CPU}.
     * @return what was done; says so if nothing could be.
     */
    public static Pinning pin(final int cpu)
    {
        if (cpu == NO_CPU)
        {
            return new Pinning(null, "not pinned: fewer than two CPUs are allowed");
        }
        try
        {
            final String previousCpus = allowedList();
            final String refusal = setAffinity(Integer.toString(cpu));
            return refusal == null ? new Pinning(previousCpus, "pinned to CPU " + cpu + " by taskset") :
                new Pinning(null, "not pinned: " + refusal);
        }
        catch (final IOException ex)
        {
            return new Pinning(null, "not pinned: " + ex.getMessage());
        }
    }

    /**
     * {@return the CPUs that the calling thread may run on; CPU numbers, ascending; empty if the system does not say}
     */
    public static List<Integer> allowedCpus()
    {
        try
        {
            return parseList(allowedList());
        }
        catch (final IOException ex)
        {
            return List.of();               // No /proc: nothing can be pinned, and nobody needs the list.
        }
    }

    /** {@return whether it worked; true if the thread stays on one CPU until the end} */
    public boolean isPinned()
    {
        return previousCpus != null;
    }

    /** {@return what was done, for people: a part of a sentence} */
    public String description()
    {
        return description;
    }

    @Override
    public void close()
    {
        if (previousCpus != null)
        {
            final String refusal = setAffinity(previousCpus);
            if (refusal != null)
            {
                throw new IllegalStateException("thread stays pinned: " + refusal);
            }
        }
    }

    /** Numbers of a list such as {@code 0-3,8}. */
    static List<Integer> parseList(final String list)
    {
        final List<Integer> cpus = new ArrayList<>();
        for (final String range : list.split(",", -1))
        {
            final int dash = range.indexOf('-');
            final int first = Integer.parseInt(range.substring(0, dash < 0 ? range.length() : dash).trim());
            final int last = dash < 0 ? first : Integer.parseInt(range.substring(dash + 1).trim());
            for (int cpu = first; cpu <= last; cpu++)
            {
                cpus.add(cpu);
            }
        }
        return cpus;
    }

    private static String allowedList() throws IOException
    {
        for (final String line : Files.readAllLines(THREAD.resolve("status")))
        {
            if (line.startsWith(ALLOWED_KEY))
            {
                return line.substring(ALLOWED_KEY.length()).trim();
            }
        }
        throw new IOException("no " + ALLOWED_KEY + " in " + THREAD.resolve("status"));
    }

    /** Null if it worked, else why not. */
    private static String setAffinity(final String cpus)
    {
        try
        {
            final String threadId = Files.readSymbolicLink(THREAD).getFileName().toString();
            ForeignProcess.run(List.of("taskset", "-cp", cpus, threadId), Map.of(), TOOL_TIMEOUT_MS);
            return null;
        }
        catch (final IOException | GrimException ex)
        {
            return ex.getMessage();
        }
    }
}
