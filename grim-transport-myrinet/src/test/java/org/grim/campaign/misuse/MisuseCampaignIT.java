// SPDX-License-Identifier: Apache-2.0
package org.grim.campaign.misuse;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

import org.grim.campaign.CampaignLogs;
import org.grim.death.PeerJvm;
import org.grim.death.ShmDirectory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Every public method of every public type, called in random order from random threads, before, during and after
 * {@code close()}, in fresh JVMs of some seconds each. None may crash, hang, throw what is not documented, or leave
 * anything behind. {@code campaign.seconds} says for how long; {@code campaign.seed} is the first JVM's seed, the next
 * one has the next. Run it by {@code ./campaign misuse}; the build leaves it out.
 */
@Tag("process")
@Tag("slow")
final class MisuseCampaignIT
{
    private static final Logger LOGGER = LoggerFactory.getLogger(MisuseCampaignIT.class);
    private static final int SECONDS_DEFAULT = 3;
    private static final long SEED_DEFAULT = 2;
    private static final long JVM_MS_DEFAULT = 2_500;
    private static final long PATIENCE_MS = 60_000;

    private final Path logs = CampaignLogs.create("misuse");
    private final Map<String, List<Long>> seedsByFinding = new TreeMap<>();
    private final Map<String, String> texts = new TreeMap<>();
    private final Set<String> called = new TreeSet<>();
    private long callCount;

    @Test
    void shouldStandWhateverIsCalled()
    {
        final long seed = Long.getLong("campaign.seed", SEED_DEFAULT);
        final long durationNs = TimeUnit.SECONDS.toNanos(Integer.getInteger("campaign.seconds", SECONDS_DEFAULT));
        final long startNs = System.nanoTime();
        int jvmCount = 0;
        while (jvmCount == 0 || System.nanoTime() - startNs < durationNs)
        {
            run(seed + jvmCount);
            jvmCount++;
        }
        final Set<String> uncalled = new TreeSet<>();
        new PublicApi().all().forEach(executable -> uncalled.add(PublicApi.nameOf(executable)));
        final int methodCount = uncalled.size();
        uncalled.removeAll(called);
        LOGGER.warn("misuse: seed={} JVMs={} calls={} methods called={} of {} findings={}", seed, jvmCount, callCount,
            methodCount - uncalled.size(), methodCount, seedsByFinding.size());
        LOGGER.warn("misuse: not called: {}", uncalled);

        assertTrue(callCount > 0, "no calls");
        assertEquals(0, seedsByFinding.size(), this::report);
    }

    private String report()
    {
        final StringBuilder text = new StringBuilder();
        seedsByFinding.forEach((finding, seeds) -> text.append(finding).append("\n  seeds=").append(seeds)
            .append(" repeat: ./campaign misuse --minutes 0 --seed ").append(seeds.get(0)).append('\n')
            .append(texts.get(finding)).append('\n'));
        return text.toString();
    }

    private void run(final long seed)
    {
        final Path directory = ShmDirectory.create();
        final Path output = logs.resolve("misuse-" + seed + ".txt");
        final List<String> command = new ArrayList<>(PeerJvm.command(MisuseMain.class, true));
        command.addAll(1, List.of("-ea", "-XX:ErrorFile=" + logs.resolve("hs_err_seed_" + seed + ".log"),
            "-XX:-OmitStackTraceInFastThrow", "-XX:-CreateCoredumpOnCrash",
            "-Dgrim.cluster.directory=" + directory, "-Dorg.slf4j.simpleLogger.defaultLogLevel=off"));
        command.addAll(List.of(directory.toString(), Long.toString(seed),
            Long.toString(Long.getLong("campaign.jvm-ms", JVM_MS_DEFAULT))));
        final Process process = PeerJvm.start(new ProcessBuilder(command).redirectErrorStream(true)
            .redirectOutput(output.toFile()));
        try
        {
            if (!process.waitFor(PATIENCE_MS, TimeUnit.MILLISECONDS))
            {
                add("hung: the JVM does not end", seed, PeerJvm.stacks(process));
            }
            else
            {
                judge(process.exitValue(), seed, ShmDirectory.text(output), Leaks.files(directory));
            }
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        finally
        {
            process.destroyForcibly();
            ShmDirectory.delete(directory);
        }
    }

    private void judge(final int exit, final long seed, final String text, final Set<String> files)
    {
        long jvmCallCount = 0;
        final String[] lines = text.split("\n", -1);
        for (int i = 0; i < lines.length; i++)
        {
            if (lines[i].startsWith(Findings.MARK))
            {
                final StringBuilder rest = new StringBuilder();
                for (int j = i + 1; j < lines.length && lines[j].startsWith(" "); j++)
                {
                    rest.append(lines[j]).append('\n');
                }
                add(lines[i].substring(Findings.MARK.length()), seed, rest.toString());
            }
            else if (lines[i].startsWith(MisuseMain.CALLED))
            {
                final String[] words = lines[i].split(" ", -1);
                jvmCallCount = Long.parseLong(words[1]);
                called.addAll(List.of(words).subList(2, words.length));
            }
        }
        callCount += jvmCallCount;
        if (exit != 0 && exit != MisuseMain.FOUND && exit != MisuseMain.HUNG)
        {
            add("crash: exit=" + exit, seed, text.substring(Math.max(0, text.length() - 3_000)) +
                CampaignLogs.tail(logs.resolve("hs_err_seed_" + seed + ".log")));
        }
        else if (exit != MisuseMain.HUNG)
        {
            files.forEach(file -> add("left after the end: " + file.replaceAll("\\d+", "#"), seed, file));
        }
    }

    private void add(final String finding, final long seed, final String text)
    {
        seedsByFinding.computeIfAbsent(finding, any -> new ArrayList<>()).add(seed);
        texts.putIfAbsent(finding, text);
        if (seedsByFinding.get(finding).size() == 1)
        {
            LOGGER.warn("misuse: seed={} {}", seed, finding);
        }
    }
}
