// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.agrona.concurrent.YieldingIdleStrategy;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.HandlerId;
import org.grim.NodeInfo;
import org.grim.SendStatus;
import org.grim.buffer.Uninterrupted;

/** A program as a launcher starts it: all greet all, and each says how many greeted it. */
public final class RankedNode
{
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long IDLE_NS = TimeUnit.MICROSECONDS.toNanos(100);

    private static int greetingCount;

    private RankedNode()
    {
    }

    public static void main(final String[] args)
    {
        try (Grim grim = Grim.enable(GrimConfig.load()))
        {
            final HandlerId greet = grim.handlers().register("greet", message -> greetingCount++);
            grim.start();
            final List<NodeInfo> nodes = grim.awaitNodes(PATIENCE);
            for (final NodeInfo node : nodes)
            {
                if (node.number() != grim.node().number())
                {
                    greet(grim, greet, node);
                }
            }
            final long startNs = System.nanoTime();
            while (greetingCount < nodes.size() - 1 && System.nanoTime() - startNs < PATIENCE.toNanos())
            {
                if (grim.endpoint().poll() == 0)
                {
                    Uninterrupted.park(IDLE_NS);
                }
            }
            System.out.println(grim.node().name() + " of " + nodes.size() + ": greeted by " + greetingCount +
                (args.length == 0 ? "" : " " + String.join(",", args)));
        }
    }

    private static void greet(final Grim grim, final HandlerId greet, final NodeInfo node)
    {
        final SendStatus status = grim.endpoint().link(grim.locate(node.name()))
            .sendBlocking(greet, 0, 0, 0, 0, null, 0, 0, new YieldingIdleStrategy());
        if (!status.isAccepted())
        {
            throw new IllegalStateException("greeting of " + node + ": " + status);
        }
    }
}
