// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.grim.EndpointId;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.SendStatus;
import org.grim.SharedLink;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Links whose memory cannot be written any more when they end, and shared ones that another thread is in. */
final class LinkEndsTest
{
    private final ScriptedEndpoint scripted = new ScriptedEndpoint("1MiB");

    @Test
    void shouldEndAllLinksWhenSomeFail()
    {
        final EndpointId other = EndpointId.of(scripted.destination.node(), 0, 1);
        final List<SharedLink> shared = List.of(
            scripted.endpoint.sharedLink(scripted.destination), scripted.endpoint.sharedLink(other));
        scripted.endpoint.link(scripted.destination);
        scripted.endpoint.link(other);
        scripted.hop.closeFailure = new InternalError("thrown by the hop of a test");

        final GrimException failure = assertThrows(GrimException.class, scripted::close);

        assertEquals(4, scripted.hop.closeCount);
        assertTrue(failure.getMessage().contains("truncated: thrown by the hop of a test"), failure.getMessage());
        for (final SharedLink link : shared)
        {
            assertEquals(SendStatus.CLOSED, link.send(HandlerId.of(16), "late"));
        }
    }

    @Test
    void shouldSayThatAnotherThreadIsInsideASharedLink()
    {
        final SharedLink link = scripted.endpoint.sharedLink(scripted.destination);
        final List<SendStatus> found = new ArrayList<>();
        scripted.hop.duringSend = () -> found.add(
            CompletableFuture.supplyAsync(() -> link.send(HandlerId.of(16), "second")).join());

        assertEquals(SendStatus.SENT, link.send(HandlerId.of(16), "first"));

        assertEquals(List.of(SendStatus.BUSY), found);
        assertEquals(1, scripted.hop.taken.size());
    }
}
