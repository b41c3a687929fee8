// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.memory;

import java.util.Arrays;

import org.agrona.BitUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardGeometry;
import org.grim.board.StaticTranslation;
import org.grim.board.TranslationDescriptor;
import org.grim.ni.board.Action;

/**
 * Translates virtual addresses of contexts to physical ones. First the static entries, which hosts write in SRAM and
 * which cover ranges; then the dynamic ones, a page each, in sets of four with the least recently used of a set going
 * first. Both carry the rights of peers. Every physical address that it gives belongs to the context of the entry; that
 * is checked when an entry is filled, or read from SRAM.
 * <p>Thread: the board's stepper. Never allocates after construction.
 * <p>Bounds: neighbouring pages lie in neighbouring sets, so that of one message at most 3 data pages and 1
 * notification page share a set: all pages of one message can be pinned at once.
 */
@SuppressWarnings("exports")              // The board's layout is open to GRIM's own modules only.
public class TranslationCache
{
    /** Value of {@link #translate} for an unknown address. Physical addresses are positive. */
    public static final long MISS = -1;
    /** Value of {@link #translate} for a known address without the needed rights. */
    public static final long NO_RIGHT = -2;
    /** Pages that the dynamic entries hold by default. */
    public static final int CAPACITY_DEFAULT = 1024;
    /** Fewest dynamic entries: 8 sets take the 17 data pages of the largest message three at a time. */
    public static final int CAPACITY_MIN = 32;
    /** Maximum number of dynamic entries. */
    public static final int CAPACITY_MAX = 1 << 20;

    private static final int ENTRIES_PER_SET = 4;
    private static final int NO_CONTEXT = -1;
    /** Spreads contexts that use the same virtual addresses over the sets. */
    private static final int CONTEXT_STRIDE = 61;
    private static final int PAGE_SHIFT = Integer.numberOfTrailingZeros(TranslationDescriptor.PAGE_LENGTH);
    private static final long PAGE_MASK = TranslationDescriptor.PAGE_LENGTH - 1;

    private final HostAccess host;
    private final StaticTranslation staticEntry;
    private final int staticEntryCount;
    private final int setMask;
    private final int[] contexts;
    private final long[] virtualPages;
    private final long[] pageWords;
    private final long[] lastUses;
    private final boolean[] isPinned;
    private int pinnedCount;
    private long useCount;
    private long hitCount;
    private long missCount;
    private long evictionCount;

    /**
     * A cache without dynamic entries.
     *
     * @param sram     of the board.
     * @param geometry of it.
     * @param host     whose memory physical addresses name.
     * @param capacity dynamic entries, a power of two from {@value #CAPACITY_MIN}.
     */
    public TranslationCache(
        final AtomicBuffer sram, final BoardGeometry geometry, final HostAccess host, final int capacity)
    {
        if (capacity < CAPACITY_MIN || capacity > CAPACITY_MAX || !BitUtil.isPowerOfTwo(capacity))
        {
            throw new IllegalArgumentException("translation cache capacity=" + capacity +
                " is not a power of two from " + CAPACITY_MIN + " to " + CAPACITY_MAX);
        }
        this.host = host;
        staticEntry = new StaticTranslation(sram, geometry);
        staticEntryCount = geometry.staticEntryCount();
        setMask = capacity / ENTRIES_PER_SET - 1;
        contexts = new int[capacity];
        virtualPages = new long[capacity];
        pageWords = new long[capacity];
        lastUses = new long[capacity];
        isPinned = new boolean[capacity];
        Arrays.fill(contexts, NO_CONTEXT);
    }

    /**
     * Translates bytes that one static entry covers.
     *
     * @param context        that asks.
     * @param virtualAddress of the first byte.
     * @param length         bytes.
     * @param right          needed: a bit of {@link org.grim.MemoryRegion.Rights}, or 0.
     * @return physical address of the first byte, {@link #MISS} or {@link #NO_RIGHT}; only a hit is charged.
     */
    public long translateRange(final int context, final long virtualAddress, final int length, final int right)
    {
        for (int i = 0; i < staticEntryCount; i++)
        {
            if (staticEntry.read(i) && staticEntry.context() == context)
            {
                final long offset = virtualAddress - staticEntry.virtualStart();
                final long physical = staticEntry.physicalStart() + offset;
                // A start below the entry's gives a huge offset; a length above what a context owns is no matter, as
                // the bytes asked for must belong to it.
                if (offset >= 0 && staticEntry.length() >= length && offset <= staticEntry.length() - length &&
                    host.memory().isReachable(staticEntry.context(), physical, length))
                {
                    return hit(physical, staticEntry.rights(), right);
                }
            }
        }
        return MISS;
    }

    /**
     * Translates bytes of one page.
     *
     * @param context        that asks.
     * @param virtualAddress of the first byte.
     * @param length         bytes, all in that byte's page.
     * @param right          needed: a bit of {@link org.grim.MemoryRegion.Rights}, or 0.
     * @return physical address of the first byte, {@link #MISS} or {@link #NO_RIGHT}; each is charged.
     */
    public long translate(final int context, final long virtualAddress, final int length, final int right)
    {
        final long physical = translateRange(context, virtualAddress, length, right);
        return physical == MISS ? translatePage(context, virtualAddress, right) : physical;
    }

    /**
     * As {@link #translate}, for who knows that no static entry covers the bytes.
     *
     * @param context        that asks.
     * @param virtualAddress of the first byte.
     * @param right          needed: a bit of {@link org.grim.MemoryRegion.Rights}, or 0.
     * @return as {@link #translate}.
     */
    public long translatePage(final int context, final long virtualAddress, final int right)
    {
        final int entry = find(context, virtualAddress >>> PAGE_SHIFT);
        if (entry < 0)
        {
            host.meter().spend(Action.TRANSLATE_MISS);
            missCount++;
            return MISS;
        }
        lastUses[entry] = ++useCount;
        final long pageWord = pageWords[entry];
        return hit((pageWord & ~PAGE_MASK) | (virtualAddress & PAGE_MASK), (int)pageWord, right);
    }

    /** {@return look-ups that found a translation, static ones included} */
    public long hitCount()
    {
        return hitCount;
    }

    /** {@return look-ups that found none; a message that comes again looks again} */
    public long missCount()
    {
        return missCount;
    }

    /** {@return pages that had to go because another took their place} */
    public long evictionCount()
    {
        return evictionCount;
    }

    /**
     * Enters a page and pins it: no other page takes its place before {@link #unpinAll()}.
     *
     * @param context     that it belongs to.
     * @param virtualPage address of its first byte.
     * @param pageWord    physical address of its first byte, which the context may reach, checked by the caller; and
     *                    its rights.
     */
    protected void fillPinned(final int context, final long virtualPage, final long pageWord)
    {
        final long number = virtualPage >>> PAGE_SHIFT;
        final int known = find(context, number);
        final int entry = known < 0 ? victim(context, number) : known;
        contexts[entry] = context;
        virtualPages[entry] = number;
        pageWords[entry] = pageWord;
        lastUses[entry] = ++useCount;
        if (!isPinned[entry])
        {
            isPinned[entry] = true;
            pinnedCount++;
        }
    }

    /** Lets go of all pinned pages; they stay until others need their places. */
    void unpinAll()
    {
        if (pinnedCount > 0)
        {
            Arrays.fill(isPinned, false);
            pinnedCount = 0;
        }
    }

    /** Forgets the dynamic entries of a context, whose process has gone. */
    public void forget(final int context)
    {
        for (int i = 0; i < contexts.length; i++)
        {
            if (contexts[i] == context)
            {
                contexts[i] = NO_CONTEXT;
                lastUses[i] = 0;
            }
        }
    }

    private long hit(final long physical, final int rights, final int right)
    {
        host.meter().spend(Action.TRANSLATE_HIT);
        hitCount++;
        return (rights & right) == right ? physical : NO_RIGHT;
    }

    private int find(final int context, final long number)
    {
        final int first = firstOfSet(context, number);
        for (int i = first; i < first + ENTRIES_PER_SET; i++)
        {
            if (virtualPages[i] == number && contexts[i] == context)
            {
                return i;
            }
        }
        return -1;
    }

    private int victim(final int context, final long number)
    {
        final int first = firstOfSet(context, number);
        int oldest = -1;
        for (int i = first; i < first + ENTRIES_PER_SET; i++)
        {
            if (!isPinned[i] && (oldest < 0 || lastUses[i] < lastUses[oldest]))
            {
                oldest = i;
            }
        }
        if (oldest < 0)
        {
            throw new IllegalStateException("all " + ENTRIES_PER_SET + " entries of a set are pinned by one message");
        }
        evictionCount += contexts[oldest] == NO_CONTEXT ? 0 : 1;
        return oldest;
    }

    private int firstOfSet(final int context, final long number)
    {
        return ((int)number + context * CONTEXT_STRIDE & setMask) * ENTRIES_PER_SET;
    }
}
