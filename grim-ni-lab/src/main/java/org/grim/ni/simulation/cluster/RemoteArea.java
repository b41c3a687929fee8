// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation.cluster;

import java.util.Arrays;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.ni.simulation.check.EventKind;
import org.grim.ni.simulation.check.MessageKind;
import org.grim.ni.simulation.check.MessagePattern;
import org.grim.ni.simulation.check.PairLedger;
import org.grim.ni.simulation.check.ViolationException;
import org.grim.ni.simulation.scenario.Probe;
import org.grim.ni.simulation.scenario.Setting;

import static org.agrona.BitUtil.SIZE_OF_INT;

/**
 * Watched remote memory of one context, which peers write and read. Only data and notification words of slots change,
 * and when a notification word changes, its data are there already.
 * <p>Thread: the simulation's.
 */
final class RemoteArea
{
    private static final byte CANARY = (byte)0xA5;

    private final int ni;
    private final int context;
    private final int contextCount;
    private final AtomicBuffer region;
    private final HostLayout layout;
    private final Run run;
    private final int nodeCount;
    private final int channelCount;
    private final int sourceSeed;
    private final int[] notified;           // Last value seen in each slot.
    private final boolean[] isTouched;
    private int touchedCount;

    RemoteArea(final int ni, final int context, final AtomicBuffer region, final Run run)
    {
        this.ni = ni;
        this.context = context;
        contextCount = run.parameters().count(Setting.CONTEXT_COUNT);
        this.region = region;
        this.run = run;
        layout = run.layout();
        nodeCount = run.parameters().count(Setting.NODE_COUNT);
        channelCount = run.parameters().count(Setting.CHANNEL_COUNT);
        sourceSeed = sourceSeed(ni);
        notified = new int[2 * layout.slotCount()];
        isTouched = new boolean[notified.length];
        region.setMemory(layout.slotsOffset, region.capacity() - layout.slotsOffset, CANARY);
        for (int slot = 0; slot < notified.length; slot++)
        {
            region.putInt(layout.slotOffset(slot) + HostLayout.NOTIFICATION_OFFSET, 0);
        }
        MessagePattern.fill(region, layout.readSourceOffset, HostLayout.READ_SOURCE_LENGTH, sourceSeed);
    }

    static int sourceSeed(final int ni)
    {
        return MessagePattern.seed(ni, -1, -1);
    }

    /** The board begins to write here: says whether it may. */
    boolean mayWrite(final int offset, final int length)
    {
        final int slot = layout.slotAt(offset);
        if (slot < 0 || slot % channelCount % contextCount != context)
        {
            return false;
        }
        if (!isTouched[slot])
        {
            isTouched[slot] = true;
            touchedCount++;
        }
        final int within = offset - layout.slotOffset(slot);
        final boolean isNotification = within == HostLayout.NOTIFICATION_OFFSET && length == SIZE_OF_INT;
        return isNotification || (within >= HostLayout.DATA_OFFSET &&
            within + length <= HostLayout.DATA_OFFSET + HostLayout.SLOT_DATA_LENGTH);
    }

    /** A transfer has ended: looks at the slots that were being written. */
    void onTransferComplete(final boolean isEngineIdle)
    {
        if (touchedCount == 0)
        {
            return;
        }
        for (int slot = 0; slot < isTouched.length; slot++)
        {
            if (isTouched[slot])
            {
                look(slot);
                isTouched[slot] = !isEngineIdle;
            }
        }
        touchedCount = isEngineIdle ? 0 : touchedCount;
    }

    /** Everything between the slots' data, and what peers may only read. */
    void checkThoroughly()
    {
        if (MessagePattern.mismatch(region, layout.readSourceOffset, HostLayout.READ_SOURCE_LENGTH, sourceSeed) >= 0)
        {
            throw new ViolationException("stray write", this + ": what may only be read was written");
        }
        requireCanary(-1, layout.readOnlyOffset, layout.regionLength - layout.readOnlyOffset);
        for (int slot = 0; slot < notified.length; slot++)
        {
            final int start = layout.slotOffset(slot);
            requireCanary(slot, start, HostLayout.CANARY_LENGTH);
            requireCanary(slot, start + HostLayout.NOTIFICATION_OFFSET + SIZE_OF_INT,
                HostLayout.LINE_LENGTH - SIZE_OF_INT);
            requireCanary(slot, start + HostLayout.DATA_OFFSET + HostLayout.SLOT_DATA_LENGTH,
                HostLayout.CANARY_LENGTH);
        }
    }

    /**
     * Checks that every acknowledged operation was executed, and every acknowledged read was answered if no reply can
     * have been lost.
     */
    void checkAtRest()
    {
        final boolean isUndisturbed = !run.parameters().canLosePeers();
        for (int slot = 0; slot < notified.length; slot++)
        {
            final boolean isRead = slot >= layout.slotCount();
            if (slot % channelCount % contextCount == context && (!isRead || isUndisturbed))
            {
                final int number = pair(slot).lastAcknowledged(isRead ? MessageKind.READ : MessageKind.WRITE);
                if (number >= 0 && notified[slot] < RemoteOperation.value(number))
                {
                    throw new ViolationException("notification", this + " slot " + slot + " of " + pair(slot) +
                        ": number " + number + " is acknowledged, and the last value seen is " + notified[slot]);
                }
            }
        }
    }

    @Override
    public String toString()
    {
        return "remote memory of NI " + ni + " context " + context;
    }

    private void look(final int slot)
    {
        final int start = layout.slotOffset(slot);
        final int value = region.getInt(start + HostLayout.NOTIFICATION_OFFSET);
        if (value == notified[slot])
        {
            return;
        }
        final boolean isRead = slot >= layout.slotCount();
        final int channel = slot % channelCount;
        final PairLedger pair = pair(slot);
        final int otherNi = isRead ? pair.destinationNi : pair.sourceNi;
        final int number = value - 1;
        run.trace().event(EventKind.NOTIFIED, null, ni, channel, otherNi, channel, number);
        if (value <= notified[slot] || number >= pair.nextNumber() ||
            pair.kind(number) != (isRead ? MessageKind.READ : MessageKind.WRITE))
        {
            throw new ViolationException("notification", this + " slot " + slot + " of " + pair + ": value " + value +
                " after " + notified[slot] + ", kind " +
                (number >= 0 && number < pair.nextNumber() ? pair.kind(number) : null));
        }
        notified[slot] = value;
        run.trace().reach(isRead ? Probe.READ_NOTIFIED : Probe.WRITE_NOTIFIED);
        final int seed = RemoteOperation.seed(pair.sourceNi, channel, number);
        final int length = RemoteOperation.length(seed, layout.operationLengthMax);
        final int data = start + HostLayout.DATA_OFFSET + RemoteOperation.offset(seed);
        final int mismatch = isRead ? sourceMismatch(data, length, otherNi, RemoteOperation.sourceOffset(seed)) :
            MessagePattern.mismatch(region, data, length, seed);
        if (mismatch >= 0)
        {
            throw new ViolationException("notification", this + " slot " + slot + " of " + pair + ": number " +
                number + " is notified, and its byte " + mismatch + " of " + length + " is not there");
        }
    }

    /** Returns the ledger of the initiator whose operations use a slot. */
    private PairLedger pair(final int slot)
    {
        final boolean isRead = slot >= layout.slotCount();
        final int asked = isRead ? slot - layout.slotCount() : slot;
        final int channel = asked % channelCount;
        final int otherNi = (isRead ? ni - asked / channelCount + nodeCount : ni + asked / channelCount) % nodeCount;
        return run.ledger().pair(isRead ? ni : otherNi, channel, isRead ? otherNi : ni, channel);
    }

    private int sourceMismatch(final int index, final int length, final int sourceNi, final int sourceOffset)
    {
        final int seed = sourceSeed(sourceNi);
        for (int i = 0; i < length; i++)
        {
            if (region.getByte(index + i) != MessagePattern.at(seed, sourceOffset + i))
            {
                return i;
            }
        }
        return -1;
    }

    private void requireCanary(final int slot, final int index, final int length)
    {
        for (int i = index; i < index + length; i++)
        {
            if (region.getByte(i) != CANARY)
            {
                throw new ViolationException("stray write", this + " slot " + slot + ": byte " + i + " was written");
            }
        }
    }

    /** Nothing is under way any more that was touched before. */
    void onReset()
    {
        Arrays.fill(isTouched, false);
        touchedCount = 0;
    }
}
