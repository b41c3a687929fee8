// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.RemoteRefusal;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.transport.MemoryHop;

import static org.junit.jupiter.api.Assertions.fail;

/** Two nodes whose boards are stepped by the test, and the outcomes of the near one's operations. */
final class MemoryCluster implements AutoCloseable
{
    static final int READ = 1;
    static final int WRITE = 2;
    static final int BOTH = 3;

    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(60);

    final MemoryNode near;
    final MemoryNode far;
    final MemoryHop hop;
    final MemoryNode.Connection connection;
    final AtomicBuffer payload = Buffers.allocate(64 << 10);
    final List<String> outcomes = new ArrayList<>();
    private final List<MemoryNode> stepped;

    MemoryCluster(final Path directory, final Map<String, Object> settings)
    {
        this(new MemoryNode(directory, "near", settings), new MemoryNode(directory, "far", settings));
    }

    MemoryCluster(final MemoryNode near, final MemoryNode far)
    {
        this.near = near;
        this.far = far;
        stepped = new ArrayList<>(List.of(near, far));
        await(() -> near.transport.reaches(far.number()), "the far node");
        connection = near.connect(far);
        hop = connection.memoryHop();
        for (int i = 0; i < payload.capacity(); i++)
        {
            payload.putByte(i, (byte)(i * 31 + i / 256));
        }
    }

    void step()
    {
        stepped.forEach(MemoryNode::step);
    }

    /** The far node is not stepped any more. */
    void stopFar()
    {
        stepped.remove(far);
    }

    void write(final boolean isPhysical, final long address, final int length, final long word, final int value)
    {
        write(isPhysical, address, 0, length, word, value, 7);
    }

    void write(
        final boolean isPhysical, final long address, final int offset, final int length, final long word,
        final int value, final int ticket)
    {
        await(() -> hop.tryWrite(isPhysical, address, payload, offset, length, word, value, ticket) ==
            SendStatus.SENT, "room for a write");
    }

    void read(final long address, final long target, final int length, final long word, final int value)
    {
        await(() -> hop.tryRead(address, target, length, word, value, 8) == SendStatus.SENT, "room for a read");
    }

    /** Lets everything end that is under way. */
    void settle()
    {
        await(() -> near.transport.sessionForTest().unsettledCount() == 0 &&
            far.transport.sessionForTest().unsettledCount() == 0, "what is under way");
        drain();
    }

    int drain()
    {
        return hop.drainRefusals(this::onOutcome);
    }

    void onOutcome(final int ticket, final long address, final int length, final RemoteRefusal reason)
    {
        outcomes.add(ticket + " " + length + " " + reason);
    }

    void await(final BooleanSupplier isSo, final String what)
    {
        final long deadlineNs = System.nanoTime() + DEADLINE_NS;
        while (!isSo.getAsBoolean())
        {
            step();
            if (System.nanoTime() - deadlineNs > 0)
            {
                fail("waited in vain: " + what + "; outcomes " + outcomes);
            }
        }
    }

    /** Whether the far memory has the payload's bytes from an offset on. */
    boolean hasPayload(final AtomicBuffer memory, final int index, final int offset, final int length)
    {
        for (int i = 0; i < length; i++)
        {
            if (memory.getByte(index + i) != payload.getByte(offset + i))
            {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close()
    {
        near.close();
        far.close();
    }
}
