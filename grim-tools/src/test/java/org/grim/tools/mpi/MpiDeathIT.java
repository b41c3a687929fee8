// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.mpi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

import org.grim.tools.cli.GrimProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

import programs.Deaths;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Ranks of {@code ./grim run} are killed within each kind of MPI call: the others' calls end soon, and they go on in a
 * communicator without the dead. {@code campaign.kills} says how many; {@code ./campaign mpi} sets it.
 */
@Tag("process")
final class MpiDeathIT
{
    private static final int RANK_COUNT = 12;
    private static final int KILLS_PER_RUN = 9;
    private static final int KILL_COUNT_DEFAULT = 9;
    private static final long LIMIT_NS = TimeUnit.MILLISECONDS.toNanos(400);
    /** Several threads, one after the other, have to run until a call ends. */
    private static final int DELAYS_PER_CALL = 8;

    /** Classes of errors of MPI. */
    private static final String SUCCESS = "0";
    private static final String IN_STATUS = "18";
    private static final String PROC_FAILED = "75";
    private static final String REVOKED = "77";

    @TempDir
    private Path directory;
    private final Map<String, Long> worstNs = new TreeMap<>();
    private final List<Long> callsNs = new ArrayList<>();
    private final List<Long> shrinksNs = new ArrayList<>();
    private final List<String> late = new ArrayList<>();

    @Test
    @Timeout(3_600)
    void shouldEndCallsOfSurvivorsAndGoOnWithoutTheDead() throws Exception
    {
        final int killCount = Integer.getInteger("campaign.kills", KILL_COUNT_DEFAULT);
        final long seed = Long.getLong("campaign.seed", 1);
        final Random random = new Random(seed);
        final List<String> kinds = new ArrayList<>();
        final Set<String> used = new HashSet<>();
        try (Yardstick yardstick = new Yardstick())
        {
            for (int kills = 0; kills < killCount; )
            {
                final List<String> ofRun = next(kinds, random, Math.min(KILLS_PER_RUN, killCount - kills));
                run(ofRun, random.nextLong(), yardstick);
                kills += ofRun.size();
                used.addAll(ofRun);
            }
        }
        report(killCount, used.size(), seed);
        assertEquals(List.of(), late);
        assertTrue(killCount < 2 * Deaths.kinds().size() || used.size() == Deaths.kinds().size(), used::toString);
    }

    /** Kinds that have not had their turn; a run ends in the one that is its last in any case. */
    private static List<String> next(final List<String> kinds, final Random random, final int count)
    {
        final List<String> ofRun = new ArrayList<>();
        while (ofRun.size() < count - 1)
        {
            if (kinds.isEmpty())
            {
                kinds.addAll(Deaths.kinds());
                kinds.remove("finalize");
                Collections.shuffle(kinds, random);
            }
            ofRun.add(kinds.remove(kinds.size() - 1));
        }
        ofRun.add("finalize");
        return ofRun;
    }

    private void run(final List<String> kinds, final long seed, final Yardstick yardstick) throws Exception
    {
        final Path files = Files.createDirectories(directory.resolve("f"));
        final List<String> words = new ArrayList<>(List.of("run", "--directory", files.toString(), "--keep-going", "-n",
            Integer.toString(RANK_COUNT), "-cp", GrimProcess.classPath(), "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC", "-Xmx128m", "-Ddeaths.file=" + directory.resolve("file"),
            Deaths.class.getName(), Long.toString(seed)));
        words.addAll(kinds);
        try (GrimProcess grim = GrimProcess.run(directory, words.toArray(new String[0])))
        {
            final int code = grim.exitCode();
            final String all = kinds + "\n" + grim.output() + grim.error();
            assertEquals(137, code, all);
            assertTrue(!grim.output().contains("WRONG") && !grim.output().contains("HUNG"), all);
            assertEquals(kinds.size(), grim.error().lines()
                .filter(line -> line.contains("was ended by signal 9 (KILL): exit code=137; the others go on")).count(),
                all);
            judge(kinds, grim.output(), yardstick);
        }
        GrimProcess.assertNothingLeft(files);
        GrimProcess.assertNoRankLeft(directory);
    }

    private void judge(final List<String> kinds, final String output, final Yardstick yardstick) throws IOException
    {
        final Map<String, Long> killedNs = new HashMap<>();
        output.lines().filter(line -> line.startsWith("KILLED ")).map(line -> line.split(" ", -1))
            .forEach(words -> killedNs.put(words[1], Long.parseLong(words[2])));
        final int[] endedCounts = new int[kinds.size() + 1];
        for (final String line : output.lines().toList())
        {
            final String[] words = line.split(" ", -1);
            if (words[0].equals("ENDED"))
            {
                endedCounts[Integer.parseInt(words[1])]++;
                assertTrue(expected(words[2]).contains(words[4]), output);
                judge(killedNs.get(words[1]), line, words[2], yardstick);
            }
            else if (words[0].equals("SHRUNK"))
            {
                shrinksNs.add(Long.parseLong(words[2]) - killedNs.get(words[1]));
            }
        }
        for (int round = 1; round <= kinds.size(); round++)
        {
            assertEquals(RANK_COUNT - round, endedCounts[round], output);
        }
    }

    private void judge(final long killedNs, final String line, final String kind, final Yardstick yardstick)
    {
        final long endedNs = Long.parseLong(line.substring(line.lastIndexOf(' ') + 1));
        final long durationNs = endedNs - killedNs;
        assertTrue(durationNs > 0, line);
        callsNs.add(durationNs);
        worstNs.merge(kind, durationNs, Math::max);
        final long delayNs = yardstick.delayNs(killedNs, endedNs);
        if (durationNs > LIMIT_NS + DELAYS_PER_CALL * delayNs)
        {
            late.add(line + " after " + durationNs / 1_000 + " us, of which the machine's " + delayNs / 1_000 + " us");
        }
    }

    private static Set<String> expected(final String kind)
    {
        return switch (kind)
        {
            case "agree", "shrink", "lock-of-dead", "finalize" -> Set.of(SUCCESS);
            case "waitAll", "Waitsome", "testAll", "testSome" -> Set.of(IN_STATUS, PROC_FAILED);
            case "revoke", "allToAllw", "iAllToAllw", "createGroup", "win-ring", "win.revoke" ->
                Set.of(PROC_FAILED, REVOKED);
            default -> kind.startsWith("inter-") || kind.contains("eighbor") ? Set.of(PROC_FAILED, REVOKED) :
                Set.of(PROC_FAILED);
        };
    }

    private void report(final int killCount, final int kindCount, final long seed)
    {
        callsNs.sort(null);
        shrinksNs.sort(null);
        final List<String> slowest = worstNs.entrySet().stream().sorted(Map.Entry.<String, Long>comparingByValue()
            .reversed()).limit(8).map(entry -> entry.getKey() + "=" + entry.getValue() / 1_000_000).toList();
        LoggerFactory.getLogger(getClass()).warn("mpi: kills={} seed={} kinds={} calls of survivors={}: ended after " +
            "median={} p95={} max={} ms; all went on after median={} max={} ms; slowest kinds, in ms: {}", killCount,
            seed, kindCount, callsNs.size(), ms(callsNs, 0.5), ms(callsNs, 0.95), ms(callsNs, 1), ms(shrinksNs, 0.5),
            ms(shrinksNs, 1), slowest);
    }

    private static long ms(final List<Long> sortedNs, final double part)
    {
        return sortedNs.isEmpty() ? 0 :
            TimeUnit.NANOSECONDS.toMillis(sortedNs.get((int)Math.ceil(part * sortedNs.size()) - 1));
    }
}
