// SPDX-License-Identifier: Apache-2.0
package org.example.hello;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.MemoryRegion;
import org.grim.NodeInfo;
import org.grim.RemoteLink;

/**
 * A program with two nodes, one of which writes to the other. Arguments: transport, or "default" for those that are
 * opened where none is named, and directory of the cluster.
 */
public final class Hello
{
    private static final long VALUE = 42;
    private static final int TIMEOUT_S = 30;

    private Hello()
    {
    }

    /**
     * Runs it.
     *
     * @param args transport and directory.
     * @throws InterruptedException if the thread is interrupted.
     */
    public static void main(final String[] args) throws InterruptedException
    {
        final CountDownLatch heard = new CountDownLatch(1);
        try (Grim metz = Grim.enable(config("metz", args)); Grim nancy = Grim.enable(config("nancy", args)))
        {
            final MemoryRegion region = metz.endpoint().memory().register(Long.BYTES);
            metz.handlers().register("print", message ->
            {
                System.out.println(message.text() + ", value=" + region.buffer().getLong(0));
                heard.countDown();
            });
            metz.start();
            metz.endpoint().releaseOwnership();
            metz.startPolling();

            final HandlerId print = nancy.handlers().resolve("print");
            final NodeInfo peer = nancy.awaitNode("metz", Duration.ofSeconds(TIMEOUT_S));
            final Link link = nancy.endpoint().link(peer);
            final RemoteLink memory = nancy.endpoint().memory().link(region.remote());
            final UnsafeBuffer value = new UnsafeBuffer(new byte[Long.BYTES]);
            value.putLong(0, VALUE);
            while (!memory.write(region.remote(), 0, value, 0, Long.BYTES).isAccepted())
            {
                nancy.endpoint().poll();
            }
            while (!link.send(print, "hello over " + args[0] + " from " + Grim.class.getModule()).isAccepted())
            {
                nancy.endpoint().poll();
            }
            if (!heard.await(TIMEOUT_S, TimeUnit.SECONDS))
            {
                throw new IllegalStateException("metz heard nothing in " + TIMEOUT_S + " s");
            }
        }
    }

    private static GrimConfig config(final String name, final String[] args)
    {
        final GrimConfig.Builder builder = GrimConfig.builder().nodeName(name).directory(Path.of(args[1]));
        return args[0].equals("default") ? builder.build() : builder.transports(args[0]).build();
    }
}
