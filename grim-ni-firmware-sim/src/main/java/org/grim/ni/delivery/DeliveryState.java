// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.delivery;

import org.grim.ni.board.Routes;
import org.grim.ni.control.ControlQueue;
import org.grim.ni.deadline.DeadlineHeap;
import org.grim.ni.event.NiListener;

/** State that sender, receiver and synchroniser of one NI share: tables and limits. Thread: the board's stepper. */
final class DeliveryState
{
    private final Routes routes;
    private final DeliveryLimits limits;
    private final NiListener listener;
    private final EpochRule epochs;
    private final ControlQueue controls;
    private final Scoreboard scoreboard;
    private final SequenceTable table = new SequenceTable();
    private final DeadlineHeap deadlines = new DeadlineHeap();

    DeliveryState(
        final Routes routes, final DeliveryLimits limits, final NiListener listener, final EpochRule epochs,
        final ControlQueue controls, final Scoreboard scoreboard)
    {
        this.routes = routes;
        this.limits = limits;
        this.listener = listener;
        this.epochs = epochs;
        this.controls = controls;
        this.scoreboard = scoreboard;
    }

    Routes routes()
    {
        return routes;
    }

    DeliveryLimits limits()
    {
        return limits;
    }

    NiListener listener()
    {
        return listener;
    }

    EpochRule epochs()
    {
        return epochs;
    }

    ControlQueue controls()
    {
        return controls;
    }

    Scoreboard scoreboard()
    {
        return scoreboard;
    }

    SequenceTable table()
    {
        return table;
    }

    DeadlineHeap deadlines()
    {
        return deadlines;
    }
}
