// SPDX-License-Identifier: Apache-2.0
package org.grim.stream;

import java.util.ArrayList;
import java.util.List;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.EndpointId;
import org.grim.SendStatus;
import org.grim.device.DeviceException;
import org.grim.device.accelerator.ItemFormat;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** A sink whose accounts are written down. */
final class StreamSinksTest
{
    private static final int OWNER = 0x1100;
    private static final int NUMBER = 3;
    private static final UnsafeBuffer PAYLOAD = new UnsafeBuffer(new byte[4]);

    private final List<String> accounts = new ArrayList<>();
    private final List<Long> items = new ArrayList<>();
    private SendStatus status = SendStatus.SENT;
    private final StreamPort port = new StreamPort()
    {
        @Override
        public SendStatus send(
            final int endpoint, final int handler, final int a0, final int a1, final int a2,
            final DirectBuffer buffer, final int offset, final int length)
        {
            if (status.isAccepted())
            {
                assertEquals(OWNER, endpoint);
                assertEquals(NUMBER, a0);
                accounts.add(List.of("delivered", "lost", "failed", "ended").get(StreamFormat.kind(a2)) + " " + a1 +
                    "(" + StreamFormat.count(a2) + ")" +
                    buffer.getStringWithoutLengthUtf8(offset, length));
            }
            return status;
        }

        @Override
        public Call call(
            final int endpoint, final int handler, final int a0, final int a1, final DirectBuffer buffer,
            final int length)
        {
            throw new IllegalStateException("a sink asks nothing");
        }

        @Override
        public boolean isUp(final EndpointId device)
        {
            return true;
        }

        @Override
        public boolean isPresent(final EndpointId endpoint)
        {
            return true;
        }

        @Override
        public List<EndpointId> accelerators()
        {
            return List.of();
        }

        @Override
        public int handler(final String name)
        {
            return 1;
        }
    };
    private final StreamSinks sinks = new StreamSinks(port, ItemFormat.slot(0, 1));

    private int open(final int epoch)
    {
        sinks.handler("name", (sequence, buffer, offset, length) ->
        {
            if (sequence == 13)
            {
                throw new IllegalStateException("unlucky");
            }
            if (sequence == 15)
            {
                throw new AssertionError("broken");
            }
            items.add(sequence);
        });
        return sinks.open(OWNER, NUMBER, epoch, "name");
    }

    private void item(final int slot, final int sequence)
    {
        sinks.onItem(ItemFormat.a0(slot, 0, false), sequence, PAYLOAD, 0, PAYLOAD.capacity());
    }

    private void marker(final int slot, final int sequence)
    {
        sinks.onItem(ItemFormat.marker(ItemFormat.a0(slot, 0, false)), sequence, PAYLOAD, 0, 0);
    }

    @Test
    void shouldGiveOtherSlotsThanSinksThatWereClosed()
    {
        final StreamSinks successor = new StreamSinks(port, ItemFormat.slot(0, 2));
        final int slot = open(1);
        item(slot, 1);

        assertThrows(DeviceException.class, () -> successor.requireConnection(OWNER, NUMBER));
        assertThrows(DeviceException.class, () -> successor.open(OWNER, NUMBER, 2, "name"), "a later epoch");
        successor.handler("name", (sequence, buffer, offset, length) -> items.add(sequence));
        final int slotOfSuccessor = successor.open(OWNER, NUMBER, 1, "name");
        successor.requireConnection(OWNER, NUMBER);
        successor.onItem(ItemFormat.a0(slot, 0, false), 2, PAYLOAD, 0, PAYLOAD.capacity());

        assertNotEquals(slot, slotOfSuccessor);
        assertEquals(List.of(1L), items);
        assertEquals(1, successor.staleCount());
    }

    @Test
    void shouldTakeEachItemOnceAndInOrder()
    {
        final int slot = open(1);
        item(slot, 1);
        item(slot, 2);
        item(slot, 2);
        item(slot, 5);
        item(slot, 4);
        item(slot, 13);
        status = SendStatus.BACK_PRESSURED;
        sinks.step();
        item(slot, 14);
        status = SendStatus.SENT;
        sinks.step();

        assertEquals(List.of(1L, 2L, 5L, 14L), items);
        assertEquals(List.of("delivered 2(2)", "lost 4(2)", "delivered 5(1)", "lost 12(7)",
            "failed 13(1)sink: java.lang.IllegalStateException: unlucky", "delivered 14(1)"), accounts);
        assertEquals(2, sinks.staleCount());
    }

    @Test
    void shouldHoldAnEpochUntilTheOneBeforeHasEnded()
    {
        final int first = open(1);
        final int second = open(2);
        final int third = open(4);
        item(third, 6);
        item(second, 4);
        marker(second, 5);
        item(first, 1);
        marker(first, 3);
        marker(first, 3);
        item(first, 2);
        sinks.step();

        assertEquals(List.of(1L, 4L, 6L), items);
        assertEquals(List.of("delivered 1(1)", "lost 3(2)", "ended 1(0)", "delivered 4(1)", "lost 5(1)", "ended 2(0)",
            "delivered 6(1)"),
            accounts);
        assertEquals(2, sinks.staleCount());
    }

    @Test
    void shouldRefuseUnknownNamesAndOldEpochs()
    {
        assertThrows(DeviceException.class, () -> sinks.open(OWNER, NUMBER, 1, "other"));
        open(1);
        open(2);
        assertThrows(IllegalArgumentException.class, () -> open(1));
    }

    @Test
    void shouldAccountForAnItemOnWhichTheHandlerThrowsAnError()
    {
        final int slot = open(1);
        for (int i = 1; i <= 16; i++)
        {
            item(slot, i);
        }
        sinks.step();

        assertEquals(List.of("delivered 12(12)", "failed 13(1)sink: java.lang.IllegalStateException: unlucky",
            "delivered 14(1)", "failed 15(1)sink: java.lang.AssertionError: broken", "delivered 16(1)"), accounts);
    }

    /** An owner that has waited for an answer asks again. */
    @Test
    void shouldAnswerARepeatedRequestWithTheSameSlot()
    {
        final int first = open(1);
        final int second = open(2);
        assertEquals(second, open(2));
        item(second, 1);
        marker(first, 0);
        sinks.step();

        assertEquals(List.of(1L), items);
        assertEquals(List.of("ended 1(0)", "delivered 1(1)"), accounts);
    }
}
