// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import org.grim.EndpointId;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.HandlerId;
import org.grim.SendStatus;
import org.grim.board.counters.NiCounterKind;
import org.grim.counters.CountersView;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

/** Three nodes, two of them on one host: shared memory between those, interfaces to the third, one loop for all. */
@Timeout(180)
final class MixedClusterTest
{
    private static final int MESSAGE_COUNT = 2_000;
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(60);

    @TempDir
    private Path directory;

    @Test
    void shouldTakeSharedMemoryOnOneHostAndNetworkInterfacesBetweenHosts()
    {
        try (Grim first = open("first", "a"); Grim second = open("second", "a"); Grim third = open("third", "b"))
        {
            final List<Grim> nodes = List.of(first, second, third);
            final int[][] next = new int[nodes.size()][nodes.size()];
            for (int i = 0; i < nodes.size(); i++)
            {
                final int[] nextHere = next[i];
                nodes.get(i).handlers().register("count", message ->
                    assertEquals(nextHere[message.source().node()]++, message.argument(0)));
            }
            await(nodes, () -> nodes.stream().allMatch((node) -> node.handlers().tryResolve("count") != null),
                "handlers");
            final long[] before = nodes.stream().mapToLong(this::delivered).toArray();

            exchange(nodes, List.of(first, second), next);
            final long[] afterLocal = nodes.stream().mapToLong(this::delivered).toArray();
            exchange(nodes, List.of(second, third), next);
            exchange(nodes, List.of(third, first), next);

            // Besides, the nodes tell each other the names of handlers, a few messages at a time.
            assertTrue(afterLocal[0] - before[0] < MESSAGE_COUNT / 2, "first: " + before[0] + ", " + afterLocal[0]);
            assertTrue(afterLocal[1] - before[1] < MESSAGE_COUNT / 2, "second: " + before[1] + ", " + afterLocal[1]);
            await(nodes, () -> delivered(third) - afterLocal[2] >= 2 * MESSAGE_COUNT, "the third board's count");
            await(nodes, () -> delivered(first) - afterLocal[0] >= MESSAGE_COUNT, "the first board's count");
            await(nodes, () -> delivered(second) - afterLocal[1] >= MESSAGE_COUNT, "the second board's count");
        }
    }

    private Grim open(final String name, final String host)
    {
        return Grim.enable(GrimConfig.builder().directory(directory).nodeName(name).transports("shmem", "myrinet")
            .set("grim.node.host", host)
            .set("grim.myrinet.firmware", "duty-cycle")
            .set("grim.myrinet.registered-length", 0)
            .build());
    }

    private static void exchange(final List<Grim> nodes, final List<Grim> pair, final int[][] next)
    {
        final Grim near = pair.get(0);
        final Grim far = pair.get(1);
        final int nearNumber = near.node().number();
        final int farNumber = far.node().number();
        final HandlerId count = near.handlers().tryResolve("count");
        for (int i = 0; i < MESSAGE_COUNT; i++)
        {
            final int sequence = i;
            await(nodes, () -> send(near, farNumber, count, sequence), "room at the near node");
            await(nodes, () -> send(far, nearNumber, count, sequence), "room at the far node");
        }
        await(nodes, () -> next[farNumber][nearNumber] == MESSAGE_COUNT && next[nearNumber][farNumber] == MESSAGE_COUNT,
            "all messages");
    }

    private static boolean send(final Grim from, final int to, final HandlerId handler, final int sequence)
    {
        return from.endpoint().link(EndpointId.of(to, 0, 0)).send(handler, sequence, 0, 0, 0) ==
            SendStatus.SENT;
    }

    private static void await(final List<Grim> nodes, final BooleanSupplier isSo, final String what)
    {
        final long deadlineNs = System.nanoTime() + DEADLINE_NS;
        while (!isSo.getAsBoolean())
        {
            nodes.forEach(node -> node.endpoint().poll());
            if (System.nanoTime() - deadlineNs > 0)
            {
                fail("waited in vain: " + what);
            }
        }
    }

    /** Messages that the node's board handed to it; the board copies its counts from time to time. */
    private long delivered(final Grim grim)
    {
        final Path file = directory.resolve("default").resolve(
            "node-" + grim.node().number() + "-" + grim.node().incarnation() + ".ni");
        try (CountersView view = new CountersView(file, NiCounterKind.values()))
        {
            return view.readings().stream().filter((reading) -> reading.kind() == NiCounterKind.DELIVERED)
                .mapToLong(CountersView.Reading::value).sum();
        }
    }
}
