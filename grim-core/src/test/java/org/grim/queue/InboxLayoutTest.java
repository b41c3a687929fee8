// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.GrimException;
import org.grim.buffer.Buffers;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class InboxLayoutTest
{
    private static final InboxGeometry GEOMETRY = new InboxGeometry(2, 3, 1, 4, 64, 1024, 2, 128);

    @Test
    void shouldPinEveryOffsetOfTheFirstLines()
    {
        assertEquals(64, InboxLayout.GEOMETRY_OFFSET);
        assertEquals(96, InboxLayout.NODE_OFFSET);
        assertEquals(100, InboxLayout.INCARNATION_OFFSET);
        assertEquals(128, InboxLayout.ATTACH_OFFSET);
        assertEquals(192, InboxLayout.LAST_POLL_OFFSET);
        assertEquals(256, InboxLayout.FRAME_CURSOR_OFFSET);
        assertEquals(320, InboxLayout.CHANNELS_OFFSET);
        assertEquals(320, Inbox.lengthMin());
    }

    @Test
    void shouldPinTheQueueDescriptor()
    {
        assertEquals(0, InboxLayout.OWNER_OFFSET);
        assertEquals(8, InboxLayout.REFUSED_OFFSET);
        assertEquals(64, InboxLayout.HEAD_OFFSET);
        assertEquals(72, InboxLayout.STATE_OFFSET);
        assertEquals(128, InboxLayout.TAIL_OFFSET);
        assertEquals(192, InboxLayout.DESCRIPTOR_LENGTH);
    }

    @Test
    void shouldPinWhereQueuesLie()
    {
        final InboxLayout layout = new InboxLayout(GEOMETRY);
        final int queues = 320 + 2 * 128;
        final int slots = queues + 8 * 192;
        final int rings = slots + 8 * 320;
        final int senders = rings + 6 * 1024;
        final int owners = senders + 2 * 256 * 8;

        assertEquals(320, layout.asleepOffset(0));
        assertEquals(384, layout.channelPollOffset(0));
        assertEquals(448, layout.asleepOffset(1));
        assertEquals(512, layout.channelPollOffset(1));
        assertEquals(queues, layout.descriptorOffset(0, 0));
        assertEquals(queues + 7 * 192, layout.descriptorOffset(1, 3));
        assertEquals(slots, layout.slotsOffset(0, 0));
        assertEquals(slots + 7 * 320, layout.slotsOffset(1, 3));
        assertEquals(rings, layout.ringOffset(0, 0));
        assertEquals(rings + 5 * 1024, layout.ringOffset(1, 2));
        assertEquals(senders, layout.senderOffset(0, 0));
        assertEquals(senders + 511 * 8, layout.senderOffset(1, 255));
        assertEquals(owners + 4, layout.frameOwnerOffset(1));
        assertEquals(owners + 64 + 128, layout.frameOffset(1));
        assertEquals(owners + 64 + 256, layout.length());
        assertEquals(owners + 64 + 256, Inbox.lengthOf(GEOMETRY));
    }

    @Test
    void shouldGiveDifferentWritersDifferentLines()
    {
        final InboxLayout layout = new InboxLayout(GEOMETRY);
        final int queue = layout.descriptorOffset(0, 0);
        final int[] offsets = {0, InboxLayout.ATTACH_OFFSET, InboxLayout.LAST_POLL_OFFSET,
            InboxLayout.FRAME_CURSOR_OFFSET, layout.asleepOffset(0), layout.channelPollOffset(0),
            layout.asleepOffset(1), layout.channelPollOffset(1),
            queue + InboxLayout.OWNER_OFFSET, queue + InboxLayout.HEAD_OFFSET, queue + InboxLayout.TAIL_OFFSET,
            queue + InboxLayout.DESCRIPTOR_LENGTH};

        for (int i = 1; i < offsets.length; i++)
        {
            assertTrue(offsets[i] / 64 > offsets[i - 1] / 64, "offset " + offsets[i]);
        }
    }

    @Test
    void shouldReadBackWhatItsCreatorWrote()
    {
        final AtomicBuffer buffer = Buffers.allocate(Inbox.lengthOf(GEOMETRY));
        Inbox.create(buffer, GEOMETRY, 7, 9, 400);

        final Inbox inbox = Inbox.wrap(buffer);

        assertEquals(7, inbox.node());
        assertEquals(9, inbox.incarnation());
        assertEquals(7, buffer.getInt(96));
        assertEquals(2, buffer.getInt(64));
        assertEquals(128, buffer.getInt(64 + 28));
        assertEquals(400, inbox.headAcquire(1, 3));
        assertEquals(4, inbox.geometry().slotCount());
        assertEquals(3, inbox.geometry().exclusiveQueueCount());
        assertEquals(0, inbox.owner(1, 3));
    }

    @Test
    void shouldRefuseAGeometryThatDoesNotFit()
    {
        final AtomicBuffer buffer = Buffers.allocate(Inbox.lengthOf(GEOMETRY));
        Inbox.create(buffer, GEOMETRY, 7, 9, 0);

        for (int field = 0; field < 8; field++)
        {
            for (final int value : new int[]{-1, 0, 3, 5, 1 << 30, Integer.MAX_VALUE, Integer.MIN_VALUE})
            {
                final int before = buffer.getInt(64 + field * 4);
                buffer.putInt(64 + field * 4, value);
                if (value != before)
                {
                    final GrimException ex = assertThrows(GrimException.class, () -> Inbox.wrap(buffer),
                        "field " + field + " value " + value);
                    assertTrue(ex.getMessage().contains("corrupt geometry"), ex.getMessage());
                }
                buffer.putInt(64 + field * 4, before);
            }
        }
    }

    @Test
    void shouldNameTheSizeThatIsOutOfRange()
    {
        refuse("channels=0 is outside 1 to 256", 0, 1, 4, 64, 1024);
        refuse("channels=257 is outside 1 to 256", 257, 1, 4, 64, 1024);
        refuse("exclusive queues=65 is outside 0 to 64", 1, 65, 4, 64, 1024);
        refuse("queues per channel=0 is outside 1 to 64", 1, 0, 4, 64, 1024);
        refuse("slot-count=2 is outside 4 to 65536", 1, 1, 2, 64, 1024);
        refuse("slot-count=6 is not a power of two", 1, 1, 6, 64, 1024);
        refuse("slot-length=32 is outside 64 to 256", 1, 1, 4, 32, 1024);
        refuse("slot-length=96 is not a power of two", 1, 1, 4, 96, 1024);
        refuse("ring-length=512 is outside 1024 to 67108864", 1, 1, 4, 64, 512);
        refuse("ring-length=1100 is not a power of two", 1, 1, 4, 64, 1100);
        final String text = assertThrows(IllegalArgumentException.class,
            () -> new InboxGeometry(256, 64, 0, 65_536, 256, 1 << 26, 0, 0)).getMessage();
        assertTrue(text.startsWith("inbox length=") && text.contains("exceeds max=2147483647"), text);
    }

    @Test
    void shouldDeriveTheLargestPayload()
    {
        assertEquals(448, new InboxGeometry(1, 1, 0, 4, 64, 1024, 0, 0).payloadLengthMax());
        assertEquals(65_504, new InboxGeometry(1, 1, 0, 4, 64, 1 << 18, 0, 0).payloadLengthMax());
        assertEquals(57_344, new InboxGeometry(1, 1, 0, 4, 64, 1 << 17, 0, 0).payloadLengthMax());
        assertEquals(32, new InboxGeometry(1, 1, 0, 4, 64, 1024, 0, 0).inlineLength());
        assertEquals(224, new InboxGeometry(1, 1, 0, 4, 256, 1024, 0, 0).inlineLength());
    }

    @Test
    void shouldPackTheOwnerOfAQueue()
    {
        final long owner = QueueOwner.of(0xABC, 0xDE, 0x1234567);

        assertEquals(0x8ABC_DE00_0123_4567L, owner);
        assertEquals(0xABC, QueueOwner.node(owner));
        assertEquals(0xDE, QueueOwner.channel(owner));
        assertEquals(0x1234567, QueueOwner.incarnation(owner));
        assertEquals(0xCABC_DE00_0123_4567L, QueueOwner.detached(owner));
        assertTrue(QueueOwner.isDetached(QueueOwner.detached(owner)));
        assertTrue(QueueOwner.isValid(owner, 0xABD));
        assertEquals(false, QueueOwner.isValid(owner, 0xABC));
        assertEquals(false, QueueOwner.isValid(owner | (1L << 60), 4096));
        assertEquals(false, QueueOwner.isValid(owner | (1L << 28), 4096));
        assertEquals(false, QueueOwner.isValid(owner & Long.MAX_VALUE, 4096));
    }

    private static void refuse(
        final String text, final int channels, final int exclusive, final int slots, final int slotLength,
        final int ring)
    {
        assertEquals(text, assertThrows(IllegalArgumentException.class,
            () -> new InboxGeometry(channels, exclusive, 0, slots, slotLength, ring, 0, 0)).getMessage());
    }
}
