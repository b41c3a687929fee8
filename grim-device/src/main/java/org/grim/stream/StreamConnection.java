// SPDX-License-Identifier: Apache-2.0
package org.grim.stream;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.EndpointId;
import org.grim.SendStatus;
import org.grim.device.accelerator.FrameEntry;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Owner's end of a connection: builds its paths, injects, and keeps the accounts that the sink sends. Has no clock and
 * no thread.
 * <p>Thread: the one that polls the streams.
 */
final class StreamConnection implements Connection
{
    private static final long LOOK_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long PROBE_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);
    private static final UnsafeBuffer NOTHING = new UnsafeBuffer(new byte[0]);

    private final StreamPort port;
    private final ConnectionSpec spec;
    private final int number;
    private final StageStates states;
    private final BooleanSupplier drain;                // Polls until this is closed, or returns false.
    private final Deque<StreamPath> ending = new ArrayDeque<>();    // Their markers have not come to the sink.
    private final List<StreamPath> clearing = new ArrayList<>();
    private List<Stage> wanted;
    private StreamPath path;
    private StreamPath next;
    private StreamPort.Call sinkCall;
    private Integer sinkSlot;                           // Of the next epoch.
    private StreamPort.Call probe;
    private StreamPath probedPath;
    private int probeIndex;
    private int epoch;
    private int attemptCount;
    private int candidateCount;                         // Devices to try in the place of one that is not up.
    private boolean isChanging = true;
    private boolean isBroken;                           // A stage of the path is dead.
    private boolean isWaiting;                          // Since a failure, to try again.
    private long failureNs;
    private boolean isClosing;
    private boolean isStopped;
    private boolean isClosed;
    private boolean isCloseSent = true;
    private String failure;
    private long lookNs;
    private long probeNs;
    private long probedSequence = -1;
    private long accounted;
    private long injected;
    private long delivered;
    private long failed;
    private long lost;
    private long unknown;

    StreamConnection(
        final StreamPort port, final ConnectionSpec spec, final int number, final StageStates states,
        final BooleanSupplier drain)
    {
        this.port = port;
        this.spec = spec;
        this.number = number;
        this.states = states;
        this.drain = drain;
        wanted = spec.stages();
    }

    @Override
    public SendStatus inject(final DirectBuffer source, final int offset, final int length)
    {
        return inject(0, source, offset, length);
    }

    @Override
    public SendStatus inject(final int address, final DirectBuffer source, final int offset, final int length)
    {
        final Stage first = stages().get(0);
        if (address != 0 && first.hasConstant())
        {
            throw new IllegalArgumentException(
                "item address=" + address + ": the first stage has constant=" + first.constant() + " in its place");
        }
        if (length > spec.itemLengthMax())
        {
            throw new IllegalArgumentException("item length=" + length + " exceeds max=" + spec.itemLengthMax());
        }
        if (isClosing || isClosed || isStopped)
        {
            return SendStatus.CLOSED;
        }
        if (path == null || isBroken || injected - accounted >= spec.window())
        {
            return SendStatus.BACK_PRESSURED;
        }
        final SendStatus status = port.send(path.firstEndpoint(), path.firstHandler(), path.firstA0(),
            (int)(injected + 1), first.constant() + address, source, offset, length);
        injected += status.isAccepted() ? 1 : 0;
        return status.isAccepted() ? SendStatus.SENT : SendStatus.BACK_PRESSURED;
    }

    @Override
    public void replace(final int index, final Stage stage)
    {
        if (isClosing || isClosed || !isSettled())
        {
            throw new IllegalStateException(isClosing || isClosed ? "the connection is closed" :
                "another change of the path is under way");
        }
        if (index < 0 || index >= wanted.size())
        {
            throw new IllegalArgumentException("stage index=" + index + " is outside 0 to " + (wanted.size() - 1));
        }
        final Stage present = wanted.get(index);
        if (stage.checkpoint() > 0 && stage.operands().space() == present.operands().space() &&
            !stage.device().equals(present.device()))
        {
            throw new IllegalArgumentException("stage=" + stage + " has checkpoints: its pages are on " +
                present.device());
        }
        final List<Stage> changed = new ArrayList<>(wanted);
        changed.set(index, stage);
        ConnectionSpec.requireSpaces(changed);
        wanted = List.copyOf(changed);
        failure = null;
        isChanging = true;
    }

    @Override
    public void requestCheckpoint()
    {
        states.ask();
    }

    @Override
    public Checkpoint checkpoint(final int index)
    {
        if (index < 0 || index >= stages().size())
        {
            throw new IllegalArgumentException("stage index=" + index + " is outside 0 to " + (stages().size() - 1));
        }
        return states.checkpoint(stages().get(index));
    }

    /** Says whether a stage has its pages in a space of its own, and in this one. */
    boolean usesSpace(final int space)
    {
        return space != 0 && (wanted.stream().anyMatch(stage -> stage.operands().space() == space) ||
            stages().stream().anyMatch(stage -> stage.operands().space() == space));
    }

    @Override
    public boolean isSettled()
    {
        return !isChanging && ending.isEmpty();
    }

    @Override
    public String failure()
    {
        return failure;
    }

    @Override
    public List<Stage> stages()
    {
        return path == null ? wanted : path.stages;
    }

    @Override
    public Accounts accounts()
    {
        return new Accounts(injected, delivered, failed, lost, unknown);
    }

    @Override
    public boolean isClosed()
    {
        return isClosed || isClosing || isStopped;
    }

    /** Returns whether all items are accounted for, and nothing comes any more. */
    boolean isDrained()
    {
        return isClosed;
    }

    /** Describes the connection: its lines of {@link StreamFormat#LIST}. */
    String describe()
    {
        final StringBuilder text = new StringBuilder(StreamFormat.line("connection", number, state(),
            path == null ? 0 : path.epoch, spec.sink().key(), spec.window(), injected, delivered, failed, lost, unknown,
            spec.name()));
        final List<Stage> present = stages();
        for (int i = 0; i < present.size(); i++)
        {
            final Stage stage = present.get(i);
            text.append(StreamFormat.line("stage", stage.device().key(), path == null ? -1 : path.slot(i),
                stage.operation(), stage.kernel()));
        }
        return text.append(failure == null ? "" : StreamFormat.line("failure", failure)).toString();
    }

    private String state()
    {
        if (isClosing || isClosed)
        {
            return "ending";
        }
        if (isStopped)
        {
            return "stopped";
        }
        if (path == null)
        {
            return "opening";
        }
        if (isBroken)
        {
            return "broken";
        }
        if (isChanging)
        {
            return "changing";
        }
        return !ending.isEmpty() ? "draining" : injected - accounted >= spec.window() ? "full" : "open";
    }

    boolean isOpen()
    {
        return path != null;
    }

    /** Returns whether the path cannot be set: no device that could take the place of another is left to try. */
    boolean isRefused()
    {
        return failure != null && next == null && attemptCount >= candidateCount;
    }

    EndpointId sink()
    {
        return spec.sink();
    }

    /** Returns whether nothing is left to do: its number is free. */
    boolean isOver()
    {
        return isClosed && clearing.isEmpty() && isCloseSent;
    }

    @Override
    public void close()
    {
        isClosing = true;
        if (!isClosed && !drain.getAsBoolean())
        {
            abandon();
        }
    }

    /** Gives the connection up: the rest of its items is unknown. */
    void abandon()
    {
        if (!isClosed)
        {
            isClosed = true;
            states.close();
            final long first = accounted + 1;
            unknown += injected - accounted;
            accounted = injected;
            clearing.addAll(ending);
            ending.clear();
            clear(path);
            clear(next);
            isCloseSent = false;
            if (first <= injected)
            {
                spec.listener().onUnknown(first, injected);
            }
        }
    }

    private void clear(final StreamPath ended)
    {
        if (ended != null)
        {
            clearing.add(ended);
        }
    }

    /** Does one duty cycle. */
    int step(final long nowNs)
    {
        int workCount = isClosed ? 0 : stepPaths(nowNs);
        clearing.removeIf(each -> each.stepClear(port));
        if (!isCloseSent)
        {
            final SendStatus status =
                port.send(spec.sink().key(), port.handler(StreamFormat.CLOSE), number, 0, 0, NOTHING, 0, 0);
            isCloseSent = status != SendStatus.BACK_PRESSURED;
            workCount++;
        }
        return workCount;
    }

    private int stepPaths(final long nowNs)
    {
        if (nowNs - lookNs >= LOOK_INTERVAL_NS)
        {
            lookNs = nowNs;
            lookForDead();
        }
        int workCount = stepProbe(nowNs) + states.step(accounted, isSettled() && !isClosing);
        for (final StreamPath each : ending)
        {
            workCount += each.stepMarker(port);
        }
        if (isClosing)
        {
            return workCount + stepClosing();
        }
        return isChanging ? workCount + stepChange(nowNs) : workCount;
    }

    /** Has all paths look for dead stages; those of the present one have to be replaced. */
    private void lookForDead()
    {
        ending.forEach(each -> each.lookForDead(port));
        isBroken = path != null && isAnyDead();
        isChanging |= isBroken;
    }

    private boolean isAnyDead()
    {
        final boolean isAny = path.lookForDead(port);
        if (isAny)
        {
            states.lost(path);
        }
        return isAny;
    }

    /** Looks for other devices in the place of those that are not up: another one at each attempt. */
    private void replaceDead()
    {
        final List<Stage> changed = new ArrayList<>(wanted);
        final List<EndpointId> up = port.accelerators();
        for (int i = 0; i < changed.size(); i++)
        {
            final EndpointId device = changed.get(i).device();
            final boolean isLost = path != null && path.isDead(i) && path.stages.get(i).device().equals(device);
            if (isLost || !port.isUp(device))
            {
                final List<EndpointId> candidates = up.stream().filter(each -> !each.equals(device)).toList();
                final List<EndpointId> others = candidates.isEmpty() ? up : candidates;
                if (!others.isEmpty())
                {
                    candidateCount = Math.max(candidateCount, others.size());
                    changed.set(i, changed.get(i).on(others.get((attemptCount + i) % others.size())));
                }
            }
        }
        attemptCount++;
        wanted = List.copyOf(changed);
    }

    private int stepChange(final long nowNs)
    {
        if (isWaiting && nowNs - failureNs < LOOK_INTERVAL_NS)
        {
            return 0;
        }
        isWaiting = false;
        if (sinkSlot == null)
        {
            return stepSink(nowNs);
        }
        if (next == null)
        {
            replaceDead();
            next = new StreamPath(spec, number, epoch, attemptCount, wanted, sinkSlot);
            states.begin(wanted);
        }
        if (!states.isRestored())
        {
            final int restoreCount = states.stepRestore();
            if (states.failure() != null)
            {
                onPathFailed(states.failedIndex(), "checkpoint: " + states.failure(), nowNs);
            }
            return restoreCount;
        }
        final int workCount = next.stepSet(port, nowNs);
        if (next.failure() != null)
        {
            onPathFailed(next.failedIndex(), next.failure(), nowNs);
        }
        else if (next.isSet())
        {
            final int lostIndex = states.lostIndex();
            if (lostIndex < 0)
            {
                switchPath();
            }
            else
            {
                onPathFailed(lostIndex, "its pages were lost meanwhile", nowNs);
            }
        }
        return workCount;
    }

    private int stepSink(final long nowNs)
    {
        if (sinkCall == null)
        {
            final byte[] name = spec.name().getBytes(UTF_8);
            sinkCall = port.call(spec.sink().key(), port.handler(StreamFormat.SINK), number, epoch + 1,
                new UnsafeBuffer(name), name.length);
            return sinkCall == null ? 0 : 1;
        }
        if (!sinkCall.isComplete())
        {
            return 0;
        }
        failure = sinkCall.refusal() == null ? null : "sink " + spec.sink() + ": " + sinkCall.refusal();
        if (failure == null)
        {
            epoch++;                    // Not before: without an answer the sink is asked for the same one again.
            sinkSlot = sinkCall.value();
        }
        else
        {
            pauseChange(nowNs);
        }
        sinkCall = null;
        return 1;
    }

    /** Tries again with another device if the present path is broken; otherwise that one stays. */
    private void onPathFailed(final int index, final String reason, final long nowNs)
    {
        failure = next.stages.get(index) + ": " + reason;
        clearing.add(next);
        next = null;
        pauseChange(nowNs);
        if (path == null)
        {
            wanted = spec.stages();         // Another device takes the place of one that is not up.
            return;
        }
        isBroken = isAnyDead();
        if (!isBroken)
        {
            wanted = path.stages;
            isChanging = false;
        }
        else if (path.isDead(index))
        {
            final List<Stage> changed = new ArrayList<>(wanted);
            changed.set(index, wanted.get(index).on(path.stages.get(index).device()));
            wanted = List.copyOf(changed);          // Another device takes the place of the dead one.
        }
    }

    /** Returns who has not answered yet, for texts. */
    String awaited()
    {
        return next == null ? "sink " + spec.sink() + ", which answers if it is the id of a Streams" :
            String.valueOf(next.stages.get(Math.max(next.failedIndex(), 0)));
    }

    private void pauseChange(final long nowNs)
    {
        failureNs = nowNs;
        isWaiting = true;
    }

    private void switchPath()
    {
        if (path != null)
        {
            path.ends(injected);
            ending.add(path);
        }
        path = next;
        next = null;
        states.placed(path.stages);
        sinkSlot = null;
        isChanging = false;
        isBroken = false;
        failure = null;
        probedSequence = -1;
    }

    private int stepClosing()
    {
        if (path != null)
        {
            path.ends(injected);
            ending.add(path);
            path = null;
            return 1;
        }
        if (ending.isEmpty())
        {
            abandon();
            return 1;
        }
        return 0;
    }

    /**
     * Asks a stage for its entry if the accounts or the end of a path have stood still: a device that was reset has
     * lost it. An entry that the marker has freed is not lost. Behind the last stage it asks the sink.
     */
    private int stepProbe(final long nowNs)
    {
        if (probe != null)
        {
            if (!probe.isComplete())
            {
                return 0;
            }
            final StreamPort.Call answer = probe;
            probe = null;
            onProbed(answer);
            return 1;
        }
        final boolean isEnding = !ending.isEmpty();
        final StreamPath first = isEnding ? ending.peek() : path;
        if (first == null || (isChanging && !isEnding) || nowNs - probeNs < PROBE_INTERVAL_NS)
        {
            return 0;
        }
        if (probedPath != first || probedSequence != accounted || (injected == accounted && !isEnding) ||
            probeIndex > first.stages.size())
        {
            probeNs = nowNs;
            probedPath = first;
            probedSequence = accounted;
            probeIndex = 0;
            return 0;
        }
        probe = probeIndex == first.stages.size() ?
            port.call(spec.sink().key(), port.handler(StreamFormat.PROBE), number, 0, NOTHING, 0) :
            port.call(first.stages.get(probeIndex).device().key(), port.handler(FrameEntry.STATUS),
            first.slot(probeIndex), isEnding ? FrameEntry.ALSO_ENDED : 0, NOTHING, 0);
        return probe == null ? 0 : 1;
    }

    private void onProbed(final StreamPort.Call answer)
    {
        final boolean isRefused = answer.isAnswered() && answer.refusal() != null;
        if (probeIndex < probedPath.stages.size())
        {
            if (isRefused)
            {
                probedPath.dead(probeIndex);
            }
            probeIndex++;
        }
        else if (isRefused || (!answer.isAnswered() && !port.isPresent(spec.sink())))
        {
            abandon();                      // The sink was closed; perhaps another one is in its place.
        }
        else
        {
            probeIndex++;
        }
    }

    /** Takes an account of the sink. Nobody knows what was in one that was lost before it. */
    void onAccount(final int lower, final int account, final String reason)
    {
        if (isClosed)
        {
            return;
        }
        final int kind = StreamFormat.kind(account);
        if (kind == StreamFormat.ENDED)
        {
            while (!ending.isEmpty() && ending.peek().epoch <= lower)
            {
                clearing.add(ending.poll());
            }
            return;
        }
        final long last = StreamFormat.sequence(accounted, lower);
        final long count = StreamFormat.count(account);
        final long first = last - count + 1;
        if (first <= accounted || last < first || last > injected)
        {
            throw new IllegalStateException("sink " + spec.sink() + " accounts for sequences " + first + " to " + last +
                " of connection=" + number + ", expected " + (accounted + 1) + " to " + injected);
        }
        if (first > accounted + 1)
        {
            final long firstUnknown = accounted + 1;
            unknown += first - firstUnknown;
            accounted = first - 1;          // Before the listener, which may throw.
            spec.listener().onUnknown(firstUnknown, first - 1);
        }
        accounted = last;
        switch (kind)
        {
            case StreamFormat.DELIVERED -> delivered += count;
            case StreamFormat.FAILED ->
            {
                failed += count;
                isStopped = spec.isStopping();
                spec.listener().onFailed(last, reason);
            }
            default ->
            {
                lost += count;
                spec.listener().onLost(first, last);
            }
        }
    }

    void onNodeGone(final int node)
    {
        ending.forEach(each -> each.onNodeGone(node));
        if (path != null)
        {
            path.onNodeGone(node);
            isBroken = isAnyDead();
            isChanging |= isBroken;
        }
        if (spec.sink().node() == node)
        {
            abandon();
        }
    }
}
