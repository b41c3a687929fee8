// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.AttachRefusal;
import org.grim.board.BoardGeometry;
import org.grim.board.ContextRegisters;

import static org.grim.board.ContextRegisters.CHANNEL_COUNT;
import static org.grim.board.ContextRegisters.FIRST_CHANNEL;
import static org.grim.board.ContextRegisters.OWNER;
import static org.grim.board.ContextRegisters.REASON;
import static org.grim.board.ContextRegisters.REGION_GENERATION;
import static org.grim.board.ContextRegisters.STATE;

/**
 * A context of a board at one look; nothing of it is checked.
 *
 * @param number           of the context.
 * @param ownerNode        node that has it.
 * @param ownerIncarnation of that node.
 * @param state            one of {@link ContextRegisters}' states.
 * @param reason           code of the refusal.
 * @param firstChannel     of the owner's NI channels.
 * @param channelCount     of the owner.
 * @param regionGeneration of the owner's DMA region.
 */
record ContextSample(
    int number, int ownerNode, int ownerIncarnation, int state, int reason, int firstChannel, int channelCount,
    int regionGeneration)
{
    /** Returns a board's contexts with an owner. */
    static List<ContextSample> of(final AtomicBuffer sram, final BoardGeometry geometry)
    {
        final List<ContextSample> contexts = new ArrayList<>();
        for (int number = 0; number < geometry.contextCount(); number++)
        {
            final ContextRegisters registers = new ContextRegisters(sram, geometry, number);
            final long owner = registers.getAcquire(OWNER);
            if (owner != ContextRegisters.OWNER_NONE)
            {
                contexts.add(new ContextSample(number, (int)(owner >>> Integer.SIZE), (int)owner,
                    registers.getAcquire(STATE), registers.get(REASON), registers.get(FIRST_CHANNEL),
                    registers.get(CHANNEL_COUNT), registers.get(REGION_GENERATION)));
            }
        }
        return contexts;
    }

    /** Whether an NI channel was given to the owner. */
    boolean has(final int niChannel)
    {
        return (state == ContextRegisters.STATE_ATTACHED || state == ContextRegisters.STATE_DRAINING) &&
            niChannel >= firstChannel && niChannel < (long)firstChannel + channelCount;
    }

    boolean isOf(final SeenNode node)
    {
        return node != null && node.number() == ownerNode && node.incarnation() == ownerIncarnation;
    }

    /** The state in a word, with the reason of a refusal. */
    String stateText()
    {
        return switch (state)
        {
            case ContextRegisters.STATE_FREE -> "asking";
            case ContextRegisters.STATE_ATTACHED -> "attached";
            case ContextRegisters.STATE_REFUSED -> "refused " + reasonText();
            case ContextRegisters.STATE_DRAINING -> "draining";
            default -> "corrupt " + state;
        };
    }

    private String reasonText()
    {
        final AttachRefusal refusal = AttachRefusal.ofCode(reason);
        return refusal == null ? "for reason " + reason : refusal.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
