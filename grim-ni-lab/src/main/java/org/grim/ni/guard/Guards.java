// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.guard;

import org.grim.board.Doorbell;
import org.grim.ni.board.Board;
import org.grim.ni.board.HostEngine;
import org.grim.ni.board.Routes;
import org.grim.ni.board.Wire;
import org.grim.ni.event.NiListener;
import org.grim.ni.fabric.EnvelopeWire;
import org.grim.ni.firmware.ControlParts;
import org.grim.ni.firmware.ControlProgram;
import org.grim.ni.firmware.FirmwareConfig;
import org.grim.ni.window.SequenceSpace;

/**
 * The protocol as it is, or with a bug planted: an object that breaks one guard stands where the firmware's own would.
 * The firmware has no switch for it. Immutable; what it makes is the caller's.
 */
public final class Guards
{
    /** As it must be. */
    public static final Guards ALL = new Guards(null);

    private static final int QUOTA_MAX = 1024;
    private static final long QUESTION_NS_MAX = 1_000_000_000;

    private final Guard missing;

    private Guards(final Guard missing)
    {
        this.missing = missing;
    }

    /** A protocol with one bug. */
    public static Guards without(final Guard guard)
    {
        return new Guards(guard);
    }

    /** Whether a guard holds. */
    public boolean has(final Guard guard)
    {
        return guard != missing;
    }

    /**
     * Starts the firmware of a board.
     *
     * @param board    that it runs on.
     * @param config   of limits.
     * @param routes   of all nodes.
     * @param listener of the events.
     * @return the program; tell {@link #stepped} of each of its steps.
     */
    public ControlProgram start(
        final Board board, final FirmwareConfig config, final Routes routes, final NiListener listener)
    {
        final Board planted = new Board(board.sram(), board.hostMemory(), engine(board.hostEngine()),
            wire(board.wire()), board.timer(), board.meter(), board.interrupts());
        return new ControlProgram(planted, config(config), routes, listener(listener, board), parts());
    }

    /** {@return what makes the deciding parts of a control program; with the bug, if it is one of theirs} */
    public ControlParts parts()
    {
        return missing == null ? new ControlParts() : new PlantedParts(missing);
    }

    /**
     * Sequence numbers on a wire whose losses the window does not matter for.
     *
     * @param bits   of a sequence number.
     * @param window most messages of one triple in flight.
     */
    public SequenceSpace space(final int bits, final int window)
    {
        return parts().sequenceSpace(bits, window, false);
    }

    /**
     * A wire that keeps order, over one that does not.
     *
     * @param raw              the latter.
     * @param ni               number of the NI that uses it.
     * @param epoch            of this NI.
     * @param messageLengthMax most bytes of a message, without envelope.
     */
    public EnvelopeWire envelope(final Wire raw, final int ni, final int epoch, final int messageLengthMax)
    {
        return new EnvelopeWire(raw, ni, epoch, messageLengthMax)
        {
            @Override
            protected boolean isLate()
            {
                return has(Guard.PACKET_NUMBER) && super.isLate();
            }

            @Override
            protected boolean isSpoilt(final int length)
            {
                return has(Guard.PACKET_CHECKSUM) && super.isSpoilt(length);
            }
        };
    }

    /** An engine to host memory. */
    public HostEngine engine(final HostEngine engine)
    {
        return has(Guard.NOTIFICATION_LAST) ? engine : HastyEngine.over(engine);
    }

    /**
     * A program has made a step. One that takes a doorbell after it has read the back pointer loses what was rung
     * between.
     */
    public void stepped(final Board board)
    {
        if (!has(Guard.DOORBELL_BEFORE_BACK))
        {
            new Doorbell(board.sram(), board.geometry()).take(new long[Doorbell.WORD_COUNT]);
        }
    }

    private Wire wire(final Wire wire)
    {
        return has(Guard.CUT_PACKET) && has(Guard.NACK_SENT) && has(Guard.ACK_AFTER_COPY) ? wire :
            new PlantedWire(wire, missing);
    }

    private NiListener listener(final NiListener listener, final Board board)
    {
        return has(Guard.LOSS_REPORTED) && has(Guard.FRONT_IN_ORDER) ? listener :
            PlantedListener.over(listener, missing, board.sram(), board.geometry());
    }

    private FirmwareConfig config(final FirmwareConfig config)
    {
        if (!has(Guard.CHANNEL_QUOTA))
        {
            return config.with(values -> values.channelQuota = QUOTA_MAX);
        }
        return has(Guard.PEER_GONE) ? config : config.with(values -> values.questionNsMax = QUESTION_NS_MAX);
    }
}
