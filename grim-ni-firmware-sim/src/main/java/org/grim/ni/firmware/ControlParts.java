// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.firmware;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardGeometry;
import org.grim.ni.board.HostMemory;
import org.grim.ni.delivery.EpochRule;
import org.grim.ni.delivery.Scoreboard;
import org.grim.ni.memory.ActiveMessageDelivery;
import org.grim.ni.memory.HostAccess;
import org.grim.ni.memory.RefuseCounters;
import org.grim.ni.memory.RegisteredParts;
import org.grim.ni.memory.TranslationCache;
import org.grim.ni.multicast.TreeRule;
import org.grim.ni.window.SequenceSpace;

/**
 * Makes the parts of a control program that decide: about sequences, answers, epochs, room and addresses. Subclasses
 * make other parts, to test the protocol with another decision.
 * <p>Thread: the one that starts the program. The parts belong to that program.
 */
@SuppressWarnings("exports")              // The board's layout is open to GRIM's own modules only.
public class ControlParts
{
    /**
     * Sequence numbers, and the windows over them. A wire that may lose packets takes a narrower window.
     *
     * @param bits    of a sequence number.
     * @param window  most messages of one triple in flight.
     * @param isLossy whether the wire may lose packets.
     * @return the space.
     */
    public SequenceSpace sequenceSpace(final int bits, final int window, final boolean isLossy)
    {
        return new SequenceSpace(bits, isLossy ? Math.min(window, SequenceSpace.lossyWindowMax(bits)) : window);
    }

    /**
     * Tokens, and which message an answer is for.
     *
     * @param tokenCount most messages in flight.
     * @return a scoreboard with all tokens free.
     */
    public Scoreboard scoreboard(final int tokenCount)
    {
        return new Scoreboard(tokenCount);
    }

    /** {@return what an announced epoch means} */
    public EpochRule epochs()
    {
        return new EpochRule();
    }

    /** {@return what keeps multicasts in order} */
    public TreeRule trees()
    {
        return new TreeRule();
    }

    /**
     * Delivery of active messages.
     *
     * @param sram     of the board.
     * @param geometry of it.
     * @param host     that takes the messages.
     * @param refusals to count in.
     * @return a delivery with no channel open.
     */
    public ActiveMessageDelivery activeMessages(
        final AtomicBuffer sram, final BoardGeometry geometry, final HostAccess host, final RefuseCounters refusals)
    {
        return new ActiveMessageDelivery(sram, geometry, host, refusals);
    }

    /** Where addresses of RM-P lead. Returns the parts that contexts publish. */
    public RegisteredParts registeredParts(
        final AtomicBuffer sram, final BoardGeometry geometry, final HostMemory memory)
    {
        return new RegisteredParts(sram, geometry, memory);
    }

    /**
     * Where virtual addresses lead.
     *
     * @param sram     of the board.
     * @param geometry of it.
     * @param host     whose memory physical addresses name.
     * @param capacity dynamic entries.
     * @return a cache without dynamic entries.
     */
    public TranslationCache translationCache(
        final AtomicBuffer sram, final BoardGeometry geometry, final HostAccess host, final int capacity)
    {
        return new TranslationCache(sram, geometry, host, capacity);
    }
}
