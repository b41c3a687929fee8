// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pair;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import org.grim.GrimException;

import static org.grim.GrimException.Reason.SYSTEM_REFUSED;

/**
 * All peers of one process. An error names its peer.
 * <p>Thread: one. Owns: the sides.
 */
final class Sides implements AutoCloseable
{
    private final Map<PeerKind, Side> sides = new EnumMap<>(PeerKind.class);

    Side get(final PeerKind kind)
    {
        return sides.get(kind);
    }

    void put(final PeerKind kind, final Side side)
    {
        sides.put(kind, side);
    }

    /** Messages and operations so far, by kind. */
    Map<PeerKind, Long> deliveredCounts()
    {
        final Map<PeerKind, Long> counts = new EnumMap<>(PeerKind.class);
        sides.forEach((kind, side) -> counts.put(kind, side.deliveredCount()));
        return counts;
    }

    /** Bytes that the thread allocated for a message, by kind. */
    Map<PeerKind, Double> allocatedLengths()
    {
        final Map<PeerKind, Double> lengths = new EnumMap<>(PeerKind.class);
        sides.forEach((kind, side) -> lengths.put(kind, side.allocatedLength()));
        return lengths;
    }

    void open(final List<PeerKind> kinds, final Ends ends, final Path directory, final int sizeMax)
    {
        for (final PeerKind kind : kinds)
        {
            if (!kind.isForeign() && (ends != Ends.SECOND || !kind.isAlone()))
            {
                sides.put(kind, SideLoader.open(kind, ends, directory, sizeMax));
            }
        }
    }

    void connect()
    {
        sides.forEach((kind, side) ->
        {
            try
            {
                side.connect();
            }
            catch (final RuntimeException ex)
            {
                throw new GrimException(SYSTEM_REFUSED,
                    "peer=" + kind + " does not connect: " + SideLoader.describe(ex), ex);
            }
        });
    }

    void idle()
    {
        sides.values().forEach(Side::idle);
    }

    /** The last first; a failure does not keep the others open. */
    @Override
    public void close()
    {
        final List<PeerKind> kinds = new ArrayList<>(sides.keySet());
        Collections.reverse(kinds);
        GrimException failure = null;
        for (final PeerKind kind : kinds)
        {
            try
            {
                sides.get(kind).close();
            }
            catch (final RuntimeException ex)
            {
                failure = new GrimException(SYSTEM_REFUSED,
                    "peer=" + kind + " does not close: " + SideLoader.describe(ex), ex);
            }
        }
        if (failure != null)
        {
            throw failure;
        }
    }
}
