// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.fabric;

/**
 * Which links there are, and which of them a packet takes. A link is one direction of a cable and at the same time the
 * output port that feeds it, so a route is a list of links. Routes are computed from the two NI numbers: nothing is
 * kept per pair. Each pair has one route, which keeps its order, and no set of routes has a cycle of links.
 * <p>Thread: any; immutable.
 */
public final class Topology
{
    /** Most NIs of a fabric. */
    public static final int NI_COUNT_MAX = 4096;

    static final int HOP_COUNT_MAX = 4;                 // NI to leaf, leaf to spine, spine to leaf, leaf to NI

    private final int niCount;
    private final int leafNiCount;                      // 0: back to back
    private final int leafCount;
    private final int spineCount;

    private Topology(final int niCount, final int leafNiCount, final int leafCount, final int spineCount)
    {
        if (niCount < 1 || niCount > NI_COUNT_MAX)
        {
            throw new IllegalArgumentException("NI count=" + niCount + " is outside 1 to " + NI_COUNT_MAX);
        }
        this.niCount = niCount;
        this.leafNiCount = leafNiCount;
        this.leafCount = leafCount;
        this.spineCount = spineCount;
    }

    /**
     * Two NIs, joined by a cable. What one sends to itself is looped.
     *
     * @return the topology.
     */
    public static Topology backToBack()
    {
        return new Topology(2, 0, 0, 0);
    }

    /**
     * One switch.
     *
     * @param niCount NIs on it.
     * @return the topology.
     */
    public static Topology crossbar(final int niCount)
    {
        return new Topology(niCount, niCount, 1, 0);
    }

    /**
     * Leaf switches with NIs, each of them joined to all spine switches. Routes go up once and down once.
     *
     * @param leafCount   leaf switches, 1 or more.
     * @param leafNiCount NIs on each, 1 or more.
     * @param spineCount  spine switches, 1 or more.
     * @return the topology.
     */
    public static Topology leafSpine(final int leafCount, final int leafNiCount, final int spineCount)
    {
        if (leafCount < 1 || leafNiCount < 1 || spineCount < 1)
        {
            throw new IllegalArgumentException("leaf count=" + leafCount + ", NIs on a leaf=" + leafNiCount +
                " and spine count=" + spineCount + " must be 1 or more");
        }
        return new Topology(Math.multiplyExact(leafCount, leafNiCount), leafNiCount, leafCount, spineCount);
    }

    /**
     * How many NIs there are.
     *
     * @return 1 to {@value #NI_COUNT_MAX}.
     */
    public int niCount()
    {
        return niCount;
    }

    /**
     * How many links there are, each direction counted.
     *
     * @return links are numbered from 0.
     */
    public int linkCount()
    {
        return 2 * niCount + 2 * leafCount * spineCount;
    }

    /**
     * The link from an NI.
     *
     * @param ni its number.
     * @return number of the link.
     */
    public int outgoingLink(final int ni)
    {
        return ni;
    }

    /**
     * The link to an NI.
     *
     * @param ni its number.
     * @return number of the link; back to back the peer's outgoing one.
     */
    public int incomingLink(final int ni)
    {
        return leafNiCount == 0 ? 1 - ni : niCount + ni;
    }

    /** Writes the links from one NI to another into {@code route}; returns how many they are. */
    int route(final int source, final int target, final int[] route)
    {
        if (leafNiCount == 0)
        {
            route[0] = source == target ? niCount + source : source;         // The loop, or the cable.
            return 1;
        }
        int hopCount = 0;
        route[hopCount++] = source;
        final int sourceLeaf = source / leafNiCount;
        final int targetLeaf = target / leafNiCount;
        if (sourceLeaf != targetLeaf)
        {
            final int spine = (source + target) % spineCount;
            route[hopCount++] = 2 * niCount + sourceLeaf * spineCount + spine;
            route[hopCount++] = 2 * niCount + leafCount * spineCount + spine * leafCount + targetLeaf;
        }
        route[hopCount++] = niCount + target;
        return hopCount;
    }
}
