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
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The frame with two kernels in two images, and room for one of them. */
final class FrameMachineTest
{
    private static final int OWNER = 0x1100;
    private static final int LOAD_NS = 100;
    private static final byte[] PAYLOAD = {1, 2};

    private final List<String> sent = new ArrayList<>();
    private final SimulatedAccelerator device = new SimulatedAccelerator(2, 1, 8,
        (endpoint, handler, a0, a1, a2, payload) ->
        {
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
