// SPDX-License-Identifier: Apache-2.0
package org.grim.members;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.grim.death.Faults;
import org.grim.death.History;
import org.grim.death.PeerJvm;
import org.grim.group.Group;

/** One member's process, and the reader of its history. Commands: the coordinator's thread. */
final class Member implements AutoCloseable
{
    private static final long HANG_NS = MemberNode.TIMEOUT.toNanos();
    private static final long LATE_NS = HANG_NS / 3;
    private static final long SLACK_NS = 500_000_000;

    final PeerJvm jvm;

    private final Thread reader;
    private final Map<Long, Open> open = new ConcurrentHashMap<>();
    private volatile MemberLedger ledger;
    private volatile QuietClock clock;
    private volatile Membership membership;
    private volatile boolean isReady;
    private volatile boolean hasJoined;
    private volatile boolean hasLeftCluster;
    private volatile boolean isSettled;
    private volatile boolean hasCreated;
    private volatile boolean isQuiet;
    private volatile long tickNs;
    private volatile int lostCount;
    private volatile int number = -1;
    private volatile boolean isKilled;
    private volatile int[] roster;
    private boolean isInformed;
    private boolean isStopped;
    private int key;

    /** A call or an operation that has begun. */
    private record Open(String what, OperationPlan.Flaw flaw, long beginNs)
    {
    }

    Member(final Path log)
    {
        jvm = new PeerJvm(log, List.of("-ea"), MemberMain.class);
        reader = new Thread(this::read, "history");
        reader.setDaemon(true);
        reader.start();
    }

    void go(
        final MemberLedger newLedger, final QuietClock newClock, final int newKey, final long seed,
        final long planSeed, final String configuration)
    {
        ledger = newLedger;
        clock = newClock;
        key = newKey;
        tickNs = clock.ns();
        tell("go " + seed + " " + planSeed + " " + key + " m" + key + " " + configuration);
    }

    void tell(final String line)
    {
        if (jvm.process().isAlive())
        {
            jvm.tell(line);
        }
    }

    /** The last line to it. */
    void end()
    {
        isInformed = true;
        tell("end");
    }

    boolean isEnding()
    {
        return isInformed;
    }

    boolean isReady()
    {
        return isReady;
    }

    boolean hasJoined()
    {
        return hasJoined;
    }

    boolean isLive()
    {
        return !isKilled && !isInformed && jvm.process().isAlive();
    }

    boolean isKilled()
    {
        return isKilled;
    }

    /** Whether it belongs to the group, as far as it has said. */
    boolean isIn()
    {
        final Membership last = membership;
        return last != null && last.isLive();
    }

    boolean isSettled()
    {
        return isSettled;
    }

    boolean hasCreated()
    {
        return hasCreated;
    }

    boolean isQuiet()
    {
        return isQuiet;
    }

    boolean isStopped()
    {
        return isStopped;
    }

    /** Multicasts that it has counted as perhaps lost. */
    int lostCount()
    {
        return lostCount;
    }

    int number()
    {
        return number;
    }

    /** {@return members of the epoch that it goes on with, or null} */
    int[] roster()
    {
        return roster;
    }

    void stop()
    {
        isStopped = true;
        jvm.stop();
    }

    void resume()
    {
        isStopped = false;
        jvm.resume();
    }

    void kill()
    {
        isKilled = true;
        isStopped = false;
        jvm.kill();
        jvm.awaitExit(60_000);
        awaitHistory();
    }

    boolean hasLeftCluster()
    {
        return hasLeftCluster;
    }

    void awaitHistory()
    {
        try
        {
            reader.join(60_000);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        if (reader.isAlive())
        {
            ledger.faults.add(Faults.Kind.UNRESOLVED, 1, "history of an ended process does not end: " + this);
        }
        if (isKilled || hasLeftCluster)
        {
            open.clear();
        }
    }

    /** Whether something takes so long that it may hang, or stand behind much else. */
    boolean isLate()
    {
        final long nowNs = clock.ns();
        return open.values().stream().anyMatch(call -> nowNs - call.beginNs > LATE_NS);
    }

    /** Says what hangs, once; true if something does. */
    boolean lookForHangs()
    {
        final long nowNs = clock.ns();
        boolean isHung = false;
        for (final Map.Entry<Long, Open> entry : List.copyOf(open.entrySet()))
        {
            if (nowNs - entry.getValue().beginNs > HANG_NS + SLACK_NS && open.remove(entry.getKey()) != null)
            {
                ledger.faults.add(Faults.Kind.HUNG, 1, entry.getValue().what + " at " + this);
                isHung = true;
            }
        }
        if (hasJoined && !hasLeftCluster && nowNs - tickNs > HANG_NS + SLACK_NS * 4 && open.isEmpty())
        {
            tickNs = nowNs;
            ledger.faults.add(Faults.Kind.HUNG, 1, "the member's loop stands still at " + this);
            isHung = true;
        }
        return isHung;
    }

    @Override
    public void close()
    {
        isKilled = true;
        jvm.close();
    }

    @Override
    public String toString()
    {
        final Membership last = membership;
        return "m" + key + " node=" + number + " pid=" + jvm.process().pid() +
            (last == null ? " outside" : " " + last);
    }

    private void read()
    {
        try
        {
            History.read(jvm.process().getInputStream(), this::onRecord);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private void onRecord(final int type, final int index, final int first, final int second, final int third)
    {
        switch (type)
        {
            case History.READY -> isReady = true;
            case History.JOINED ->
            {
                number = first;
                tickNs = clock.ns();
                hasJoined = true;
            }
            case History.LEFT -> hasLeftCluster = true;
            case MemberRecord.TICK ->
            {
                tickNs = clock.ns();
                lostCount = first;
            }
            case MemberRecord.CALL -> open.put(call(first), new Open(callName(second), null, clock.ns()));
            case MemberRecord.CALL_ENDED -> callEnded(first, second);
            case MemberRecord.OPERATION -> operation(
                first, second, MemberRecord.of(OperationPlan.Flaw.values(), third));
            case MemberRecord.OPERATION_ENDED ->
            {
                final Open ended = open.remove(operation(first, second));
                if (ended != null)
                {
                    ledger.operationEnded(
                        this, first, second, MemberRecord.of(Group.Status.values(), third), ended.flaw);
                }
            }
            case MemberRecord.ENTERED -> ledger.entered(of(index), first);
            case MemberRecord.SETTLED -> isSettled = true;
            case MemberRecord.CREATED -> hasCreated = true;
            case MemberRecord.QUIET ->
            {
                isQuiet = true;
                open.clear();                           // Others may never begin what this one has begun last.
            }
            case MemberRecord.EPOCH, MemberRecord.ROSTER -> onRoster(type, first, second, third);
            case MemberRecord.CLAIM -> ledger.tally.claimCount.incrementAndGet();
            case MemberRecord.NOT_SENT -> ledger.tally.refusedCount.incrementAndGet();
            case MemberRecord.WRONG -> ledger.faults.add(Faults.Kind.CORRUPT, 1, "result of operation=" + second +
                " of epoch=" + first + " kind=" + third + " at " + this);
            case MemberRecord.THREW ->
                ledger.faults.add(Faults.Kind.THREW, 1, callName(first) + " at " + this);
            case MemberRecord.ERROR -> ledger.faults.add(Faults.Kind.THREW, 1, "to the error handler of " + this);
            default -> onMessage(of(index), type, first, second, third);
        }
    }

    private void onRoster(final int type, final int epoch, final int second, final int third)
    {
        if (type == MemberRecord.EPOCH)
        {
            roster = new int[second];
        }
        else
        {
            roster[second] = third;
            if (second == roster.length - 1)
            {
                ledger.epoch(membership, epoch, roster);
            }
        }
    }

    /** Messages may come before the call that joins has returned. */
    private Membership of(final int index)
    {
        final Membership last = membership;
        if (last == null || last.key != key + index)
        {
            membership = new Membership(this, key + index);
        }
        return membership;
    }

    private void onMessage(
        final Membership last, final int type, final int first, final int second, final int third)
    {
        synchronized (last)
        {
            switch (type)
            {
                case MemberRecord.LEAVES -> last.hasLeft = true;
                case MemberRecord.ACCEPTED ->
                {
                    last.accepted.addInt(first);
                    last.accepted.addInt(second);
                    last.accepted.addInt(third);
                }
                case MemberRecord.DELIVERED -> last.delivered(first, second);
                case MemberRecord.CORRUPT -> ledger.faults.add(Faults.Kind.CORRUPT, 1, "multicast of key=" + first +
                    " " + MemberRecord.text(second) + " at " + last);
                default -> ledger.faults.add(Faults.Kind.CRASHED, 1, this + " says type=" + type);
            }
        }
    }

    private void callEnded(final int call, final int outcome)
    {
        final Open ended = open.remove(call(call));
        if (outcome == 1 && ended != null)
        {
            final boolean isMeant = ended.what.equals(MemberRecord.Call.JOIN_SHORT.name());
            ledger.tally.timeOutCount.incrementAndGet();
            if (!isMeant && clock.ns() - ended.beginNs > HANG_NS - SLACK_NS * 2)
            {
                ledger.faults.add(Faults.Kind.HUNG, 1, ended.what + " timed out at " + this);
            }
        }
    }

    private static String callName(final int ordinal)
    {
        return MemberRecord.of(MemberRecord.Call.values(), ordinal).name();
    }

    private static long call(final int number)
    {
        return Long.MIN_VALUE | number;
    }

    private void operation(final int epoch, final int operation, final OperationPlan.Flaw flaw)
    {
        open.put(operation(epoch, operation), new Open(
            "operation=" + operation + " of epoch=" + epoch + " flaw=" + flaw, flaw, clock.ns()));
    }

    private static long operation(final int epoch, final int number)
    {
        return (long)epoch << Integer.SIZE | number;
    }
}
