// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.injection;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.grim.GrimException;
import org.grim.text.SafeText;
import org.grim.transport.Key;
import org.grim.transport.Keys;
import org.grim.transport.Settings;

import static org.grim.buffer.Buffers.CACHE_LINE_LENGTH;

/**
 * Which mechanism injects payloads of which size. Checked when made. Any thread; immutable.
 *
 * @param entries one per size class, in ascending order.
 */
public record InjectionPlan(List<Entry> entries)
{
    /** Segment of messages that are published whole. */
    public static final int WHOLE = 0;
    /** Shortest segment. */
    public static final int SEGMENT_LENGTH_MIN = 256;

    private static final String KEY_FILE = "myrinet.injection.file";
    private static final String AUTO = "auto";
    private static final int WORD_STORES_SIZE_MAX = 128;
    private static final int DEFAULT_SEGMENT_LENGTH = 8192;
    private static final int DEFAULT_SEGMENTS_FROM = 32_768;

    /**
     * Checks and keeps the entries.
     *
     * @param entries one for each size class, ascending.
     * @throws IllegalArgumentException if a size is missing, out of order or there twice.
     */
    public InjectionPlan
    {
        entries = List.copyOf(entries);
        for (int i = 0; i < SizeClasses.COUNT; i++)
        {
            if (i >= entries.size() || entries.get(i).size() != SizeClasses.size(i))
            {
                throw new IllegalArgumentException("size=" + (i < entries.size() ? entries.get(i).size() : "(none)") +
                    " stands where size=" + SizeClasses.size(i) + " should: each power of two from " +
                    SizeClasses.SIZE_MIN + " to " + SizeClasses.SIZE_MAX + " stands once, in ascending order");
            }
        }
        if (entries.size() > SizeClasses.COUNT)
        {
            throw new IllegalArgumentException("size=" + entries.get(SizeClasses.COUNT).size() + " stands after size=" +
                SizeClasses.SIZE_MAX + ", which is the last");
        }
    }

    /**
     * Injection of payloads of one size class.
     *
     * @param size          of the class.
     * @param mechanism     for payloads wherever they lie; not {@link Mechanism#ZERO_COPY}.
     * @param burstLength   of that mechanism: bytes between pauses; 0 for none.
     * @param registered    for payloads in the process's DMA region: {@code mechanism}, or {@link Mechanism#ZERO_COPY}.
     * @param segmentLength bytes that are published at a time; {@link #WHOLE} for all at once.
     */
    public record Entry(int size, Mechanism mechanism, int burstLength, Mechanism registered, int segmentLength)
    {
        /**
         * Checks and keeps the parts.
         *
         * @param size          of the class.
         * @param mechanism     for payloads wherever they lie.
         * @param burstLength   of that mechanism.
         * @param registered    for payloads in the process's DMA region.
         * @param segmentLength bytes that are published at a time.
         * @throws IllegalArgumentException if they do not go together.
         */
        public Entry
        {
            if (mechanism == Mechanism.ZERO_COPY)
            {
                throw new IllegalArgumentException("mechanism=" + mechanism.label() +
                    " cannot move every payload: it may stand as registered");
            }
            Injectors.requireBurst(mechanism, burstLength);
            if (registered != mechanism && registered != Mechanism.ZERO_COPY)
            {
                throw new IllegalArgumentException("registered=" + registered.label() + " is neither mechanism=" +
                    mechanism.label() + " nor " + Mechanism.ZERO_COPY.label());
            }
            if (segmentLength != WHOLE && (segmentLength < SEGMENT_LENGTH_MIN ||
                segmentLength > SizeClasses.SIZE_MAX || segmentLength % CACHE_LINE_LENGTH != 0))
            {
                throw new IllegalArgumentException("segment=" + segmentLength + " is neither 0 nor a multiple of " +
                    CACHE_LINE_LENGTH + " from " + SEGMENT_LENGTH_MIN + " to " + SizeClasses.SIZE_MAX);
            }
        }
    }

    /**
     * The plan for boards that nobody measured: the processor stores, word by word what is small.
     *
     * @return the same each time.
     */
    public static InjectionPlan builtIn()
    {
        final List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < SizeClasses.COUNT; i++)
        {
            final int size = SizeClasses.size(i);
            final Mechanism mechanism = size <= WORD_STORES_SIZE_MAX ? Mechanism.WORD_STORES : Mechanism.BULK_COPY;
            entries.add(new Entry(size, mechanism, Injectors.UNPACED, mechanism,
                size >= DEFAULT_SEGMENTS_FROM ? DEFAULT_SEGMENT_LENGTH : WHOLE));
        }
        return new InjectionPlan(entries);
    }

    /**
     * The plan that the configuration asks for.
     *
     * @param settings of the node.
     * @return the plan of the file, or the built-in one; with another mechanism if the configuration names one.
     * @throws GrimException            if the file cannot be read or is no plan.
     * @throws IllegalArgumentException if the configuration names an unknown mechanism.
     */
    public static InjectionPlan of(final Settings settings)
    {
        final InjectionKeys keys = Keys.read(settings, InjectionKeys.class);
        final InjectionPlan plan = ofFile(keys.file);
        return keys.mechanism.equals(AUTO) ? plan : plan.with(Mechanism.ofLabel(keys.mechanism));
    }

    private static InjectionPlan ofFile(final String file)
    {
        try
        {
            return file.isEmpty() ? builtIn() : PlanFile.read(Path.of(file));
        }
        catch (final GrimException ex)
        {
            throw new GrimException(ex.reason(),
                "grim." + KEY_FILE + "=" + SafeText.shorten(file) + ": " + ex.getMessage(), ex);
        }
    }

    /**
     * This plan with one mechanism for everything that it can move. Bursts stay where they are possible.
     *
     * @param mechanism that is wanted.
     * @return the changed plan.
     */
    public InjectionPlan with(final Mechanism mechanism)
    {
        final List<Entry> changed = new ArrayList<>();
        for (final Entry entry : entries)
        {
            final Mechanism anywhere = mechanism == Mechanism.ZERO_COPY ? entry.mechanism() : mechanism;
            changed.add(new Entry(entry.size(), anywhere, anywhere.isPio() ? entry.burstLength() : Injectors.UNPACED,
                mechanism, entry.segmentLength()));
        }
        return new InjectionPlan(changed);
    }

    /**
     * Returns the injection of a payload.
     *
     * @param length bytes, 0 to {@link SizeClasses#SIZE_MAX}.
     * @return the entry of its size class.
     */
    public Entry entry(final int length)
    {
        return entries.get(SizeClasses.index(length));
    }

    private record InjectionKeys(
        @Key(value = KEY_FILE, max = 4095,
            text = "File with the mechanism for each size, as `./grim tune` writes it. Empty: a built-in plan.")
        String file,
        @Key(value = "myrinet.injection.mechanism", initial = AUTO, words = {AUTO, "word-stores", "bulk-copy",
            "libc-copy", "one-copy", "double-buffered", "zero-copy"},
            text = "`auto`: as the file says. Otherwise one mechanism for everything that it can move; `zero-copy` " +
            "for payloads in the DMA region (others as the file says).")
        String mechanism)
    {
    }
}
