// SPDX-License-Identifier: Apache-2.0
package org.grim.example;

import java.nio.file.Path;
import java.time.Duration;

import org.agrona.concurrent.IdleStrategy;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.HandlerId;
import org.grim.Link;

/**
 * Two nodes of one process over a transport that is not GRIM's: {@code rings}, over Agrona's ring buffers, is 400 lines
 * in {@code org.example.rings} of grim-embedding-tests. Applications only name it.
 */
public final class OwnTransport
{
    private int heard;

    /** Sends from one node to the other. */
    public static void main(final String[] args)
    {
        new OwnTransport().run(GrimConfig.load().clusterDirectory().getParent());
    }

    private void run(final Path directory)
    {
        try (Grim metz = Grim.enable(config("metz", directory)); Grim nancy = Grim.enable(config("nancy", directory)))
        {
            final HandlerId print = nancy.handlers().register("print", message ->
            {
                heard++;
                System.out.println("nancy hears: " + message.text());
            });
            metz.start();
            nancy.start();
            final Link link = metz.endpoint().link(metz.awaitNode("nancy", Duration.ofSeconds(10)));
            System.out.println("transports: " + metz.node().transports());
            final IdleStrategy idle = metz.endpoint().idleStrategy();
            while (!link.send(print, "hello over rings").isAccepted())
            {
                idle.idle(metz.endpoint().poll());
            }
            while (heard == 0)
            {
                idle.idle(metz.endpoint().poll() + nancy.endpoint().poll());
            }
        }
    }

    private static GrimConfig config(final String node, final Path directory)
    {
        return GrimConfig.load().toBuilder().nodeName(node).directory(directory).transports("rings").build();
    }
}
