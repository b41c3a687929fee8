// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.util.Locale;
import java.util.concurrent.TimeUnit;

import org.agrona.BitUtil;
import org.grim.board.BoardGeometry;
import org.grim.board.ChannelRegisters;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;

/**
 * The configuration of the transport, read and checked; {@code reference.conf} says what each key means.
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
 * @param isPinned         whether host memory is to be locked.
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
    private static final String ROOT = "myrinet.";
    private static final int CORES_FOR_THREAD = 4;
    private static final int LINE_LENGTH = 64;

    /**
     * Reads and checks.
     *
     * @param config everything below {@code grim}.
     * @return the values.
     * @throws IllegalArgumentException naming key, value and limit.
     */
    static MyrinetConfig of(final Config config)
    {
        try
        {
            return read(config);
        }
        catch (final ConfigException ex)
        {
            throw new IllegalArgumentException("configuration is wrong: " + ex.getMessage(), ex);
        }
    }

    /** Whether this node has a board of its own. */
    boolean hasOwnBoard()
    {
        return boardName.isEmpty();
    }

    /** Sizes of an own board; the last channel is the board's. */
    BoardGeometry geometry(final int niNumber)
    {
        return new BoardGeometry(lanaiModel, niNumber, sramLength, boardChannels + 1, queueLength, contextCount,
            staticEntries, reservedLength);
    }

    /** Bytes of a channel's arrival queue. */
    int arrivalLength()
    {
        return Math.multiplyExact(frameLength, frameCount);
    }

    private static MyrinetConfig read(final Config config)
    {
        final int channelCount = config.getInt("channels.count");
        final int boardChannels = inRange(config, "board-channels", 0, BoardGeometry.CHANNEL_COUNT_MAX - 1);
        final String mode = word(config, "arrival.mode", "tail-flag", "queue-pointer");
        final String firmware = word(config, "firmware", "auto", "duty-cycle", "thread");
        final int frameLength = bytes(config, "arrival.frame-length", LINE_LENGTH * 2, 1 << 20);
        require(frameLength % LINE_LENGTH == 0, "arrival.frame-length", frameLength, "a multiple of " + LINE_LENGTH);
        final int frameCount = inRange(config, "arrival.frame-count", 1, 1 << 16);
        require(BitUtil.isPowerOfTwo(frameCount), "arrival.frame-count", frameCount, "a power of two");
        final boolean isPointer = mode.equals("queue-pointer");
        // Positions of an arrival queue without frames wrap where its length, a power of two, divides them.
        final int unitLength = isPointer ? Integer.highestOneBit(frameLength) : frameLength;
        return new MyrinetConfig(
            config.getString(ROOT + "board"),
            firmware.equals("thread") ||
                (firmware.equals("auto") && Runtime.getRuntime().availableProcessors() >= CORES_FOR_THREAD),
            inRange(config, "lanai-model", 4, 9),
            bytes(config, "sram-length", 1 << 16, 1 << 26),
            inRange(config, "contexts", 1, BoardGeometry.CONTEXT_COUNT_MAX),
            boardChannels == 0 ? Math.min(channelCount, BoardGeometry.CHANNEL_COUNT_MAX - 1) : boardChannels,
            bytes(config, "queue-length", 1 << 10, 1 << 26),
            inRange(config, "static-entries", 0, 1 << 16),
            BitUtil.align((int)(long)config.getBytes("ni.reserved-length"), LINE_LENGTH),
            isPointer ? ChannelRegisters.ARRIVAL_QUEUE_POINTER : ChannelRegisters.ARRIVAL_TAIL_FLAG,
            unitLength, frameCount,
            bytes(config, "dma-length", 0, Integer.MAX_VALUE),
            bytes(config, "registered-length", 0, 1 << 30),
            config.getBoolean(ROOT + "pin"),
            word(config, "translation", "duty-cycle", "thread").equals("thread"),
            nanos(config, "deadline", TimeUnit.MILLISECONDS.toNanos(1)),
            nanos(config, "linger", 0),
            channelCount);
    }

    private static String word(final Config config, final String key, final String... words)
    {
        final String value = config.getString(ROOT + key).toLowerCase(Locale.ROOT);
        for (final String word : words)
        {
            if (word.equals(value))
            {
                return value;
            }
        }
        throw new IllegalArgumentException(
            "grim.myrinet." + key + "=" + value + " is none of " + String.join(", ", words));
    }

    private static int inRange(final Config config, final String key, final int min, final int max)
    {
        final int value = config.getInt(ROOT + key);
        require(value >= min && value <= max, key, value, "within " + min + " to " + max);
        return value;
    }

    private static int bytes(final Config config, final String key, final int min, final int max)
    {
        final long value = config.getBytes(ROOT + key);
        require(value >= min && value <= max, key, value, "within " + min + " to " + max + " bytes");
        return (int)value;
    }

    private static long nanos(final Config config, final String key, final long min)
    {
        final long value = config.getDuration(ROOT + key).toNanos();
        final long max = TimeUnit.MINUTES.toNanos(1);
        require(value >= min && value <= max, key, value, "within " + min + " to " + max + " ns");
        return value;
    }

    private static void require(final boolean isGood, final String key, final long value, final String limit)
    {
        if (!isGood)
        {
            throw new IllegalArgumentException("grim.myrinet." + key + "=" + value + " is not " + limit);
        }
    }
}
