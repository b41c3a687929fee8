// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.injection;

import java.util.List;
import java.util.stream.Stream;

/** Mechanisms that bring a payload into the board's memory, the simplest first. */
public enum Mechanism
{
    /** The processor stores word by word. */
    WORD_STORES("word-stores", true),
    /** The processor copies with the JVM's routine. */
    BULK_COPY("bulk-copy", true),
    /** The processor copies with the C library's routine. Sources on the heap are left to {@link #BULK_COPY}. */
    LIBC_COPY("libc-copy", true),
    /** The processor copies into a bounce buffer, from which the board pulls. */
    ONE_COPY("one-copy", false),
    /** One copy, as {@link #ONE_COPY}, into two halves: one is filled while the board pulls the other. */
    DOUBLE_BUFFERED("double-buffered", false),
    /** The board pulls from where the payload lies. For payloads in the process's DMA region only. */
    ZERO_COPY("zero-copy", false);

    private final String label;
    private final boolean isPio;

    Mechanism(final String label, final boolean isPio)
    {
        this.label = label;
        this.isPio = isPio;
    }

    /** {@return name in files and tables; small letters and hyphens} */
    public String label()
    {
        return label;
    }

    /**
     * Whether the processor stores into the board's memory itself. Only then can it be paced.
     *
     * @return false if the board pulls.
     */
    public boolean isPio()
    {
        return isPio;
    }

    /**
     * The mechanism of a name.
     *
     * @param label any text.
     * @return null if there is none.
     */
    public static Mechanism ofLabel(final String label)
    {
        return Stream.of(values()).filter(mechanism -> mechanism.label.equals(label)).findFirst().orElse(null);
    }

    /** {@return all names: the simplest first} */
    public static List<String> labels()
    {
        return Stream.of(values()).map(Mechanism::label).toList();
    }
}
