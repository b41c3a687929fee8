// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import org.agrona.BitUtil;
import org.grim.GrimException;
import org.grim.board.BoardGeometry;
import org.grim.board.ChannelRegisters;
import org.grim.myrinet.memory.DmaLayout;
import org.grim.transport.Key;
import org.grim.transport.Keys;
import org.grim.transport.Settings;
import org.grim.transport.TransportKeys;

import static org.grim.transport.Key.GIB;
import static org.grim.transport.Key.KIB;
import static org.grim.transport.Key.MIB;
import static org.grim.transport.Key.MINUTE;
import static org.grim.transport.Key.MS;
import static org.grim.transport.Key.Unit.BYTES;
import static org.grim.transport.Key.Unit.NANOSECONDS;

/**
 * The configuration of the transport, read and checked. Sizes of the board matter if it is this node's own.
 * <p>Thread: any; immutable.
 */
record MyrinetConfig(
    @Key(value = "myrinet.board", max = 60,
        text = "Name of the node whose board this node uses. Empty: a board of its own.")
    String boardName,
    @Key(value = "myrinet.deadline", initial = "2s", unit = NANOSECONDS, min = MS, max = MINUTE,
        text = "Maximum wait for a board: to be attached to one, or for a DMA transfer.")
    long deadlineNs,
    @Key(value = "myrinet.linger", initial = "500ms", unit = NANOSECONDS, max = MINUTE,
        text = "Time that a leaving node goes on sending accepted messages.")
    long lingerNs,
    @Key(value = "myrinet.firmware", initial = "auto", words = {"auto", "duty-cycle", MyrinetConfig.THREAD},
        text = "Runner of the firmware of this node's own board: `duty-cycle` (any thread that polls or sends here), " +
        "`thread` (one of this process), or `auto`: a thread where this process may use 4 cores or more.")
    String firmware,
    @Key(value = "myrinet.lanai-model", initial = "9", words = {"4", "9"}, text = "LANai model of the board.")
    int lanaiModel,
    @Key(value = "myrinet.sram-length", initial = "2MiB", unit = BYTES, min = BoardGeometry.SRAM_LENGTH_MIN,
        max = MyrinetConfig.SRAM_LENGTH_MAX, text = "Bytes of the board's memory.")
    int sramLength,
    @Key(value = "myrinet.contexts", initial = "1", min = 1, max = BoardGeometry.CONTEXT_COUNT_MAX,
        text = "Processes that can use the board, this one included.")
    int contextCount,
    @Key(value = "myrinet.board-channels", initial = "0", max = MyrinetConfig.BOARD_CHANNELS_MAX,
        text = "Channels of the board for all its processes. 0: as many as this node has.")
    int boardChannels,
    @Key(value = "myrinet.queue-length", initial = "128KiB", unit = BYTES, min = KIB,
        max = MyrinetConfig.SRAM_LENGTH_MAX, isPowerOfTwo = true,
        text = "Bytes of each channel's queue in the board's memory. A message takes at most half of it.")
    int queueLength,
    @Key(value = "myrinet.static-entries", initial = "16", max = 1 << 16,
        text = "Entries of the translation cache for large blocks of registered memory.")
    int staticEntries,
    @Key(value = "myrinet.arrival.mode", initial = "tail-flag", words = {"tail-flag", MyrinetConfig.QUEUE_POINTER},
        text = "Notification of messages in the arrival queues in host memory: `tail-flag` (frames of fixed size, " +
        "whose last word marks a complete message), or `queue-pointer` (a second transfer moves a pointer).")
    String arrival,
    @Key(value = "myrinet.arrival.frame-length", initial = "65600", unit = BYTES, min = 128, max = MIB, multipleOf = 64,
        text = "Bytes of an arrival frame: the largest message and 4. With `queue-pointer` messages are packed " +
        "instead into a queue of as many bytes, the frame's rounded down to a power of two.")
    int frameLength,
    @Key(value = "myrinet.arrival.frame-count", initial = "32", min = 1, max = 1 << 16, isPowerOfTwo = true,
        text = "Arrival frames of each channel.")
    int frameCount,
    @Key(value = "myrinet.dma-length", initial = "0", unit = BYTES, max = Integer.MAX_VALUE,
        text = "Bytes of host memory that the board reaches: arrival queues, bounce buffers, registered memory. 0: " +
        "the sum of what those take.")
    int dmaLength,
    @Key(value = "myrinet.registered-length", initial = "1MiB", unit = BYTES, max = GIB,
        text = "Bytes of host memory that can be registered, in whole pages, for remote memory and injection by DMA.")
    int registeredLength,
    @Key(value = "myrinet.pin", initial = "true",
        text = "Whether host memory is locked in RAM where the system permits.")
    boolean isPinned,
    @Key(value = "myrinet.translation", initial = "duty-cycle", words = {"duty-cycle", MyrinetConfig.THREAD},
        text = "Answers translation requests: `duty-cycle` or `thread`.")
    String translation,
    TransportKeys channels)
{
    private static final int CORES_FOR_THREAD = 4;
    private static final int LINE_LENGTH = 64;
    private static final String THREAD = "thread";
    private static final String QUEUE_POINTER = "queue-pointer";
    private static final int SRAM_LENGTH_MAX = 1 << 26;
    private static final int BOARD_CHANNELS_MAX = BoardGeometry.CHANNEL_COUNT_MAX - BoardGeometry.OWN_CHANNEL_COUNT;
    /** Sessions whose arrivals are in the region at once: one that ended and was not read out, and its successor. */
    private static final int LIFE_COUNT = 2;
    private static final int BOUNCE_COUNT = 2;
    private static final int BOUNCE_LENGTH = 64 << 10;

    /** Works out what a value of a key stands for. */
    MyrinetConfig
    {
        if (boardChannels == 0)
        {
            boardChannels = Math.min(channels.channelCount(), BOARD_CHANNELS_MAX);
        }
        if (arrival.equals(QUEUE_POINTER))
        {
            // Positions of an arrival queue without frames wrap where its length, a power of two, divides them.
            frameLength = Integer.highestOneBit(frameLength);
        }
    }

    /**
     * Reads and checks, also that the sizes fit together.
     *
     * @param settings of the node.
     * @return the values.
     * @throws IllegalArgumentException naming key, value and limit.
     */
    static MyrinetConfig of(final Settings settings)
    {
        final MyrinetConfig values = Keys.read(settings, MyrinetConfig.class);
        values.checkBoard(settings);
        values.checkRegion(settings);
        return values;
    }

    /** Whether this node has a board of its own. */
    boolean hasOwnBoard()
    {
        return boardName.isEmpty();
    }

    /** Whether an own board has a thread. */
    boolean isThreaded()
    {
        return firmware.equals(THREAD) ||
            (firmware.equals("auto") && Runtime.getRuntime().availableProcessors() >= CORES_FOR_THREAD);
    }

    /** Whether translation requests are answered by a thread. */
    boolean hasTranslationThread()
    {
        return translation.equals(THREAD);
    }

    /** Bytes of SRAM for the application. */
    int reservedLength()
    {
        return BitUtil.align(channels.reservedLength(), LINE_LENGTH);
    }

    /** One of {@link ChannelRegisters}' constants. */
    int arrivalMode()
    {
        return arrival.equals(QUEUE_POINTER) ? ChannelRegisters.ARRIVAL_QUEUE_POINTER :
            ChannelRegisters.ARRIVAL_TAIL_FLAG;
    }

    /** Logical channels of this node. */
    int channelCount()
    {
        return channels.channelCount();
    }

    /** Sizes of an own board; the last channels are the board's. */
    BoardGeometry geometry(final int niNumber)
    {
        return new BoardGeometry(lanaiModel, niNumber, sramLength, boardChannels + BoardGeometry.OWN_CHANNEL_COUNT,
            queueLength, contextCount, staticEntries, reservedLength());
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
        return new DmaLayout(length, sessionCount() * channelCount(), arrivalLength(), BOUNCE_COUNT, BOUNCE_LENGTH);
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
}
