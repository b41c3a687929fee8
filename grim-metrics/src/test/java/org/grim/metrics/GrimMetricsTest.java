// SPDX-License-Identifier: Apache-2.0
package org.grim.metrics;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.HandlerId;
import org.grim.Link;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import io.micrometer.core.instrument.Tag;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A scrape of a loaded pair. */
@Timeout(180)
final class GrimMetricsTest
{
    private static final int BURST = 1_000;
    private static final long TIMEOUT_NS = TimeUnit.MINUTES.toNanos(1);

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    @TempDir
    private Path directory;

    @Test
    void shouldShowRateBackPressureBacklogAndDeaths()
    {
        final Grim near = join("near");
        final Grim far = join("far");
        new GrimMetrics(near, Tag.of("application", "test")).bindTo(registry);
        final HandlerId sink = HandlerId.of(1_000);             // The far node never polls for it.
        final Link[] toFar = new Link[1];
        near.handlers().register("burst", message ->
        {
            for (int i = 0; i < BURST; i++)
            {
                toFar[0].send(sink, 1, 2, 3, 4);
            }
        });
        near.startPolling();
        near.start();
        CompletableFuture.runAsync(() -> toFar[0] = near.endpoint().link(far.node().endpoint()), near::execute).join();
        final HandlerId burst = far.handlers().resolve("burst");
        far.endpoint().link(near.node().endpoint()).send(burst, 0, 0, 0, 0);

        await(() -> value("grim_overflow_depth", "channel=\"0\"") > 0);
        await(() -> value("grim_messages_sent_total", "channel=\"0\"") >= BURST);
        await(() -> value("grim_back_pressured_total", "channel=\"0\"") > 0);
        await(() -> value("grim_overflow_length", "channel=\"0\"") > 0);
        assertEquals(2, value("grim_nodes", "application=\"test\""));
        await(() -> value("grim_status", "node=\"near\"") == 2);           // Its thread may just have been late.
        assertEquals(0, value("grim_rejected_total", "reason=\"UNKNOWN_HANDLER\""));
        assertEquals(0, value("grim_messages_sent_total", "channel=\"shared\""));

        far.close();
        await(() -> value("grim_nodes_gone_total", "node=\"near\"") == 1);
        await(() -> value("grim_undelivered_total", "channel=\"0\"") > 0);
        near.close();

        assertEquals(0, value("grim_status", "node=\"near\""));
        assertEquals(1, value("grim_nodes_gone_total", "node=\"near\""));
    }

    private Grim join(final String name)
    {
        return Grim.enable(GrimConfig.builder().directory(directory).nodeName(name).transports("shmem")
            .set("grim.queue.slot-count", 64).set("grim.queue.ring-length", 4096)
            .set("grim.handlers.resolve-timeout", Duration.ofMinutes(1).toSeconds() + "s").build());
    }

    private void await(final BooleanSupplier isSo)
    {
        final long deadlineNs = System.nanoTime() + TIMEOUT_NS;
        while (!isSo.getAsBoolean())
        {
            assertTrue(System.nanoTime() - deadlineNs < 0, registry::scrape);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    /** Of the one line that has this name and tag. */
    private double value(final String name, final String tag)
    {
        final Matcher line = Pattern.compile("(?m)^" + name + "\\{[^}]*" + Pattern.quote(tag) + "[^}]*} (\\S+)$")
            .matcher(registry.scrape());
        assertTrue(line.find(), () -> name + " " + tag + " is not in " + registry.scrape());
        return Double.parseDouble(line.group(1));
    }
}
