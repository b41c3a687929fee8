// SPDX-License-Identifier: Apache-2.0
package org.grim.device;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.grim.DeviceInfo;
import org.grim.DeviceSpec;

import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigValueFactory;

/**
 * The handlers of every device. They answer in each state, also endpoints that a reservation excludes; only a reset
 * minds it.
 * <p>Thread: the runner's.
 */
final class BuiltInHandlers
{
    static final String REFUSED = "device.refused";
    private static final int LEASE_MS_MAX = (int)TimeUnit.HOURS.toMillis(1);

    private final DeviceRunner runner;
    private final DeviceSpec spec;
    private final Reservation reservation;
    private final KeptRequests requests;
    private long refusedByOthersCount;

    BuiltInHandlers(
        final DeviceRunner runner, final DeviceSpec spec, final Reservation reservation, final KeptRequests requests)
    {
        this.runner = runner;
        this.spec = spec;
        this.reservation = reservation;
        this.requests = requests;
    }

    void register()
    {
        runner.register("device.describe", request -> request.answer(describe()));
        runner.register("device.status", request -> request.answer(status()));
        runner.register("device.reset", this::reset);
        runner.register("device.reserve", this::reserve);
        runner.register("device.release", request ->
            reservation.release(request.source(), request.argument(0), runner.nowNs()));
        runner.register(REFUSED, request -> refusedByOthersCount++);
    }

    private void reset(final DeviceRequest request)
    {
        reservation.requireFree(request.source(), runner.nowNs());
        runner.onReset(request);
    }

    private void reserve(final DeviceRequest request)
    {
        final int leaseMs = request.argument(0);
        if (leaseMs < 1 || leaseMs > LEASE_MS_MAX)
        {
            throw new IllegalArgumentException("lease=" + leaseMs + " ms is outside 1 to " + LEASE_MS_MAX);
        }
        final int number = reservation.reserve(request.source(), runner.incarnation(request.source()),
            TimeUnit.MILLISECONDS.toNanos(leaseMs), runner.nowNs());
        request.answer(number, leaseMs, null, 0, 0);
    }

    private String describe()
    {
        final DeviceInfo info = runner.device().info();
        final Map<String, Object> values = new LinkedHashMap<>();
        values.put("kind", spec.kind().label());
        values.put("name", runner.description().name());
        values.put("version", runner.description().version());
        values.put("endpoint", info.endpoint().toString());
        values.put("channels", info.channelCount());
        values.put("queue-length", DeviceRunner.QUEUE_LENGTH);
        final Map<String, Object> handlers = new LinkedHashMap<>();
        runner.handlers().forEach((name, handler) -> handlers.put(name, handler.arguments()));
        values.put("handlers", handlers);
        final List<Map<String, Object>> memory = runner.regions().stream().map(region -> Map.<String, Object>of(
            "length", region.length(), "rights", region.rights().name())).toList();
        values.put("memory", memory);
        values.put("limits", runner.description().limits());
        return text(values);
    }

    private String status()
    {
        final Map<String, Object> values = new LinkedHashMap<>();
        values.put("state", runner.state().name().toLowerCase(Locale.ROOT));
        final String failure = runner.failure();
        if (failure != null)
        {
            values.put("failure", failure);
        }
        values.put("waiting", requests.count());
        values.put("answered", requests.answeredCount());
        values.put("refused", requests.refusedCount());
        values.put("lost", requests.lostCount());
        values.put("refused-by-others", refusedByOthersCount);
        final long nowNs = runner.nowNs();
        if (reservation.isHeld(nowNs))
        {
            values.put("holder", reservation.holder().toString());
            values.put("remaining-ms", reservation.remainingMs(nowNs));
        }
        return text(values);
    }

    private static String text(final Map<String, Object> values)
    {
        return ConfigValueFactory.fromMap(values).render(
            ConfigRenderOptions.defaults().setOriginComments(false).setJson(false));
    }
}
