// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation.check;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.ni.event.Outcome;
import org.grim.ni.simulation.scenario.Setting;
import org.grim.ni.simulation.scenario.SimulationParameters;
import org.grim.wire.MessageHeader;

/**
 * Does one thing wrong on purpose, so that a run proves that its checkers look.
 * <p>Thread: the simulation's.
 */
public final class Canary
{
    private static final int FLIP_BYTE = 1;
    private static final int FALSE_OUTCOME = 2;
    private static final int COUNT_MAX = 50;

    private final int kind;
    private int count;

    /** Does what the parameters say, at a message that depends on the seed. */
    public Canary(final SimulationParameters parameters)
    {
        kind = parameters.count(Setting.CANARY);
        count = (int)Long.remainderUnsigned(parameters.seed(), COUNT_MAX);
    }

    /** A message stands in host memory, and its host is about to read it. */
    public void onDelivery(final AtomicBuffer region, final int index, final int length)
    {
        if (kind == FLIP_BYTE && count-- == 0)
        {
            // The first byte of the payload, or the last one of the arguments; never padding, which means nothing.
            final int flipped = index + Math.min(MessageHeader.LENGTH, length - 1);
            region.putByte(flipped, (byte)(region.getByte(flipped) ^ 1));
        }
    }

    Outcome onSettled(final Outcome outcome)
    {
        return kind == FALSE_OUTCOME && outcome == Outcome.ACKNOWLEDGED && count-- == 0 ? Outcome.UNDELIVERED : outcome;
    }
}
