// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.GrimException;
import org.grim.HostileInput;
import org.grim.buffer.Buffers;
import org.grim.wire.MessageHeader;

import com.code_intelligence.jazzer.junit.FuzzTest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** An inbox of any bytes is refused, or every part of it lies inside it and a tool can look at all. */
final class InboxFuzzTest
{
    private static final int LENGTH_MAX = 1 << 20;
    private static final int[] USUAL = {1, 1, 1, 4, 64, 1024, 2, 128};

    @FuzzTest
    void shouldStayInsideOrRefuse(final byte[] bytes)
    {
        final HostileInput input = new HostileInput(bytes);
        final int[] fields = fields(input);
        final int length = length(fields, input);
        final AtomicBuffer memory = Buffers.wrap(new byte[length]);
        for (int i = 0; i < fields.length; i++)
        {
            memory.putInt(InboxLayout.GEOMETRY_OFFSET + i * Integer.BYTES, fields[i]);
        }
        final int frame = input.nextBelow(1 << 16);
        final int frameOwner = (int)input.nextPosition();
        input.scribble(memory);
        try
        {
            final Inbox inbox = Inbox.wrap(memory);
            if (inbox.geometry().frameCount() > 0)
            {
                inbox.tryFrame(frame % inbox.geometry().frameCount(), frameOwner);
            }
            checkPlaces(inbox.geometry(), new InboxLayout(inbox.geometry()), length);
            look(inbox);
        }
        catch (final GrimException ex)
        {
            assertTrue(ex.getMessage().startsWith("inbox has a corrupt geometry: "), ex.getMessage());
        }
    }

    private static int[] fields(final HostileInput input)
    {
        final int[] fields = USUAL.clone();
        for (int i = 0; i < fields.length; i++)
        {
            fields[i] = switch (input.nextBelow(16))
            {
                case 0 -> input.nextByte();
                case 1 -> 1 << input.nextByte();
                case 2 -> input.nextInt();
                default -> fields[i];
            };
        }
        return fields;
    }

    /** As long as the geometry needs, if that is short, so that not the length alone refuses it. */
    private static int length(final int[] fields, final HostileInput input)
    {
        try
        {
            final InboxGeometry geometry = InboxGeometry.ofFields(fields);
            checkPlaces(geometry, new InboxLayout(geometry), Inbox.lengthOf(geometry));
            if (Inbox.lengthOf(geometry) <= LENGTH_MAX)
            {
                return Inbox.lengthOf(geometry);
            }
        }
        catch (final GrimException ex)
        {
            return Inbox.lengthMin();
        }
        return Inbox.lengthMin() + input.nextByte();
    }

    private static void checkPlaces(final InboxGeometry geometry, final InboxLayout layout, final long length)
    {
        assertEquals(layout.length(), length);
        final int channel = geometry.channelCount() - 1;
        final int queue = geometry.queueCount() - 1;
        checkRange(layout.descriptorOffset(channel, queue), InboxLayout.DESCRIPTOR_LENGTH, length);
        checkRange(layout.slotsOffset(channel, queue), (long)geometry.slotCount() * geometry.slotLength(), length);
        if (geometry.exclusiveQueueCount() > 0)
        {
            checkRange(
                layout.ringOffset(channel, geometry.exclusiveQueueCount() - 1), geometry.ringLength(), length);
        }
        if (geometry.frameCount() > 0)
        {
            checkRange(layout.frameOwnerOffset(geometry.frameCount() - 1), Integer.BYTES, length);
            checkRange(layout.frameOffset(geometry.frameCount() - 1), geometry.frameLength(), length);
        }
        if (geometry.sharedQueueCount() > 0)
        {
            checkRange(layout.senderOffset(channel, InboxLayout.SENDER_COUNT - 1), Long.BYTES, length);
            assertTrue(geometry.framePayloadLengthMax() + MessageHeader.LENGTH <= geometry.frameLength());
        }
        assertTrue(geometry.payloadLengthMax() > 0 && geometry.payloadLengthMax() <= geometry.ringLength() / 2);
    }

    private static void checkRange(final int offset, final long partLength, final long length)
    {
        assertTrue(offset >= InboxLayout.CHANNELS_OFFSET && offset + partLength <= length, "part at " + offset);
    }

    private static void look(final Inbox inbox)
    {
        final InboxView view = new InboxView(inbox);
        for (int channel = 0; channel < view.geometry().channelCount(); channel++)
        {
            assertEquals(inbox.channelPollMs(channel), view.lastPollMs(channel));
            assertEquals(inbox.buffer().getInt(inbox.asleepIndex(channel)) != 0, view.isAsleep(channel));
            for (int queue = 0; queue < view.geometry().queueCount(); queue++)
            {
                look(inbox, view, channel, queue);
            }
            for (int sender = 0; sender < view.senderCount(); sender++)
            {
                assertEquals(inbox.sender(channel, sender), view.sender(channel, sender));
                assertTrue(view.queueOfSender(sender) < view.geometry().queueCount());
            }
        }
        for (int frame = 0; frame < view.geometry().frameCount(); frame++)
        {
            final long holder = view.holderOfFrame(frame);
            assertTrue(holder == 0 || view.isFrameUsed(frame));
        }
    }

    private static void look(final Inbox inbox, final InboxView view, final int channel, final int queue)
    {
        final int slotCount = view.geometry().slotCount();
        final InboxView.Slots slots = view.slots(channel, queue);
        assertTrue(slots.publishedCount() >= 0 && slots.publishedCount() <= slotCount);
        assertTrue(slots.firstClaim() >= -1 && slots.firstClaim() < slotCount);
        assertTrue(slots.claimant() >= -1 && slots.claimant() < Math.max(1, view.senderCount()));
        assertTrue(inbox.unreadCount(channel, queue) <= slots.publishedCount());
        assertTrue(view.roomOf(queue) > 0 && view.roomOf(queue) <= slotCount);
        assertEquals(inbox.isStopped(channel, queue), view.isStopped(channel, queue));
        assertEquals(inbox.refusedSinceMs(channel, queue), view.refusedSinceMs(channel, queue));
        final long owner = view.owner(channel, queue);
        assertTrue(!QueueOwner.isValid(owner, 4) || (QueueOwner.node(owner) < 4 && QueueOwner.incarnation(owner) >= 0));
    }
}
