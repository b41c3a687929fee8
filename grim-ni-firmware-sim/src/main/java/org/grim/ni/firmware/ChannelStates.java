// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.firmware;

import org.grim.board.ChannelRegisters;
import org.grim.ni.delivery.ChannelDrain;
import org.grim.ni.memory.ForgetRequests;
import org.grim.ni.memory.PullEngine;
import org.grim.ni.memory.TranslationService;

/**
 * Ends and restarts channels of a context while the firmware runs.
 * <p>Thread: the board's stepper, between two steps.
 */
final class ChannelStates
{
    private final ChannelRegisters[] registers;
    private final ChannelDrain drain;
    private final Deliveries deliveries;
    private final Receiver receiver;
    private final PullEngine pulls;
    private final TranslationService translations;
    private final ForgetRequests forgets;

    ChannelStates(
        final ChannelRegisters[] registers, final ChannelDrain drain, final Deliveries deliveries,
        final Receiver receiver, final PullEngine pulls, final TranslationService translations,
        final ForgetRequests forgets)
    {
        this.registers = registers;
        this.drain = drain;
        this.deliveries = deliveries;
        this.receiver = receiver;
        this.pulls = pulls;
        this.translations = translations;
        this.forgets = forgets;
    }

    void drain(final int firstChannel, final int count)
    {
        for (int channel = firstChannel; channel < firstChannel + count; channel++)
        {
            deliveries.close(channel);
            pulls.close(channel);
            drain.drain(channel);
        }
    }

    boolean isDrained(final int firstChannel, final int count)
    {
        boolean isDrained = !translations.isWriting() && !receiver.isServing(firstChannel, count);
        for (int channel = firstChannel; channel < firstChannel + count; channel++)
        {
            isDrained &= drain.isDrained(channel) && !pulls.isPulling(channel);
        }
        return isDrained;
    }

    void reset(final int context, final int firstChannel, final int count)
    {
        if (!isDrained(firstChannel, count))
        {
            throw new IllegalStateException("channels " + firstChannel + " to " + (firstChannel + count - 1) +
                " are in use: drain them first");
        }
        translations.forget(context);
        forgets.reset(context);
        for (int channel = firstChannel; channel < firstChannel + count; channel++)
        {
            registers[channel].reset();
            drain.reset(channel);
            deliveries.reset(channel);
            pulls.reset(channel);
        }
    }
}
