// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.util.List;

import org.grim.EndpointId;
import org.grim.GrimException;
import org.grim.SendStatus;
import org.grim.SharedLink;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Links whose memory cannot be written any more when they end. */
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
            assertEquals(SendStatus.CLOSED, link.send(org.grim.HandlerId.of(16), "late"));
        }
    }
}
