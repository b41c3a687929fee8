// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.util.ArrayList;
import java.util.List;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.SendStatus;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The frame with two kernels in two images, and room for one of them. */
final class FrameMachineTest
{
    private static final int OWNER = 0x1100;
    private static final int LOAD_NS = 100;
    private static final byte[] PAYLOAD = {1, 2};

    private final List<String> sent = new ArrayList<>();
    private boolean isFull;
    private final SimulatedAccelerator device = new SimulatedAccelerator(2, 1, 8,
        (endpoint, handler, a0, a1, a2, payload) ->
        {
            if (isFull)
            {
                return SendStatus.BACK_PRESSURED;
            }
            sent.add(a1 + (ItemFormat.isFailed(a0) ? " failed " + new String(payload, UTF_8) : " " + payload.length));
            return SendStatus.SENT;
        });
    private long nowNs;

    private int set(final int stream, final int kernel)
    {
        final UnsafeBuffer payload = new UnsafeBuffer(new byte[FrameEntry.LENGTH]);
        new FrameEntry(OWNER, 1, stream, 1, 0, SimulatedAccelerator.handler(kernel), 7, 300, 0, 0, 4, 64,
            PageOperands.NONE)
            .writeTo(payload);
        return device.set(OWNER, 1, payload.byteArray());
    }

    private void item(final int slotAndChannel, final int kernel, final int sequence)
    {
        device.onItem(slotAndChannel >>> 16, SimulatedAccelerator.handler(kernel), ItemFormat.slot(slotAndChannel),
            sequence, 0, PAYLOAD);
    }

    private void steps(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            nowNs++;
            device.step(nowNs);
        }
    }

    @Test
    void shouldDropItemsOfAnotherKernelAndOfAnEarlierUse()
    {
        final int slot = set(1, 0);

        item(slot, 1, 1);
        item(slot + (1 << 8), 0, 2);
        item(slot, 0, 3);
        steps(10);

        assertEquals(List.of("3 3"), sent);
    }

    @Test
    void shouldFailItemsWhoseImageCannotBeLoaded()
    {
        device.loads(LOAD_NS, true);
        final int slot = set(1, 0);

        item(slot, 0, 1);
        item(slot, 0, 2);
        steps(2 * LOAD_NS);

        assertEquals(List.of("1 failed stream.no-kernel: broken on purpose",
            "2 failed stream.no-kernel: broken on purpose"), sent);
    }

    @Test
    void shouldPauseOnlyTheChannelOfAFaultAndEvictAfterTheResidence()
    {
        device.loads(LOAD_NS, false);
        final int first = set(1, 0);
        final int second = set(2, 1);
        item(first, 0, 1);
        steps(2 * LOAD_NS);

        item(second, 1, 2);
        steps(LOAD_NS);
        item(first, 0, 3);
        steps(LOAD_NS);

        assertEquals(List.of("1 3", "3 3"), sent);
        assertTrue(device.isPaused(second >>> 16));
        assertFalse(device.isPaused(first >>> 16));
        steps(ImageSlot.RESIDENCE_FACTOR * LOAD_NS);
        assertEquals(List.of("1 3", "3 3", "2 3"), sent);
        assertFalse(device.isPaused(second >>> 16));
        assertEquals(1, device.evictionCount());
    }

    @Test
    void shouldSayWhatTheFirstItemsWaitFor()
    {
        assertEquals("", device.waits(nowNs));
        device.loads(LOAD_NS * 1_000_000L, false);
        final int first = set(1, 0);
        steps(10);
        final int second = set(2, 1);
        final int third = set(3, 0);
        assertEquals(first >>> 16, third >>> 16, "two channels are for items");
        item(first, 0, 5);
        item(third, 0, 1);
        item(third, 0, 2);
        item(second, 1, 7);
        steps(10);

        final String text = device.waits(nowNs + 3_000_000L);

        assertEquals(List.of(
            new ItemWait(1, OWNER, 1, 5, "k0", 3, ItemWait.Kind.IMAGE, 0, 3, "image image of k0 is loading"),
            new ItemWait(2, OWNER, 2, 7, "k1", 1, ItemWait.Kind.IMAGE, 0, 3,
                "image image of k1 waits for its turn behind image image of k0, which is loading")),
            ItemWait.parse(text));
        assertEquals(List.of(new ItemWait.Behind(1, OWNER, 3)), ItemWait.parseBehind(text));
        assertThrows(IllegalArgumentException.class, () -> ItemWait.parse("wait\t1\n"));

        isFull = true;
        nowNs += LOAD_NS * 2_000_000L;
        steps(10);
        assertEquals(new ItemWait(1, OWNER, 1, 5, "k0", 3, ItemWait.Kind.NEXT, 7, -1, "the next stage has no room"),
            ItemWait.parse(device.waits(nowNs)).get(0));
        isFull = false;
        steps(3);
        assertEquals(List.of("5 3", "1 3", "2 3"), sent.subList(0, 3));
    }

    @Test
    void shouldRunWhatWaitsForAnImageBeforeItIsEvicted()
    {
        device.loads(LOAD_NS, false);
        final int first = set(1, 0);
        final int second = set(2, 1);
        final List<String> expected = new ArrayList<>(List.of("1 3"));
        item(first, 0, 1);
        while (sent.isEmpty())
        {
            steps(1);
        }
        item(second, 1, 42);
        steps(ImageSlot.RESIDENCE_FACTOR * LOAD_NS - 1);

        for (int i = 2; i <= 41; i++)
        {
            item(first, 0, i);
            expected.add(i + " 3");
        }
        steps(2 * LOAD_NS);

        expected.add("42 3");
        assertEquals(expected, sent);
        assertEquals(1, device.evictionCount());
    }
}
