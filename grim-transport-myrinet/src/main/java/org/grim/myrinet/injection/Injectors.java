// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.injection;

import org.grim.myrinet.posix.Posix;

/** Makes injectors. Any thread; immutable. */
public final class Injectors
{
    /** Burst of what is not paced. */
    public static final int UNPACED = 0;
    /** Shortest burst. */
    public static final int BURST_LENGTH_MIN = 16;
    /** Longest burst. */
    public static final int BURST_LENGTH_MAX = 65_536;

    private static final int BURST_STEP = Long.BYTES;

    private final Posix posix;

    /**
     * Keeps what injectors need.
     *
     * @param posix calls of the operating system.
     */
    public Injectors(final Posix posix)
    {
        this.posix = posix;
    }

    /**
     * An injector, which serves all channels.
     *
     * @param mechanism   that it uses.
     * @param burstLength bytes between pauses; {@link #UNPACED} for none.
     * @return the injector.
     * @throws IllegalArgumentException if such a burst is not possible, or not with this mechanism.
     */
    public Injector of(final Mechanism mechanism, final int burstLength)
    {
        requireBurst(mechanism, burstLength);
        return switch (mechanism)
        {
            case WORD_STORES -> paced(new WordStorePio(), burstLength);
            case BULK_COPY -> paced(new BulkCopyPio(), burstLength);
            case LIBC_COPY -> paced(new LibcPio(posix), burstLength);
            case ONE_COPY -> new OneCopyDma();
            case DOUBLE_BUFFERED -> new DoubleBufferedDma();
            case ZERO_COPY -> new ZeroCopyDma();
        };
    }

    /** Checks that a burst is possible with a mechanism. */
    static void requireBurst(final Mechanism mechanism, final int burstLength)
    {
        if (burstLength == UNPACED)
        {
            return;
        }
        if (!mechanism.isPio())
        {
            throw new IllegalArgumentException(
                "burst=" + burstLength + " does not go with " + mechanism.label() + ", which stores nothing itself");
        }
        if (burstLength < BURST_LENGTH_MIN || burstLength > BURST_LENGTH_MAX || burstLength % BURST_STEP != 0)
        {
            throw new IllegalArgumentException("burst=" + burstLength + " is neither 0 nor a multiple of " +
                BURST_STEP + " from " + BURST_LENGTH_MIN + " to " + BURST_LENGTH_MAX);
        }
    }

    private static Pio paced(final Pio pio, final int burstLength)
    {
        return burstLength == UNPACED ? pio : new PacedPio(pio, burstLength);
    }
}
