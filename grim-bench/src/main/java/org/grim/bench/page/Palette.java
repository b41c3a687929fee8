// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.page;

import java.awt.Color;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * One look for each peer, the same on every plot: colour, dashes, marker. GRIM's own are strong and broad, limits of
 * the machine grey and dotted, others in between. Immutable.
 */
final class Palette
{
    /** Shapes that a library draws at each figure. */
    enum Shape
    {
        CIRCLE, SQUARE, DIAMOND, TRIANGLE_UP, TRIANGLE_DOWN
    }

    /** How lines are broken. */
    enum Dash
    {
        WHOLE, DASHED, DOTTED
    }

    /**
     * A peer's look.
     *
     * @param rgb    colour, unlike every other's.
     * @param dash   of the line.
     * @param shape  of the marker.
     * @param isOurs whether the line is broad.
     */
    record Look(int rgb, Dash dash, Shape shape, boolean isOurs)
    {
        /** As CSS writes it. */
        String colour()
        {
            return String.format(Locale.ROOT, "#%06x", rgb);
        }
    }

    private static final Map<String, Look> KNOWN = Map.ofEntries(
        Map.entry("grim-shmem", ours(0xC8102E, Shape.CIRCLE)), Map.entry("grim", ours(0xC8102F, Shape.CIRCLE)),
        Map.entry("grim-myrinet", ours(0x0057B8, Shape.SQUARE)), Map.entry("grim-null", ours(0xE07B00, Shape.DIAMOND)),
        Map.entry("grim-rm-p", ours(0x7B2D8E, Shape.TRIANGLE_UP)),
        Map.entry("grim-rm-v", ours(0xD6409F, Shape.TRIANGLE_DOWN)),
        Map.entry("raw", limit(0x1F1F1F, Shape.DIAMOND)), Map.entry("copy-flag", limit(0x6E6E6E, Shape.SQUARE)),
        Map.entry("ring", limit(0x8C8C8C, Shape.CIRCLE)), Map.entry("copy-memory", limit(0x3D4F5C, Shape.TRIANGLE_UP)),
        Map.entry("copy-mapped", limit(0x7F95A3, Shape.TRIANGLE_DOWN)),
        Map.entry("jctools", limit(0xA68A00, Shape.TRIANGLE_UP)),
        Map.entry("aeron-ipc", other(0x1B8A3A, Shape.SQUARE)),
        Map.entry("aeron-ipc-default", dashed(0x57B77C, Shape.SQUARE)),
        Map.entry("aeron-udp", dashed(0x0F5C2E, Shape.DIAMOND)),
        Map.entry("one-to-one", other(0x00A3A1, Shape.DIAMOND)), Map.entry("tcp", other(0x8C564B, Shape.TRIANGLE_UP)),
        Map.entry("uds", dashed(0xC49C94, Shape.TRIANGLE_DOWN)), Map.entry("ucx", other(0x5B4FCF, Shape.CIRCLE)),
        Map.entry("open-mpi", other(0x4DA3E0, Shape.TRIANGLE_DOWN)));

    private static final List<Integer> SPARE = List.of(0xB5651D, 0x2F6F8F, 0xAD1457, 0x558B2F, 0x4527A0, 0x00838F,
        0xD84315, 0x6D4C41, 0x9E9D24, 0x283593);
    private static final float GOLDEN_ANGLE = 0.618034f;
    private static final float SATURATION = 0.75f;
    private static final float BRIGHTNESS_MIN = 0.4f;
    private static final float BRIGHTNESS_STEP = 0.0011f;
    private static final int BRIGHTNESS_STEPS = 397;
    private static final int RGB_MASK = 0xFFFFFF;

    private final Map<String, Look> looks = new HashMap<>(KNOWN);

    Palette(final Collection<String> names)
    {
        final Set<Integer> taken = new HashSet<>();
        KNOWN.values().forEach(look -> taken.add(look.rgb()));
        final TreeSet<String> unknown = new TreeSet<>(names);
        unknown.removeAll(KNOWN.keySet());
        int next = 0;
        int tried = 0;
        for (final String name : unknown)
        {
            int rgb = next < SPARE.size() ? SPARE.get(next) : hue(tried++);
            while (!taken.add(rgb))
            {
                rgb = hue(tried++);
            }
            final Shape shape = Shape.values()[next % Shape.values().length];
            looks.put(name, new Look(rgb, isOurs(name) ? Dash.WHOLE : Dash.DASHED, shape, isOurs(name)));
            next++;
        }
    }

    /** Of a name that was given to the constructor, or that everybody knows. */
    Look of(final String name)
    {
        final Look look = looks.get(name);
        if (look == null)
        {
            throw new IllegalArgumentException("peer=" + name + " has no colour");
        }
        return look;
    }

    /** Whether a peer is this library. */
    static boolean isOurs(final String name)
    {
        return name.startsWith("grim");
    }

    /** Neighbours differ; the brightness keeps later ones from meeting earlier ones. */
    private static int hue(final int index)
    {
        return Color.HSBtoRGB(index * GOLDEN_ANGLE, SATURATION,
            BRIGHTNESS_MIN + index % BRIGHTNESS_STEPS * BRIGHTNESS_STEP) & RGB_MASK;
    }

    private static Look ours(final int rgb, final Shape shape)
    {
        return new Look(rgb, Dash.WHOLE, shape, true);
    }

    private static Look other(final int rgb, final Shape shape)
    {
        return new Look(rgb, Dash.WHOLE, shape, false);
    }

    private static Look dashed(final int rgb, final Shape shape)
    {
        return new Look(rgb, Dash.DASHED, shape, false);
    }

    private static Look limit(final int rgb, final Shape shape)
    {
        return new Look(rgb, Dash.DOTTED, shape, false);
    }
}
