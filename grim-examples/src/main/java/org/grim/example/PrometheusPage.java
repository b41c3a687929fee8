// SPDX-License-Identifier: Apache-2.0
package org.grim.example;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.agrona.concurrent.IdleStrategy;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.metrics.GrimMetrics;

import com.sun.net.httpserver.HttpServer;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Metrics: node-1 sends more work than node-0 takes, and shows Prometheus rates, back pressure, backlog and deaths. */
public final class PrometheusPage
{
    private static final int BURST = 10_000;
    private static final long LINGER_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private long doneCount;
    private boolean isWorkerGone;

    /** Works as the first node, serves the page as the other one: at a PORT, for SECONDS. */
    public static void main(final String[] args) throws IOException
    {
        try (Grim grim = Grim.enable(GrimConfig.load()))
        {
            if (grim.node().name().equals("node-0"))
            {
                new PrometheusPage().work(grim, args.length < 2 ? 10 : Integer.parseInt(args[1]));
            }
            else
            {
                new PrometheusPage().serve(grim, args.length == 0 ? 9_400 : Integer.parseInt(args[0]));
            }
        }
    }

    /** Asks for a burst of work whenever the last one is done, slowly. */
    private void work(final Grim grim, final int seconds)
    {
        grim.handlers().register("work", message -> doneCount++);
        grim.start();
        final Link server = grim.endpoint().link(grim.awaitNode("node-1", Duration.ofSeconds(30)));
        final HandlerId more = grim.handlers().resolve("more");
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        long askedCount = 0;
        while (System.nanoTime() - endNs < 0)
        {
            if (doneCount >= askedCount && server.send(more, 0, 0, 0, 0).isAccepted())
            {
                askedCount += BURST;
            }
            grim.endpoint().poll(100);
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    private void serve(final Grim grim, final int port) throws IOException
    {
        final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        new GrimMetrics(grim).bindTo(registry);
        final HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/metrics", exchange ->
        {
            final byte[] page = registry.scrape().getBytes(UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
            exchange.sendResponseHeaders(200, page.length);
            try (OutputStream body = exchange.getResponseBody())
            {
                body.write(page);
            }
        });
        server.start();
        try
        {
            System.out.println("http://127.0.0.1:" + port + "/metrics");
            send(grim);
            System.out.println("the worker is gone");
        }
        finally
        {
            server.stop(0);
        }
    }

    private void send(final Grim grim)
    {
        final HandlerId work = grim.handlers().id("work");
        grim.handlers().register("more", message ->
        {
            final Link worker = grim.endpoint().link(message.source());
            for (int i = 0; i < BURST; i++)
            {
                worker.send(work, i, 0, 0, 0);                  // Without room it waits in the overflow queue.
            }
        });
        grim.endpoint().onNodeGone((node, undelivered, unknown) -> isWorkerGone = true);
        grim.start();
        final IdleStrategy idle = grim.endpoint().idleStrategy();
        long endNs = System.nanoTime() + LINGER_NS;
        while (!isWorkerGone || System.nanoTime() - endNs < 0)
        {
            endNs = isWorkerGone ? endNs : System.nanoTime() + LINGER_NS;
            idle.idle(grim.endpoint().poll());
        }
    }
}
