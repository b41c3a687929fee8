// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.model;

import java.util.ArrayList;
import java.util.List;

import org.grim.ni.timing.DeviceTiming;
import org.grim.ni.timing.HostTiming;
import org.grim.ni.timing.LanaiModel;

/**
 * A fault of an accelerator beside a board, as a sum of stated parts: the card asks its host, which moves the image or
 * the page, and lets the item go on. Of the P3-550, whose transfers to other cards alone are stated. Immutable.
 */
public final class FaultModel
{
    /** Names of what no page gives, and what the sums are without. */
    public static final List<String> LEFT_OUT = List.of("the host's search for the image or the page",
        "the choice of an image or a frame to give up", "the card's loading of a configuration", "the kernel itself");

    private static final double NS_PER_US = 1_000;

    private final LanaiModel ni;

    /**
     * A part of a fault.
     *
     * @param name   for people.
     * @param us     microseconds.
     * @param source of the figure.
     */
    public record Part(String name, Range us, String source)
    {
    }

    /**
     * A fault beside a board.
     *
     * @param ni whose rows of a request and an interrupt are taken for the card's.
     */
    public FaultModel(final LanaiModel ni)
    {
        this.ni = ni;
    }

    /**
     * An item whose kernel is not loaded.
     *
     * @param imageLength bytes of the image that is loaded, 0 or more; 0 for the machinery alone.
     * @return its parts, in order.
     */
    public List<Part> functionFault(final int imageLength)
    {
        final List<Part> parts = request();
        if (imageLength > 0)
        {
            parts.add(transfer("image to the card", imageLength));
        }
        parts.add(restart());
        return parts;
    }

    /**
     * An item whose page is not there.
     *
     * @param pageLength bytes of the page, more than 0.
     * @param isDirty    whether the page in its frame has to be written back before.
     * @return its parts, in order.
     */
    public List<Part> pageFault(final int pageLength, final boolean isDirty)
    {
        final List<Part> parts = request();
        if (isDirty)
        {
            parts.add(transfer("page in the frame to the host", pageLength));
        }
        parts.add(transfer("page to the card", pageLength));
        parts.add(restart());
        return parts;
    }

    /** Sums parts: all low ends, all central values, all high ends. */
    public static Range sum(final List<Part> parts)
    {
        return parts.stream().map(Part::us).reduce(Range.exactly(0), Range::plus);
    }

    private List<Part> request()
    {
        final double interruptUs = ni.timing().interruptNs() / NS_PER_US;
        final double pollUs = Assumption.HOST_POLL.range(
            ModelParameters.original(HostTiming.P3_550, ni, Mode.AM)).low() / NS_PER_US;
        return new ArrayList<>(List.of(
            new Part("request to the host", Range.exactly(ni.timing().requestDmaNs() / NS_PER_US),
                "table, of a board's request for a translation; reading: a card's costs as much"),
            new Part("notice by the host", new Range(pollUs, interruptUs, interruptUs),
                "table: an interrupt; at best the host polls")));
    }

    private static Part transfer(final String name, final int length)
    {
        if (length <= 0)
        {
            throw new IllegalArgumentException("length=" + length + " of " + name + " is less than 1");
        }
        final double largeUs = length / (DeviceTiming.LARGE_LENGTH * NS_PER_US);
        return new Part(name, new Range(
            (double)length / DeviceTiming.BLOCK_LENGTH * DeviceTiming.BLOCK_BY_BOARD_NS / NS_PER_US,
            largeUs * DeviceTiming.LARGE_ZERO_COPY_NS, largeUs * DeviceTiming.LARGE_ONE_COPY_NS),
            "stated, by length: as 2 MB by zero-copy; 4 KB by a board's DMA; 2 MB by one-copy");
    }

    private static Part restart()
    {
        final double writeUs = HostTiming.P3_550.pioWriteNs() / NS_PER_US;
        return new Part("write that lets the item go on", new Range(0, writeUs / 2, writeUs),
            "open: a PIO write costs roughly 2 us, a posted one nothing");
    }
}
