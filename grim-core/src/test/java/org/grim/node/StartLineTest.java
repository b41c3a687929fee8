// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.util.function.Supplier;

import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.Logged;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A start is one line, with what a newcomer has to know. */
final class StartLineTest
{
    @Test
    void shouldNameClusterAndNodeInOneLine()
    {
        final String log = logOf(() -> Grim.enable("vosges", "metz"));

        assertEquals(1, Logged.count(log, "joined cluster="), log);
        assertTrue(log.contains("joined cluster=vosges directory=none node=metz number=0 incarnation="), log);
        assertTrue(log.contains(" transports=[null] version=" + LibraryVersion.TEXT), log);
        assertTrue(LibraryVersion.TEXT.matches("[0-9]+[.][0-9]+[.][0-9]+.*"), LibraryVersion.TEXT);
    }

    @Test
    void shouldSayThatTheClusterHasTheNameOfAllThatHaveNone()
    {
        final String log = logOf(() -> Grim.enable("metz"));

        assertTrue(log.contains("joined cluster=default (as every node without grim.cluster.name) "), log);
    }

    @Test
    void shouldWarnThatNoOtherNodeIsReachedUnlessThatIsMeant()
    {
        final String found = logOf(() -> Grim.enable("vosges", "metz"));
        final String meant = logOf(() -> Grim.enable(GrimConfig.builder().nodeName("metz").transports("null").build()));

        assertEquals(1, Logged.count(found, "node=metz reaches no other node: transports=[null]"), found);
        assertEquals(0, Logged.count(meant, "reaches no other node"), meant);
    }

    private static String logOf(final Supplier<Grim> join)
    {
        return Logged.by(() ->
        {
            try (Grim grim = join.get())
            {
                grim.endpoint().poll();
            }
        });
    }
}
