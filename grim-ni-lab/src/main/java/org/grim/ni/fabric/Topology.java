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

    /** Fewest ports of a switch in a folded Clos network. */
    public static final int PORT_COUNT_MIN = 16;

    static final int HOP_COUNT_MAX = 8;                 // Four levels: 4,096 NIs on switches of 16 ports.

    private final int niCount;
    private final int leafNiCount;                      // 0: back to back
    private final int leafCount;
    private final int spineCount;
    private final int levelCount;                       // 0: no folded Clos network, which has leafNiCount ports down
    private final int slotCount;                        // NIs that its switches have ports for

    private Topology(final int niCount, final int leafNiCount, final int leafCount, final int spineCount)
    {
        this(niCount, leafNiCount, leafCount, spineCount, 0, niCount);
    }

    private Topology(
        final int niCount, final int leafNiCount, final int leafCount, final int spineCount, final int levelCount,
        final int slotCount)
    {
        if (niCount < 1 || niCount > NI_COUNT_MAX)
        {
            throw new IllegalArgumentException("NI count=" + niCount + " is outside 1 to " + NI_COUNT_MAX);
        }
        this.niCount = niCount;
        this.leafNiCount = leafNiCount;
        this.leafCount = leafCount;
        this.spineCount = spineCount;
        this.levelCount = levelCount;
        this.slotCount = slotCount;
    }

    /** Returns two NIs, joined by a cable. A packet to the sender itself is looped back. */
    public static Topology backToBack()
    {
        return new Topology(2, 0, 0, 0);
    }

    /** One switch. */
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
     * Returns a folded Clos network of equal switches with full bisection bandwidth, with as few levels as can be: a
     * switch has half of its ports down and half up, and those of the top level have all of them down. A packet goes up
     * to the first level that both NIs have in common, and down again; at level i its path up is chosen by the i-th
     * digit of the target's number, so that each link down carries the packets of one target only, and the targets of a
     * shifted permutation that one leaf sends to leave it by different ports.
     * <p>Source: the routing "D-mod-k" of k-ary n-trees (Petrini and Vanneschi 1997; Zahavi 2012).
     *
     * @param niCount   NIs, 1 to {@value #NI_COUNT_MAX}.
     * @param portCount ports of each switch, even, {@value #PORT_COUNT_MIN} or more.
     */
    public static Topology foldedClos(final int niCount, final int portCount)
    {
        if (portCount < PORT_COUNT_MIN || portCount % 2 != 0)
        {
            throw new IllegalArgumentException(
                "port count=" + portCount + " is not even and " + PORT_COUNT_MIN + " or more");
        }
        final int downCount = portCount / 2;
        int levelCount = 1;
        int groupCount = 1;                             // NIs below one port of the top level
        while ((long)groupCount * portCount < niCount)
        {
            levelCount++;
            groupCount *= downCount;
        }
        final int slotCount = (niCount + groupCount - 1) / groupCount * groupCount;
        return new Topology(niCount, downCount, 0, 0, levelCount, slotCount);
    }

    /** {@return how many NIs there are; 1 to {@value #NI_COUNT_MAX}} */
    public int niCount()
    {
        return niCount;
    }

    /** {@return how many links there are, each direction counted; links are numbered from 0} */
    public int linkCount()
    {
        return 2 * niCount + 2 * leafCount * spineCount + 2 * slotCount * Math.max(levelCount - 1, 0);
    }

    /** {@return most links that a packet takes; 1 back to back, else twice the levels of switches} */
    public int hopCountMax()
    {
        final int leafSpineLevelCount = leafCount > 1 ? 2 : 1;
        return leafNiCount == 0 ? 1 : 2 * (levelCount == 0 ? leafSpineLevelCount : levelCount);
    }

    /** The link from an NI. */
    public int outgoingLink(final int ni)
    {
        return ni;
    }

    /** The link to an NI. Returns the number of the link; back to back the peer's outgoing one. */
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
        if (levelCount > 0)
        {
            return climb(source, target, route);
        }
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

    /**
     * A switch of level i (from 1) is known by what its NIs' numbers have in common, digits i and up, and by i - 1
     * digits that tell it from its equals; its ports up are one digit. Links up come first in each level, then those
     * down, which are named by their lower ends.
     */
    private int climb(final int source, final int target, final int[] route)
    {
        int hopCount = 1;
        int below = 1;                                  // leafNiCount to the power of level - 1
        int level = 1;
        while (level < levelCount && source / (below * leafNiCount) != target / (below * leafNiCount))
        {
            route[hopCount++] = upLink(level, below, source, target);
            below *= leafNiCount;
            level++;
        }
        while (level > 1)
        {
            level--;
            below /= leafNiCount;
            route[hopCount++] = upLink(level, below, target, target) + slotCount;
        }
        route[hopCount++] = niCount + target;
        return hopCount;
    }

    /** The link up from the switch of a level above one NI that leads to another. */
    private int upLink(final int level, final int below, final int ni, final int target)
    {
        final int switchNumber = ni / (below * leafNiCount) * below + target % below;
        final int port = target / below % leafNiCount;
        return 2 * niCount + 2 * (level - 1) * slotCount + switchNumber * leafNiCount + port;
    }
}
