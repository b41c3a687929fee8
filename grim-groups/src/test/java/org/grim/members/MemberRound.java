// SPDX-License-Identifier: Apache-2.0
package org.grim.members;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

import org.grim.death.Faults;
import org.grim.death.PeerJvm;

/**
 * One cluster of one group: members come and go, stop and die, while all do everything; then they settle, and the
 * ledger is verified.
 * <p>Thread: the test's.
 */
final class MemberRound implements AutoCloseable
{
    private static final int MEMBER_COUNT = 5;
    private static final int KEPT_COUNT = 2;
    private static final int FIRST_COUNT = 3;
    private static final int STOP_MS_MAX = 1_200;
    private static final int EVENT_MS_MAX = 900;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long SETTLE_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long TOLD_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int TOLD_EVENTS_MAX = 40;

    final Faults faults = new Faults();
    final MemberLedger ledger = new MemberLedger(faults);
    final MemberSettings settings;

    private final SplittableRandom random;
    private final Path log;
    private final Queue<Member> spares;
    private final QuietClock clock = new QuietClock();
    private final List<Member> members = new ArrayList<>();
    private final List<Member> ended = new ArrayList<>();
    private final List<String> events = new ArrayList<>();
    private final long planSeed;
    private final long startNs = System.nanoTime();
    private final boolean hasKills;
    private final boolean hasStops;
    private final boolean hasLeaves;
    private long nextEventNs = startNs;
    private long resumeNs;
    private int memberCount;
    private int meetingCount;
    private boolean isHung;
    private boolean isCalm;

    MemberRound(final Path directory, final Path log, final long seed, final Queue<Member> spares)
    {
        this.log = log;
        this.spares = spares;
        random = new SplittableRandom(seed);
        settings = new MemberSettings(random, directory);
        planSeed = random.nextLong() >>> 1;
        hasKills = random.nextInt(4) > 0;
        hasStops = random.nextInt(4) > 0;
        hasLeaves = random.nextInt(4) > 0;
    }

    void run(final long durationMs, final Runnable refill)
    {
        while (members.size() < FIRST_COUNT)
        {
            refill.run();
            launch();
            LockSupport.parkNanos(1_000_000);
        }
        await("joining the cluster", member -> member.hasJoined());
        tellAll("enter");                               // All at once: one of them makes the group.
        await("joining the group", member -> member.isIn());
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(durationMs);
        while (System.nanoTime() - deadlineNs < 0 && !isHung)
        {
            refill.run();
            step(System.nanoTime());
            LockSupport.parkNanos(1_000_000);
        }
        resume();
        if (!isHung)
        {
            settle();
        }
        ledger.verify();
        if (!isHung)
        {
            members.forEach(Member::end);
            members.forEach(member -> member.jvm.awaitExit(TimeUnit.NANOSECONDS.toMillis(SETTLE_NS)));
            List.copyOf(members).forEach(this::look);
        }
    }

    @Override
    public void close()
    {
        members.forEach(Member::close);
    }

    /** The last that happened, before it went wrong. */
    String events()
    {
        return String.join("\n  ", events.subList(Math.max(0, events.size() - TOLD_EVENTS_MAX), events.size()));
    }

    private void step(final long nowNs)
    {
        watch();
        if (resumeNs != 0 && nowNs - resumeNs > 0)
        {
            resume();
        }
        if (nowNs - nextEventNs > 0 && !isCalm)
        {
            nextEventNs = nowNs + TimeUnit.MILLISECONDS.toNanos(50 + random.nextInt(EVENT_MS_MAX));
            act(nowNs);
        }
    }

    private void watch()
    {
        clock.advance(resumeNs == 0);
        calm();
        for (final Member member : List.copyOf(members))
        {
            look(member);
            if (!isHung && member.hasJoined() && member.lookForHangs())
            {
                isHung = true;
                event("hangs: " + member);
                explain();
            }
        }
    }

    /**
     * A member that is slow may have megabytes before it. A slow operation completes soon without more load and events,
     * or it hangs.
     */
    private void calm()
    {
        final boolean isLate = members.stream().anyMatch(member -> member.hasJoined() && member.isLate());
        if (isLate != isCalm)
        {
            isCalm = isLate;
            event(isCalm ? "calm" : "not calm");
            tellAll("calm " + isCalm);
            ledger.tally.calmCount.addAndGet(isCalm ? 1 : 0);
        }
    }

    /** State and threads of all members, in their log. */
    private void explain()
    {
        resume();
        tellAll("explain");
        final long notifyNs = System.nanoTime() + TOLD_NS;
        while (System.nanoTime() - notifyNs < 0)
        {
            LockSupport.parkNanos(1_000_000);
        }
        for (final Member member : members)
        {
            try
            {
                Files.writeString(log, PeerJvm.stacks(member.jvm.process()), StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException(ex);
            }
        }
    }

    private void look(final Member member)
    {
        if (member.jvm.process().isAlive())
        {
            return;
        }
        member.awaitHistory();
        final int exit = member.jvm.process().exitValue();
        if (!member.isKilled() && (!member.isEnding() || exit != 0 || !member.hasLeftCluster()))
        {
            faults.add(Faults.Kind.CRASHED, 1, "exit=" + exit + " of " + member);
        }
        members.remove(member);
        ended.add(member);
    }

    private void act(final long nowNs)
    {
        final int dice = random.nextInt(100);
        final Member member = members.get(random.nextInt(members.size()));
        final boolean maySpare = maySpare(member);
        if (dice < 30 && members.size() < MEMBER_COUNT)
        {
            launch();
        }
        else if (dice < 50 && hasStops && resumeNs == 0 && member.hasJoined())
        {
            event("stop " + member);
            member.stop();
            resumeNs = nowNs + TimeUnit.MILLISECONDS.toNanos(random.nextInt(STOP_MS_MAX));
            ledger.tally.stopCount.incrementAndGet();
        }
        else if (dice < 65 && hasKills && maySpare)
        {
            kill(member);
        }
        else if (dice < 80 && hasLeaves && maySpare && !member.isStopped())
        {
            event("leave " + member);
            member.tell("leave " + random.nextInt(300));
            ledger.tally.leaveCount.incrementAndGet();
        }
        else if (dice < 88 && hasLeaves && maySpare && !member.isStopped())
        {
            event("end " + member);
            member.end();
            ledger.tally.leaveCount.incrementAndGet();
        }
        else if (dice < 95)
        {
            meet();
        }
    }

    /** Some who are to keep the group have to be left. */
    private boolean maySpare(final Member member)
    {
        return members.stream().filter(other -> other != member && other.isIn() && !other.isStopped()).count() >=
            KEPT_COUNT;
    }

    private void launch()
    {
        if (spares.isEmpty() || !spares.peek().isReady())
        {
            return;
        }
        final Member member = spares.remove();
        final boolean isFirst = memberCount < FIRST_COUNT;
        member.go(ledger, clock, memberCount * MemberRecord.MEMBERSHIPS_MAX, random.nextLong() >>> 1, planSeed,
            settings.rendered());
        memberCount++;
        members.add(member);
        ledger.tally.processCount.incrementAndGet();
        event("launch " + member);
        member.tell("calm " + isCalm);
        if (!isFirst)
        {
            member.tell("enter");
        }
    }

    private void kill(final Member member)
    {
        final int[] roster = members.stream().map(Member::roster).filter(nodes -> nodes != null).findFirst().orElse(
            new int[1]);
        final boolean isOwner = roster[0] == member.number();
        event("kill " + member + (isOwner ? " the owner" : ""));
        ledger.tally.killCount.incrementAndGet();
        ledger.tally.ownerKillCount.addAndGet(isOwner ? 1 : 0);
        resumeNs = member.isStopped() ? 0 : resumeNs;
        member.kill();
    }

    private void meet()
    {
        final String name = "meeting-" + meetingCount++;
        event(name);
        ledger.tally.meetingCount.incrementAndGet();
        for (final Member member : members)
        {
            if (!member.isStopped() && member.hasJoined() && !member.isEnding() && random.nextInt(3) > 0)
            {
                member.tell("meet " + name + " " + random.nextInt(1_500));
            }
        }
    }

    private void resume()
    {
        members.stream().filter(Member::isStopped).forEach(member ->
        {
            member.resume();
            event("resume " + member);
        });
        resumeNs = 0;
    }

    private void settle()
    {
        watch();                                        // Forgets those who were killed.
        await("the end of those who leave", member -> !member.isEnding());
        await("joining of all", Member::isIn);
        final int count = members.size();
        event("settle " + Arrays.toString(members.stream().mapToInt(Member::number).toArray()));
        tellAll("settle " + count);
        await("one group of members=" + count, Member::isSettled);
        tellAll("create all-at-once " + count);
        await("one new group of members=" + count, Member::hasCreated);
        tellAll("quiet");
        await("quiet", Member::isQuiet);
        pause(TOLD_NS);
        int openCount = ledger.openCount();
        long changedNs = clock.ns();
        while (openCount > 0 && clock.ns() - changedNs < SETTLE_NS && !isHung)
        {
            pause(LOOK_NS);
            final int nowOpen = ledger.openCount();
            changedNs = nowOpen == openCount ? changedNs : clock.ns();
            openCount = nowOpen;
        }
    }

    private void pause(final long pauseNs)
    {
        final long endNs = System.nanoTime() + pauseNs;
        while (System.nanoTime() - endNs < 0)
        {
            watch();
            LockSupport.parkNanos(1_000_000);
        }
    }

    private void tellAll(final String command)
    {
        members.forEach(member -> member.tell(command));
    }

    private void await(final String what, final Predicate<Member> isSo)
    {
        final long deadlineNs = clock.ns() + PATIENCE_NS;       // Of time in which the machine lets us run.
        while (!isHung && !members.stream().allMatch(isSo))
        {
            watch();
            LockSupport.parkNanos(1_000_000);
            if (clock.ns() - deadlineNs > 0)
            {
                isHung = true;
                faults.add(Faults.Kind.HUNG, 1, "waited in vain for " + what + ": " + members.stream().map(
                    member -> member + (isSo.test(member) ? "" : " (not so)") + " nodes=" +
                    Arrays.toString(member.roster())).toList());
                explain();
            }
        }
    }

    private void event(final String what)
    {
        events.add((System.nanoTime() - startNs) / 1_000_000 + " ms " + what);
    }
}
