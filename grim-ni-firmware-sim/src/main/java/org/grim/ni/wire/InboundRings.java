// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.wire;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * All rings that a board reads, a packet of each in turn.
 * <p>A <em>mark</em> says what stood in the rings at some time. One round is under way at a time: it notes where each
 * ring stands, and ends when all have been read past that. A mark made meanwhile is the next round, which begins later
 * than the mark, and so covers it. Any number of marks costs nothing.
 * <p>Thread: the board's stepper. Allocates when a ring is added.
 */
final class InboundRings
{
    private static final int CAPACITY_FIRST = 8;

    private final List<InboundRing> removed = new ArrayList<>();
    private InboundRing[] rings = new InboundRing[CAPACITY_FIRST];
    private int count;
    private int version;
    private int start;
    private int currentIndex;
    private InboundRing current;
    private int openRound;
    private int wantedRound;
    private int endedRound;

    /** A ring that is added while a round is under way belongs to it. */
    void add(final InboundRing ring)
    {
        if (count == rings.length)
        {
            rings = Arrays.copyOf(rings, count * 2);
        }
        ring.notedPosition = ring.reader.refreshedPosition();
        rings[count++] = ring;
        version++;
    }

    /** Takes a ring out that shows no packet. It stays mapped until nobody looks at its word: {@link #unmapRemoved}. */
    void remove(final InboundRing ring)
    {
        removed.add(ring);
        for (int i = 0; i < count; i++)
        {
            if (rings[i] == ring)
            {
                count--;
                rings[i] = rings[count];
                rings[count] = null;
                currentIndex = currentIndex == count ? i : currentIndex;
                start = start >= count ? 0 : start;
                version++;
                return;
            }
        }
        throw new IllegalStateException("ring is not in this table");
    }

    /** Nobody looks any more at words of rings that were removed. */
    void unmapRemoved()
    {
        removed.forEach(InboundRing::closeAndDelete);
        removed.clear();
    }

    boolean hasPacket()
    {
        if (current != null)
        {
            return true;
        }
        for (int i = start; i < count; i++)
        {
            if (choose(i))
            {
                return true;
            }
        }
        for (int i = 0; i < start; i++)
        {
            if (choose(i))
            {
                return true;
            }
        }
        return false;
    }

    /** The ring whose packet is shown. */
    InboundRing current()
    {
        if (current == null)
        {
            throw new IllegalStateException("no packet stands here");
        }
        return current;
    }

    void release()
    {
        current().reader.release();
        current = null;
        start = currentIndex + 1 < count ? currentIndex + 1 : 0;
    }

    int count()
    {
        return count;
    }

    int version()
    {
        return version;
    }

    RingReader reader(final int index)
    {
        return rings[index].reader;
    }

    int mark()
    {
        if (openRound == endedRound)
        {
            beginRound();
            wantedRound = openRound;
        }
        else
        {
            wantedRound = openRound + 1;
        }
        return wantedRound;
    }

    /**
     * Whether everything was released that stood in any ring when the mark was made. No round ends before all rings
     * are here that others have made.
     */
    boolean isReadPast(final int mark, final boolean isComplete)
    {
        if (isComplete && endedRound - mark < 0)
        {
            advanceRounds();
        }
        return endedRound - mark >= 0;
    }

    private void advanceRounds()
    {
        if (openRound == endedRound || !isRoundOver())
        {
            return;
        }
        endedRound = openRound;
        if (wantedRound != openRound)
        {
            beginRound();
            if (isRoundOver())
            {
                endedRound = openRound;
            }
        }
    }

    private void beginRound()
    {
        openRound = endedRound + 1;
        for (int i = 0; i < count; i++)
        {
            rings[i].notedPosition = rings[i].reader.refreshedPosition();
        }
    }

    private boolean isRoundOver()
    {
        for (int i = 0; i < count; i++)
        {
            if (!rings[i].reader.isReadPast(rings[i].notedPosition))
            {
                return false;
            }
        }
        return true;
    }

    private boolean choose(final int index)
    {
        if (!rings[index].reader.poll())
        {
            return false;
        }
        current = rings[index];
        currentIndex = index;
        return true;
    }
}
