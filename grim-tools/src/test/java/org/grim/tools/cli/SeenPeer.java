// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;

import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.Reply;
import org.grim.SendStatus;

/**
 * A node in a process of its own that sends to another one, which does not poll, until that one dies; then it polls
 * until something comes on standard input.
 */
public final class SeenPeer
{
    private static final String SINK = "sink";
    private static final String VICTIM = "victim";
    private static final String ALONE = "alone";
    private static final long REFUSED_MS_MIN = 100;
    /** A stall that nobody goes on with is recorded within that. */
    private static final Duration STALL_TIME = Duration.ofSeconds(2);
    private static final Duration POLL_TIME = Duration.ofMillis(50);

    private SeenPeer()
    {
    }

    /**
     * Joins and plays its part; prints a line when it is ready.
     *
     * @param args directory and name: victim, alone (meets an error and a time-out, and ends), or another one.
     * @throws IOException if the parent's pipes break.
     */
    public static void main(final String[] args) throws IOException
    {
        final PrintStream output = System.out;
        try (Grim grim = Grim.enable(GrimConfig.builder().directory(Path.of(args[0])).clusterName("seen")
            .nodeName(args[1]).set("grim.node.mxbean", true).build()))
        {
            final HandlerId sink = grim.handlers().register(SINK, message ->
            {
                // Nothing: the victim never polls.
            });
            grim.start();
            if (VICTIM.equals(args[1]))
            {
                output.println("ready");
                output.flush();
                System.in.read();
                return;
            }
            if (ALONE.equals(args[1]))
            {
                meetTrouble(grim, sink);
                return;
            }
            send(grim, sink, output);
            pollUntilAsked(grim);
            output.println("gone");
            output.flush();
        }
    }

    private static void meetTrouble(final Grim grim, final HandlerId sink)
    {
        final HandlerId failing = grim.handlers().register("failing", message ->
        {
            throw new IllegalStateException("no such price");
        });
        grim.start();
        final Link link = grim.endpoint().link(grim.node().endpoint());
        link.send(failing, "x");
        final Reply reply = grim.endpoint().newReply();
        link.request(sink, "x", Duration.ofMillis(1), reply);
        reply.await();
    }

    private static void send(final Grim grim, final HandlerId sink, final PrintStream output)
    {
        final Link link = grim.endpoint().link(grim.awaitNode(VICTIM, Duration.ofMinutes(1)));
        long firstMs = 0;
        boolean isReady = false;
        SendStatus status = SendStatus.SENT;
        while (status != SendStatus.PEER_GONE)
        {
            status = link.send(sink, 1, 2, 3, 4);
            final long nowMs = System.currentTimeMillis();
            firstMs = status == SendStatus.BACK_PRESSURED && firstMs == 0 ? nowMs : firstMs;
            if (!isReady && firstMs != 0 && nowMs - firstMs > REFUSED_MS_MIN)
            {
                isReady = true;
                output.println("refused");
                output.flush();
            }
            grim.endpoint().poll();
        }
    }

    /** Notices the death, and is there for others to look at; then the stall ends. */
    private static void pollUntilAsked(final Grim grim) throws IOException
    {
        while (System.in.available() == 0)
        {
            grim.run(POLL_TIME);
        }
        grim.run(STALL_TIME);
    }
}
