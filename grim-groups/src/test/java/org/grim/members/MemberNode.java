// SPDX-License-Identifier: Apache-2.0
package org.grim.members;

import java.time.Duration;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.death.History;
import org.grim.group.Group;
import org.grim.group.Group.Status;
import org.grim.group.Groups;
import org.grim.group.Reduction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node that belongs to the group, leaves it, joins again, and does everything at once in between.
 * <p>Thread: its own.
 */
final class MemberNode implements Runnable
{
    static final String GROUP = "members";
    static final Duration TIMEOUT = Duration.ofSeconds(10);

    private static final Logger LOGGER = LoggerFactory.getLogger(MemberNode.class);
    private static final String LOST_LABEL = "multicasts-lost";
    private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final int SHORT_MS_MAX = 40;
    private static final int BURST_MAX = 12;
    private static final int LAST_BURST_MAX = 200;
    private static final int SETTLED_OPERATIONS = 10;

    private final GrimConfig.Builder config;
    private final SplittableRandom random;
    private final long planSeed;
    private final int key;
    private final Queue<String[]> commands;
    private final Calls calls;
    private final History.Sink history;
    private final UnsafeBuffer createdNumbers = new UnsafeBuffer(new byte[2 * Long.BYTES]);
    private Grim grim;
    private Multicasting multicasting;
    private OperationRuns operations;
    private Disturbances disturbances;
    private Group group;
    private Group other;                            // Another group, for a while.
    private long otherEndNs;
    private Group created;                          // With all, at the end.
    private String createdName;
    private int createdSize;                        // Until it has done an operation.
    private Group.Request creation;
    private long enterNs;                           // When it joins again.
    private int shortCount;                         // Time-outs that are meant to pass, before.
    private int membership = -1;
    private int awaitedSize;
    private boolean isIn;
    private boolean isToEnter;
    private boolean isSettling;
    private boolean isCalm;                         // Makes no load but operations, for which others wait.
    private boolean isQuiet;
    private boolean isEnded;
    private boolean mustRenew;
    private long renewNs;
    private long tickNs = System.nanoTime();

    MemberNode(
        final GrimConfig.Builder config, final long seed, final long planSeed, final int key,
        final Queue<String[]> commands, final History.Sink history)
    {
        this.config = config;
        this.planSeed = planSeed;
        this.key = key;
        this.commands = commands;
        this.history = history;
        random = new SplittableRandom(seed);
        calls = new Calls(history, "key=" + key);
    }

    @Override
    public void run()
    {
        grim = Grim.enable(config.errorHandler(calls::error).build());
        multicasting = new Multicasting(random.split(), calls, key, grim);
        operations = new OperationRuns(calls, planSeed, grim);
        disturbances = new Disturbances(random.split(), calls, grim);
        grim.start();                                    // Has a time-out of its own.
        history.onRecord(History.JOINED, 0, grim.node().number(), grim.node().incarnation(), 0);
        while (!isEnded)
        {
            step(System.nanoTime());
        }
        calls.run(MemberRecord.Call.CLOSE_CLUSTER, grim::close);
        calls.record(History.LEFT, 0, 0, 0);
    }

    private void step(final long nowNs)
    {
        if (tickNs - nowNs < 0)
        {
            tick();
            tickNs = nowNs + TICK_NS;
        }
        final int workCount = calls.get(MemberRecord.Call.POLL, grim.endpoint()::poll, 0);
        final String[] command = commands.poll();
        if (command != null)
        {
            run(command, nowNs);
        }
        if (createdSize > 0)
        {
            create();
        }
        if (isIn)
        {
            belong(nowNs);
        }
        else if (isToEnter && enterNs - nowNs < 0)
        {
            enter();
        }
        if (other != null && otherEndNs - nowNs < 0)
        {
            calls.run(MemberRecord.Call.CLOSE, other::close);
            other = null;
        }
        LockSupport.parkNanos(workCount == 0 ? 500_000 : 100_000);
    }

    private void tick()
    {
        final int[] lost = new int[1];
        grim.counters().forEach((value, id, label) -> lost[0] += label.startsWith(LOST_LABEL) ? (int)value : 0);
        calls.record(MemberRecord.TICK, lost[0], 0, 0);
    }

    private void run(final String[] words, final long nowNs)
    {
        switch (words[0])
        {
            case "enter" -> isToEnter = true;
            case "leave" ->
            {
                leave(random.nextInt(LAST_BURST_MAX));
                enterNs = nowNs + TimeUnit.MILLISECONDS.toNanos(Integer.parseInt(words[1]));
                shortCount = random.nextInt(4);
            }
            case "meet" -> meet(words[1], nowNs + TimeUnit.MILLISECONDS.toNanos(Integer.parseInt(words[2])));
            case "settle" ->
            {
                isSettling = true;
                shortCount = 0;
                enterNs = nowNs;
                awaitedSize = Integer.parseInt(words[1]);
                disturbances.endClaim();
            }
            case "calm" ->
            {
                isCalm = Boolean.parseBoolean(words[1]);
                disturbances.endClaim();
            }
            case "explain" -> LOGGER.warn("key={} {} in={} renewing={} settling={} awaited={} quiet={} calm={} {}", key,
                group == null ? "outside" : "epoch=" + group.epoch() + " changed=" + group.isChanged() + " size=" +
                group.size(), isIn, mustRenew, isSettling, awaitedSize, isQuiet, isCalm, operations);
            case "create" ->
            {
                createdName = words[1];
                createdSize = Integer.parseInt(words[2]);
            }
            case "quiet" ->
            {
                isQuiet = true;
                multicasting.quiet();
                calls.record(MemberRecord.QUIET, 0, 0, 0);
            }
            case "end" -> end();
            default -> throw new IllegalArgumentException(words[0]);
        }
    }

    private void belong(final long nowNs)
    {
        final boolean hasEnded = operations.look();
        final boolean isChanged = hasEnded || group.isChanged();
        if (isChanged && !mustRenew)
        {
            mustRenew = true;
            renewNs = nowNs + (isSettling ? 0 : TimeUnit.MILLISECONDS.toNanos(random.nextInt(40)));
        }
        if (mustRenew && renewNs - nowNs <= 0)
        {
            renew();
        }
        else if (isQuiet)
        {
            return;
        }
        else if (!mustRenew && random.nextInt(6) == 0)
        {
            operations.begin();
        }
        if (isIn && !isCalm && random.nextInt(isSettling ? 20 : 4) == 0)
        {
            multicasting.burst(1 + random.nextInt(BURST_MAX));
        }
        if (!isSettling)
        {
            if (!isCalm)
            {
                disturbances.step(group, nowNs);
            }
        }
        else if (!mustRenew && awaitedSize > 0)
        {
            settle();
        }
    }

    private void renew()
    {
        disturbances.endClaim();
        if (calls.run(MemberRecord.Call.RENEW, () -> group.renew(TIMEOUT)))
        {
            mustRenew = false;
            operations.look();
            if (!operations.isIdle())
            {
                calls.threw(MemberRecord.Call.RENEW, new IllegalStateException("operations outlive their epoch"));
            }
            operations.renewed();
            reportEpoch();
        }
    }

    private void settle()
    {
        if (group.size() < awaitedSize && operations.isIdle() &&
            calls.run(MemberRecord.Call.AWAIT_SIZE, () -> group.awaitSize(awaitedSize, TIMEOUT)))
        {
            operations.renewed();
            reportEpoch();
        }
        if (group.size() == awaitedSize && operations.number() > SETTLED_OPERATIONS)
        {
            awaitedSize = 0;
            calls.record(MemberRecord.SETTLED, (int)group.epoch(), 0, 0);
        }
    }

    private void enter()
    {
        calls.membership(membership + 1);
        if (shortCount > 0)
        {
            shortCount--;
            enterNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(random.nextInt(SHORT_MS_MAX));
            join(MemberRecord.Call.JOIN_SHORT, Duration.ofNanos(
                random.nextLong(TimeUnit.MILLISECONDS.toNanos(1 + random.nextInt(SHORT_MS_MAX)))));
        }
        else
        {
            join(MemberRecord.Call.JOIN, TIMEOUT);
        }
    }

    private void join(final MemberRecord.Call call, final Duration timeout)
    {
        if (calls.run(call, () -> group = Groups.of(grim).join(GROUP, timeout)))
        {
            membership++;
            isIn = true;
            mustRenew = false;
            multicasting.enter(group);
            operations.enter(group);
            calls.record(MemberRecord.ENTERED, (int)group.epoch(), 0, 0);
            reportEpoch();
        }
    }

    private void reportEpoch()
    {
        final int epoch = (int)group.epoch();
        calls.record(MemberRecord.EPOCH, epoch, group.size(), group.rank());
        for (int rank = 0; rank < group.size(); rank++)
        {
            calls.record(MemberRecord.ROSTER, epoch, rank, group.member(rank).node());
        }
    }

    private void leave(final int burst)
    {
        if (isIn)
        {
            disturbances.endClaim();
            multicasting.burst(burst);
            calls.record(MemberRecord.LEAVES, 0, 0, 0);
            calls.run(MemberRecord.Call.CLOSE, group::close);
            multicasting.leave();
            tick();
            operations.look();
            if (!operations.isIdle())
            {
                calls.threw(MemberRecord.Call.CLOSE, new IllegalStateException("operations outlive the membership"));
            }
            isIn = false;
        }
    }

    /** Leaves the group first, or the cluster at once. */
    private void end()
    {
        isEnded = true;
        isToEnter = false;
        if (other != null)
        {
            calls.run(MemberRecord.Call.CLOSE, other::close);
        }
        if (isQuiet || random.nextBoolean())
        {
            leave(isQuiet ? 0 : random.nextInt(LAST_BURST_MAX));
        }
        else if (isIn)
        {
            multicasting.burst(random.nextInt(LAST_BURST_MAX));
            calls.record(MemberRecord.LEAVES, 0, 0, 0);
        }
    }

    private void meet(final String name, final long endNs)
    {
        if (other == null)
        {
            disturbances.endClaim();
            calls.run(MemberRecord.Call.JOIN, () -> other = Groups.of(grim).join(name, TIMEOUT));
            otherEndNs = endNs;
        }
    }

    /** Joins the group and begins an operation, each until it is done: a machine that is busy may take the time. */
    private void create()
    {
        if (creation == null)
        {
            if (calls.run(MemberRecord.Call.JOIN, () -> created = Groups.of(grim).join(createdName, TIMEOUT)) &&
                calls.run(MemberRecord.Call.AWAIT_SIZE, () -> created.awaitSize(createdSize, TIMEOUT)))
            {
                createdNumbers.putLong(0, 1);
                creation = created.newRequest();
                created.allReduce(createdNumbers, 0, createdNumbers, Long.BYTES, 1,
                    Reduction.of(Reduction.Type.LONG, Reduction.Operation.SUM), creation);
            }
        }
        else if (creation.isComplete())
        {
            if (creation.status() == Status.DONE && createdNumbers.getLong(Long.BYTES) == createdSize)
            {
                calls.record(MemberRecord.CREATED, 0, 0, 0);
            }
            createdSize = 0;
        }
    }
}
