// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.util.concurrent.TimeUnit;

import org.agrona.BitUtil;
import org.grim.EndpointId;
import org.grim.GrimException;
import org.grim.board.BoardGeometry;
import org.grim.board.ChannelRegisters;
import org.grim.myrinet.memory.DmaLayout;
import org.grim.transport.Settings;

/**
 * The configuration of the transport, read and checked; {@code META-INF/grim/myrinet.conf} says what each key means.
 * <p>Thread: any; immutable.
 *
 * @param boardName        node whose board is used; empty for an own one.
 * @param isThreaded       whether an own board has a thread.
 * @param lanaiModel       4 or 9.
 * @param sramLength       bytes.
 * @param contextCount     processes that can use an own board.
 * @param boardChannels    NI channels for hosts.
 * @param queueLength      bytes of each channel's queue.
 * @param staticEntries    of the translation cache.
 * @param reservedLength   bytes of SRAM for the application.
 * @param arrivalMode      one of {@link ChannelRegisters}' constants.
 * @param frameLength      bytes of an arrival frame.
 * @param frameCount       arrival frames of a channel.
 * @param dmaLength        bytes of the DMA region; 0 for as many as it takes.
 * @param registeredLength bytes that can be registered, in a region that takes as many as it takes.
 * @param isPinned         whether to lock host memory.
 * @param hasTranslationThread whether translation requests are answered by a thread.
 * @param deadlineNs       longest wait for a board.
 * @param lingerNs         how long a leaving node goes on sending.
 * @param channelCount     logical channels of this node.
 */
record MyrinetConfig(
    String boardName, boolean isThreaded, int lanaiModel, int sramLength, int contextCount, int boardChannels,
    int queueLength, int staticEntries, int reservedLength, int arrivalMode, int frameLength, int frameCount,
    int dmaLength, int registeredLength, boolean isPinned, boolean hasTranslationThread, long deadlineNs, long lingerNs,
    int channelCount)
{
    private static final int CORES_FOR_THREAD = 4;
    private static final int LINE_LENGTH = 64;
    private static final int NAME_LENGTH_MAX = 60;
    private static final int SRAM_LENGTH_MAX = 1 << 26;
    private static final int BOARD_CHANNELS_MAX = BoardGeometry.CHANNEL_COUNT_MAX - BoardGeometry.OWN_CHANNEL_COUNT;
    /** Sessions whose arrivals are in the region at once: one that ended and was not read out, and its successor. */
    private static final int LIFE_COUNT = 2;
    private static final int BOUNCE_COUNT = 2;
    private static final int BOUNCE_LENGTH = 64 << 10;

    /**
     * Reads and checks, also that the sizes fit together.
     *
     * @param settings of the node.
     * @return the values.
     * @throws IllegalArgumentException naming key, value and limit.
     */
    static MyrinetConfig of(final Settings settings)
    {
        final MyrinetConfig values = read(settings);
        values.checkBoard(settings);
        values.checkRegion(settings);
        return values;
    }

    /** Whether this node has a board of its own. */
    boolean hasOwnBoard()
    {
        return boardName.isEmpty();
    }

    /** Sizes of an own board; the last channels are the board's. */
    BoardGeometry geometry(final int niNumber)
    {
        return new BoardGeometry(lanaiModel, niNumber, sramLength, boardChannels + BoardGeometry.OWN_CHANNEL_COUNT,
            queueLength, contextCount, staticEntries, reservedLength);
    }

    /** Bytes of a channel's arrival queue. */
    int arrivalLength()
    {
        return Math.multiplyExact(frameLength, frameCount);
    }

    /** Sessions that have a place in the DMA region; a board of its own exists as long as the node. */
    int sessionCount()
    {
        return hasOwnBoard() ? 1 : LIFE_COUNT;
    }

    /**
     * The DMA region of this process.
     *
     * @throws GrimException       if it is too small for what it must hold.
     * @throws ArithmeticException if what it must hold is more than a region can have.
     */
    DmaLayout dmaLayout()
    {
        return dmaLayout(dmaLength == 0 ?
            Math.addExact(dmaLayout(Integer.MAX_VALUE).registeredOffset(), registeredLength) : dmaLength);
    }

    private DmaLayout dmaLayout(final int length)
    {
        return new DmaLayout(length, sessionCount() * channelCount, arrivalLength(), BOUNCE_COUNT, BOUNCE_LENGTH);
    }

    private void checkBoard(final Settings settings)
    {
        try
        {
            geometry(0);
        }
        catch (final IllegalArgumentException ex)
        {
            throw refusal(settings, "myrinet.sram-length", "as large as needed, up to " + SRAM_LENGTH_MAX + " bytes",
                ex);
        }
    }

    private void checkRegion(final Settings settings)
    {
        final String limit = "as large as needed, up to " + Integer.MAX_VALUE + " bytes";
        try
        {
            arrivalLength();
            dmaLayout(Integer.MAX_VALUE);
        }
        catch (final GrimException | ArithmeticException ex)
        {
            throw refusal(settings, "myrinet.arrival.frame-count", "as small as needed for a region of " +
                Integer.MAX_VALUE + " bytes", ex);
        }
        try
        {
            dmaLayout();
        }
        catch (final GrimException ex)
        {
            throw refusal(settings, "myrinet.dma-length", limit, ex);
        }
        catch (final ArithmeticException ex)
        {
            throw refusal(settings, "myrinet.registered-length", "as small as needed for a region of " +
                Integer.MAX_VALUE + " bytes", ex);
        }
    }

    private static IllegalArgumentException refusal(
        final Settings settings, final String key, final String limit, final RuntimeException cause)
    {
        return settings.refusal(key, limit + ": " + cause.getMessage(), cause);
    }

    private static MyrinetConfig read(final Settings settings)
    {
        final int channelCount = settings.integer("channels.count", 1, EndpointId.CHANNEL_MAX + 1);
        final int boardChannels = settings.integer("myrinet.board-channels", 0, BOARD_CHANNELS_MAX);
        final String firmware = settings.word("myrinet.firmware", "auto", "duty-cycle", "thread");
        final int frameLength =
            settings.multipleBytes("myrinet.arrival.frame-length", LINE_LENGTH * 2, 1 << 20, LINE_LENGTH);
        final boolean isPointer =
            settings.word("myrinet.arrival.mode", "tail-flag", "queue-pointer").equals("queue-pointer");
        // Positions of an arrival queue without frames wrap where its length, a power of two, divides them.
        final int unitLength = isPointer ? Integer.highestOneBit(frameLength) : frameLength;
        return new MyrinetConfig(
            settings.text("myrinet.board", 0, NAME_LENGTH_MAX),
            firmware.equals("thread") ||
                (firmware.equals("auto") && Runtime.getRuntime().availableProcessors() >= CORES_FOR_THREAD),
            Integer.parseInt(settings.word("myrinet.lanai-model", "4", "9")),
            (int)settings.bytes("myrinet.sram-length", BoardGeometry.SRAM_LENGTH_MIN, SRAM_LENGTH_MAX),
            settings.integer("myrinet.contexts", 1, BoardGeometry.CONTEXT_COUNT_MAX),
            boardChannels == 0 ? Math.min(channelCount, BOARD_CHANNELS_MAX) : boardChannels,
            settings.powerOfTwoBytes("myrinet.queue-length", 1 << 10, SRAM_LENGTH_MAX),
            settings.integer("myrinet.static-entries", 0, 1 << 16),
            BitUtil.align((int)settings.bytes("ni.reserved-length", 0, SRAM_LENGTH_MAX), LINE_LENGTH),
            isPointer ? ChannelRegisters.ARRIVAL_QUEUE_POINTER : ChannelRegisters.ARRIVAL_TAIL_FLAG,
            unitLength, settings.powerOfTwo("myrinet.arrival.frame-count", 1, 1 << 16),
            (int)settings.bytes("myrinet.dma-length", 0, Integer.MAX_VALUE),
            (int)settings.bytes("myrinet.registered-length", 0, 1 << 30),
            settings.truth("myrinet.pin"),
            settings.word("myrinet.translation", "duty-cycle", "thread").equals("thread"),
            settings.nanos("myrinet.deadline", TimeUnit.MILLISECONDS.toNanos(1), TimeUnit.MINUTES.toNanos(1)),
            settings.nanos("myrinet.linger", 0, TimeUnit.MINUTES.toNanos(1)),
            channelCount);
    }
}
