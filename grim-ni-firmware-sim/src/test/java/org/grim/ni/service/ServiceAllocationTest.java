// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.service;

import java.nio.file.Path;

import org.grim.Allocation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.grim.board.ChannelRegisters.DELIVERED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Messages through two boards allocate nothing, refused ones neither, once the boards know each other. */
@Timeout(180)
final class ServiceAllocationTest
{
    private static final int WARM_UP_COUNT = 50_000;
    private static final int MESSAGE_COUNT = 50_000;

    @TempDir
    private Path temporary;
    private TestSite near;
    private TestSite far;
    private TestHost sender;
    private TestHost receiver;

    @Test
    void shouldAllocateNothingPerMessage()
    {
        final Path cluster = temporary.resolve("cluster");
        try (DirectoryNode nearNode = new DirectoryNode(cluster, "near");
            DirectoryNode farNode = new DirectoryNode(cluster, "far");
            TestSite nearSite = new TestSite(nearNode);
            TestSite farSite = new TestSite(farNode))
        {
            near = nearSite;
            far = farSite;
            sender = new TestHost(nearNode, near, 0).attach(1);
            receiver = new TestHost(farNode, far, 0).attach(1);
            final long least = Allocation.least(() -> run(WARM_UP_COUNT), () -> run(MESSAGE_COUNT));

            assertEquals(0, least);
            assertTrue(receiver.registers[0].getAcquire(DELIVERED) > WARM_UP_COUNT);
        }
    }

    private void run(final int count)
    {
        int receivedCount = 0;
        for (int round = 0; receivedCount < count; round++)
        {
            sender.send(0, farNumber(), receiver.firstChannel, 1, round, 32);
            near.board.step();
            far.board.step();
            near.board.isBusy();
            if (round % 64 < 32)                // Else its queue fills, and messages are refused.
            {
                receivedCount += receive();
            }
        }
    }

    private int farNumber()
    {
        return far.geometry.niNumber();
    }

    private int receive()
    {
        int count = 0;
        while (receiver.readers[0].hasMessage())
        {
            receiver.readers[0].release();
            count++;
        }
        return count;
    }
}
