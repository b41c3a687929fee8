// SPDX-License-Identifier: Apache-2.0
package org.grim.counters;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.NodeInfo;
import org.grim.Reply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Events as a recording has them; the process test has those of a death. */
final class FlightEventsTest
{
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    @TempDir
    private Path directory;

    @Test
    void shouldRecordWhatANodeMeets() throws IOException
    {
        final Map<String, List<RecordedEvent>> events = record(() ->
        {
            try (Grim grim = Grim.enable(GrimConfig.builder().clusterName("vosges").nodeName("metz").transports("null")
                .set("grim.handlers.resolve-timeout", "60s").build()))
            {
                final HandlerId failing = grim.handlers().register("failing", message ->
                {
                    throw new IllegalStateException("no such price");
                });
                final HandlerId silent = grim.handlers().register("silent", message ->
                {
                    // Never answers.
                });
                grim.start();
                final Link link = grim.endpoint().link(grim.node().endpoint());
                link.send(failing, "x");
                grim.endpoint().poll();
                final Reply reply = grim.endpoint().newReply(null);
                link.request(silent, "x", Duration.ofMillis(1), reply);
                assertEquals(Reply.Outcome.TIMED_OUT, reply.await().outcome());
            }
        });

        assertEquals("vosges metz null", text(events, "grim.NodeJoined", "cluster", "node", "transports"));
        assertEquals("java.lang.IllegalStateException: no such price", text(events, "grim.HandlerError", "error"));
        assertTrue(text(events, "grim.HandlerError", "handler").contains("failing"));
        assertTrue(events.get("grim.RequestTimedOut").get(0).getDuration("waited").toMillis() >= 1);
    }

    @Test
    void shouldRecordDeathsAndLostPaths() throws IOException
    {
        final NodeInfo node =
            new NodeInfo(3, "nancy", NodeInfo.State.GONE, 7, 1, 1, List.of("null"), List.of(), 0, "local",
            NodeInfo.GoneReason.DIED);

        final Map<String, List<RecordedEvent>> events = record(() ->
        {
            FlightEvents.gone(false, 1, node, 2, 4);
            FlightEvents.gone(true, 1, node, 5, 6);
        });

        assertEquals("1 nancy 3 7 DIED 2 4", text(events, "grim.NodeGone", "noticedBy", "node", "number",
            "incarnation", "reason", "undelivered", "unknown"));
        assertEquals("5 6", text(events, "grim.PathLost", "undelivered", "unknown"));
    }

    @Test
    void shouldRecordAStallOnceFromItsFirstRefusalOn() throws IOException
    {
        final ChannelCounters counters = NodeCounters.inPrivateMemory(1).channel(0);
        final StallWatch watch = new StallWatch(counters, 1, 0);

        final Map<String, List<RecordedEvent>> events = record(() ->
        {
            counters.sent(10);
            counters.backPressured();           // Something was accepted meanwhile.
            watch.look(0);
            counters.backPressured();
            watch.look(1);
            counters.backPressured();
            watch.look(2);
            counters.sent(10);
            watch.look(3);                      // The first stall ends.
            watch.look(4);
            counters.backPressured();
            watch.look(5);
            watch.look(5 + PAUSE_NS);
            watch.look(6 + PAUSE_NS);          // The second one ends: nobody tries any more.
            counters.backPressured();
            watch.look(7 + PAUSE_NS);
            counters.backPressured();
            counters.backPressured();
            watch.end();                        // The third one ends with its channel.
            watch.end();
        });

        assertEquals(List.of(2L, 1L, 3L),
            events.get("grim.BackPressure").stream().map(event -> event.getLong("refused")).toList());
        assertEquals("1 0", text(events, "grim.BackPressure", "number", "channel"));
    }

    private Map<String, List<RecordedEvent>> record(final Runnable action) throws IOException
    {
        final Path file = directory.resolve("events.jfr");
        try (Recording recording = new Recording())
        {
            recording.enable("grim.BackPressure").withoutThreshold();
            recording.start();
            action.run();
            recording.stop();
            recording.dump(file);
        }
        return RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.getEventType().getName().startsWith("grim."))
            .collect(Collectors.groupingBy(event -> event.getEventType().getName()));
    }

    private static String text(
        final Map<String, List<RecordedEvent>> events, final String type, final String... fields)
    {
        final RecordedEvent event = events.get(type).get(0);
        return List.of(fields).stream().map(field -> event.getValue(field).toString()).collect(Collectors.joining(" "));
    }
}
