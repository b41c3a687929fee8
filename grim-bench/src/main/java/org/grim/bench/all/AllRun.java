// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import org.grim.GrimException;
import org.grim.bench.compare.Machine;
import org.grim.bench.figures.FigureDirectory;
import org.grim.bench.figures.RunInfo;
import org.grim.tools.pair.PeerPair;
import org.grim.tools.process.PrivateDirectory;
import org.grim.tools.process.SecondJvm;

import static org.grim.GrimException.Reason.BAD_DATA;
import static org.grim.GrimException.Reason.UNAVAILABLE;

/**
 * The run as a whole, in the first process: fork after fork of all sections, each part of each in a fresh process,
 * so that a slow minute meets all sections alike and figures of one fork do not depend on those of another.
 * <p>Thread: one, which waits. Owns: processes and files while it runs.
 */
public final class AllRun
{
    /** A short run keeps its time on a busy machine, too: what no longer fits is left out, but never a first fork. */
    private static final long QUICK_LIMIT_MS = TimeUnit.SECONDS.toMillis(540);
    private static final int COST_FORKS_MIN = 8;

    private final Options options;
    private final PrintWriter text;
    private final PrintWriter progress;
    private final Figures forks = new Figures();
    private final Map<Section, Long> tookMs = new EnumMap<>(Section.class);
    private final List<String> failures = new ArrayList<>();

    /** Makes a run. */
    public AllRun(final Options options, final PrintWriter text, final PrintWriter progress)
    {
        this.options = options;
        this.text = text;
        this.progress = progress;
    }

    /** Options of a run. With 0 forks the effort and the section say how many; a null directory is shared memory. */
    public record Options(Effort effort, int forks, Set<Section> sections, Path directory, int slowDown)
    {
        /** Forks of most sections. */
        private int forkCount()
        {
            return forks == 0 ? effort.forks() : forks;
        }

        /** A change of the send path by 20 percent must be visible: that takes more forks than a look does. */
        private int forksOf(final Section section)
        {
            return forks == 0 && section == Section.COST && effort != Effort.TINY ?
                Math.max(COST_FORKS_MIN, forkCount()) : forkCount();
        }
    }

    /** Measures; fails if no part had a figure. */
    public FigureDirectory run()
    {
        final Instant started = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        final long startNs = System.nanoTime();
        // Before anything runs: afterwards the load is ours.
        final Map<String, String> machine = Machine.facts();
        final List<Section> steps = plan();
        try (PrivateDirectory directory = PrivateDirectory.create("grim-all-", options.directory()))
        {
            for (int step = 0; step < steps.size(); step++)
            {
                final Section section = steps.get(step);
                if (options.effort() == Effort.QUICK && tookMs.containsKey(section) && !hasTime(section,
                    QUICK_LIMIT_MS - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs),
                    steps.subList(step + 1, steps.size())))
                {
                    forks.note("left out: a fork of " + section + ": no time for it within " + QUICK_LIMIT_MS / 1000 +
                        " s");
                }
                else
                {
                    step(step, steps, directory.path());
                }
            }
        }
        if (forks.points().isEmpty())
        {
            throw new GrimException(BAD_DATA, "nothing was measured: " + String.join("; ", failures));
        }
        final RunInfo info = new RunInfo(FigureDirectory.FORMAT, Machine.commit(), started.toString(),
            TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNs), options.effort() != Effort.FULL,
            options.forkCount(), PeerPair.CORE_COUNT, PeerPair.POLLER_COUNT, machine, Machine.versions(),
            Map.copyOf(forks.absent()), notes());
        return new FigureDirectory(info, forks.points(), forks.curves());
    }

    /** {@return parts that failed: a sentence for each; their figures are missing} */
    public List<String> failures()
    {
        return List.copyOf(failures);
    }

    /** One step for each section of each fork, fork after fork. */
    private List<Section> plan()
    {
        final List<Section> steps = new ArrayList<>();
        int forkCount = 0;
        for (final Section section : options.sections())
        {
            forkCount = Math.max(forkCount, options.forksOf(section));
        }
        for (int fork = 0; fork < forkCount; fork++)
        {
            for (final Section section : Section.values())
            {
                if (options.sections().contains(section) && fork < options.forksOf(section))
                {
                    steps.add(section);
                }
            }
        }
        text.println("cores=" + PeerPair.CORE_COUNT + " pollers=" + PeerPair.POLLER_COUNT + " effort=" +
            options.effort() + " forks=" + options.forkCount() + ": " + steps.size() + " steps, about " +
            remainingSeconds(steps) + " s on two idle cores");
        for (final Section section : Section.values())
        {
            if (options.sections().contains(section))
            {
                text.println("  " + section + ": forks=" + options.forksOf(section) + " of about " +
                    section.expectedSeconds(options.effort()) + " s, parts=" + section.parts());
            }
        }
        text.flush();
        return steps;
    }

    private void step(final int number, final List<Section> steps, final Path directory)
    {
        final Section section = steps.get(number);
        final int fork = (int)steps.subList(0, number).stream().filter(other -> other == section).count();
        final long startNs = System.nanoTime();
        for (final String part : section.parts())
        {
            if (SecondJvm.isEnding())
            {
                throw new GrimException(UNAVAILABLE, "interrupted: steps=" + number + " of " + steps.size());
            }
            final Path output = directory.resolve(section + "-" + part + "-" + fork);
            try
            {
                forks.add(fork, new SectionRun(
                    section, part, options.effort(), directory, output, options.slowDown()).runElsewhere());
            }
            catch (final IOException | GrimException ex)
            {
                failures.add("section=" + section + " part=" + part + " fork=" + (fork + 1) + " failed: " +
                    ex.getMessage());
                progress.println(failures.get(failures.size() - 1));
            }
        }
        final long ms = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
        tookMs.merge(section, ms, Math::max);
        progress.println("step " + (number + 1) + " of " + steps.size() + ": " + section + ", fork " + (fork + 1) +
            " of " + options.forksOf(section) + ": " + ms / 1000 + " s; left: about " +
            remainingSeconds(steps.subList(number + 1, steps.size())) + " s");
        progress.flush();
    }

    /** The cost of the send path goes before all others: it takes little time, and judges. */
    private boolean hasTime(final Section section, final long leftMs, final List<Section> later)
    {
        final long reservedMs = section == Section.COST ? 0 : later.stream()
            .filter(other -> other == Section.COST).mapToLong(this::expectedMs).sum();
        return expectedMs(section) + reservedMs <= leftMs;
    }

    private long expectedMs(final Section section)
    {
        return tookMs.getOrDefault(section,
            TimeUnit.SECONDS.toMillis(section.expectedSeconds(options.effort())));
    }

    /** As long as the same section took before, where it did. */
    private long remainingSeconds(final List<Section> steps)
    {
        return TimeUnit.MILLISECONDS.toSeconds(steps.stream().mapToLong(this::expectedMs).sum());
    }

    private List<String> notes()
    {
        final List<String> notes = new ArrayList<>(failures);
        if (PeerPair.CORE_COUNT < PeerPair.POLLER_COUNT)
        {
            notes.add("not comparable: cores=" + PeerPair.CORE_COUNT + " < pollers=" + PeerPair.POLLER_COUNT +
                ": processes take turns, and figures say how fast they do");
        }
        if (options.slowDown() != 0)
        {
            notes.add("planted: sends of cost take " + options.slowDown() + " % longer");
        }
        notes.addAll(forks.notes());
        return notes;
    }
}
