// SPDX-License-Identifier: Apache-2.0
package org.grim.stream;

import java.util.List;
import java.util.concurrent.TimeUnit;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.EndpointId;
import org.grim.device.accelerator.FrameEntry;
import org.grim.device.accelerator.ItemFormat;

/**
 * The path of a connection in one epoch: a slot at the sink and an entry at each stage, set from the last to the first.
 * <p>Thread: the one that polls the streams.
 */
final class StreamPath
{
    private static final long NAME_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);
    private static final int CHANNEL_SHIFT = 16;
    private static final int CHANNEL_MASK = 0xFF;
    private static final UnsafeBuffer NOTHING = new UnsafeBuffer(new byte[0]);

    final int epoch;
    private final int attempt;              // To set a path of the connection: no other one has this number.
    final List<Stage> stages;
    private final ConnectionSpec spec;
    private final int number;
    private final int sinkSlot;
    private final int[] slots;
    private final int[] endpoints;
    private final int[] handlers;
    private final boolean[] isDead;
    private final boolean[] isCleared;
    private int nextIndex;
    private StreamPort.Call call;
    private boolean isUnanswered;           // An entry of the stage at nextIndex may have been set.
    private boolean wasUnknown;
    private long unknownSinceNs;
    private String failure;
    private long lastSequence;
    private int markerIndex = -1;           // Stage that got the marker; as many as there are: the sink.

    StreamPath(
        final ConnectionSpec spec, final int number, final int epoch, final int attempt, final List<Stage> stages,
        final int sinkSlot)
    {
        this.spec = spec;
        this.number = number;
        this.epoch = epoch;
        this.attempt = attempt;
        this.stages = List.copyOf(stages);
        this.sinkSlot = sinkSlot;
        slots = new int[stages.size()];
        endpoints = new int[stages.size()];
        handlers = new int[stages.size()];
        isDead = new boolean[stages.size()];
        isCleared = new boolean[stages.size()];
        nextIndex = stages.size() - 1;
    }

    boolean isSet()
    {
        return nextIndex < 0;
    }

    /** Returns why an entry could not be set; null if none has failed. */
    String failure()
    {
        return failure;
    }

    /** Index of the stage whose entry could not be set. */
    int failedIndex()
    {
        return nextIndex;
    }

    /** Sets the next entry, if the one before has been set. Returns pieces of work done. */
    int stepSet(final StreamPort port, final long nowNs)
    {
        if (isSet() || failure != null)
        {
            return 0;
        }
        if (call == null)
        {
            call = set(port, nextIndex);
            judgeName(nowNs);
            return call == null ? 0 : 1;
        }
        return stepCall() ? 1 : 0;
    }

    /** A kernel that no device of the cluster has gets no handler. */
    private void judgeName(final long nowNs)
    {
        final boolean isUnknown = handlers[nextIndex] == 0;
        unknownSinceNs = isUnknown && wasUnknown ? unknownSinceNs : nowNs;
        wasUnknown = isUnknown;
        if (isUnknown && nowNs - unknownSinceNs > NAME_TIMEOUT_NS)
        {
            failure = "kernel=" + stages.get(nextIndex).kernel() + " is not known to the cluster";
        }
    }

    private boolean stepCall()
    {
        if (!call.isComplete())
        {
            return false;
        }
        failure = call.refusal();
        isUnanswered = failure != null && !call.isAnswered();
        if (failure == null)
        {
            final EndpointId device = stages.get(nextIndex).device();
            slots[nextIndex] = ItemFormat.slot(call.value());
            endpoints[nextIndex] = device.onChannel(
                device.channel() + ((call.value() >>> CHANNEL_SHIFT) & CHANNEL_MASK)).key();
            nextIndex--;
        }
        call = null;
        return true;
    }

    private StreamPort.Call set(final StreamPort port, final int index)
    {
        final Stage stage = stages.get(index);
        handlers[index] = port.handler(ItemFormat.KERNEL_PREFIX + stage.kernel());
        if (handlers[index] == 0)
        {
            return null;
        }
        final boolean isLast = index == stages.size() - 1;
        final boolean isRecycled = !isLast && stages.get(index + 1).device().equals(stage.device());
        final FrameEntry entry = new FrameEntry(0, 0, number, attempt,
            (isRecycled ? FrameEntry.RECYCLE : 0) | (spec.isStopping() ? FrameEntry.STOP : 0), handlers[index],
            isLast ? spec.sink().key() : endpoints[index + 1],
            isLast ? port.handler(StreamFormat.ITEM) : handlers[index + 1],
            isLast ? ItemFormat.a0(sinkSlot, 0, false) : stages.get(index + 1).a0(slots[index + 1]),
            isLast ? 0 : stages.get(index + 1).constant(), spec.window(), spec.itemLengthMax(), stage.operands());
        final UnsafeBuffer payload = new UnsafeBuffer(new byte[FrameEntry.LENGTH]);
        entry.writeTo(payload);
        return port.call(stage.device().key(), port.handler(FrameEntry.SET), 0, 0, payload, FrameEntry.LENGTH);
    }

    /** Endpoint that gets the items. */
    int firstEndpoint()
    {
        return endpoints[0];
    }

    int firstHandler()
    {
        return handlers[0];
    }

    int firstA0()
    {
        return stages.get(0).a0(slots[0]);
    }

    /** Says how far the items go that were injected into this path. */
    void ends(final long sequence)
    {
        lastSequence = sequence;
    }

    /** Notes which devices are gone; a device that comes back has lost its entries. */
    boolean lookForDead(final StreamPort port)
    {
        boolean isAnyDead = false;
        for (int i = 0; i < isDead.length; i++)
        {
            isDead[i] = isDead[i] || !port.isUp(stages.get(i).device());
            isAnyDead |= isDead[i];
        }
        return isAnyDead;
    }

    void onNodeGone(final int node)
    {
        for (int i = 0; i < isDead.length; i++)
        {
            isDead[i] = isDead[i] || stages.get(i).device().node() == node;
        }
    }

    /** Notes that a device has no entry of this path any more. */
    void dead(final int index)
    {
        isDead[index] = true;
    }

    boolean isDead(final int index)
    {
        return isDead[index];
    }

    int slot(final int index)
    {
        return slots[index];
    }

    /**
     * Sends the marker to the first stage, or to the one behind the last dead stage: items that are before that one are
     * lost. Returns pieces of work done.
     */
    int stepMarker(final StreamPort port)
    {
        int target = 0;
        for (int i = 0; i < isDead.length; i++)
        {
            target = isDead[i] ? i + 1 : target;
        }
        if (markerIndex >= target)
        {
            return 0;
        }
        final boolean isSink = target == stages.size();
        final boolean isAccepted = port.send(isSink ? spec.sink().key() : endpoints[target],
            isSink ? port.handler(StreamFormat.ITEM) : handlers[target],
            ItemFormat.marker(isSink ? ItemFormat.a0(sinkSlot, 0, false) : stages.get(target).a0(slots[target])),
            (int)lastSequence, 0, NOTHING, 0, 0).isAccepted();
        markerIndex = isAccepted ? target : markerIndex;
        return isAccepted ? 1 : 0;
    }

    /**
     * Frees the entries that are set and were not freed by a marker, and one that a device may have set after the owner
     * waited for its answer. Returns whether all devices know.
     */
    boolean stepClear(final StreamPort port)
    {
        if (call != null && !stepCall())
        {
            return false;                   // An entry is being set.
        }
        if (isUnanswered && !isDead[nextIndex])
        {
            final EndpointId device = stages.get(nextIndex).device();
            isUnanswered = !port.send(device.key(), port.handler(FrameEntry.CLEAR), FrameEntry.ALL, number, attempt,
                NOTHING, 0, 0).isAccepted();
            if (isUnanswered && port.isUp(device))
            {
                return false;
            }
        }
        for (int i = nextIndex + 1; i < isDead.length; i++)
        {
            if (!isDead[i] && !isCleared[i])
            {
                isCleared[i] = port.send(stages.get(i).device().key(), port.handler(FrameEntry.CLEAR), slots[i], 0, 0,
                    NOTHING, 0, 0).isAccepted();
                if (!isCleared[i] && port.isUp(stages.get(i).device()))
                {
                    return false;
                }
            }
        }
        return true;
    }
}
