// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.util.List;

import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.junit.jupiter.api.Test;

import static org.grim.collective.ScriptedTraffic.SELF;
import static org.grim.collective.ScriptedTraffic.roster;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

final class MulticastsTest
{
    private static final int LENGTH = 8;

    private final ScriptedTraffic scripted = new ScriptedTraffic();
    private final Roster first = roster(1, SELF);
    private final Multicasts multicasts = multicasts();

    @Test
    void shouldSendAgainWhenTheFirstMulticastThrew()
    {
        scripted.hop.connectFailure = new OutOfMemoryError("thrown by the hop of a test");
        assertSame(scripted.hop.connectFailure, assertThrows(OutOfMemoryError.class, () -> send(first)));
        scripted.hop.connectFailure = null;

        assertEquals(SendStatus.SENT, send(first));
        assertEquals(List.of("M " + (Multicasts.PREFIX_LENGTH + LENGTH)), scripted.hop.taken);
    }

    private SendStatus send(final Roster roster)
    {
        return multicasts.send(roster, 16, 0, 0, Buffers.wrap(new byte[LENGTH]), 0, LENGTH, false);
    }

    private Multicasts multicasts()
    {
        final Fragments fragments = new Fragments(scripted.traffic, first, 1_000);
        final Windows windows = new Windows(scripted.traffic, first);
        return new Multicasts(scripted.traffic, new HostMulticasts(scripted.traffic, first, null),
            new TotalOrder(scripted.traffic, fragments, first, () -> true, windows, (node, weight) ->
            {
                throw new AssertionError("no order");
            }), fragments, windows, first);
    }
}
