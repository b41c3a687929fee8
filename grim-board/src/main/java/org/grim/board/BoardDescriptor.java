// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.wire.BigEndian;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;
import static org.grim.buffer.Buffers.CACHE_LINE_LENGTH;

/**
 * Where everything lies in SRAM. Big endian; offsets in bytes from its first byte.
 * <pre>
 *  +--------------------+ 0
 *  | header             |  host writes before it starts the firmware; both read
 *  +--------------------+ DOORBELL_OFFSET
 *  | doorbell           |  hosts set bits, firmware takes them
 *  +--------------------+ CHANNELS_OFFSET
 *  | channels           |  channelCount x ChannelRegisters
 *  | contexts           |  contextCount x CONTEXT_LENGTH
 *  | static entries     |  staticEntryCount x STATIC_ENTRY_LENGTH, padded to a line
 *  | queues             |  channelCount x queueLength: hosts write, firmware reads
 *  | reserved           |  reservedLength: applications' own
 *  +--------------------+
 *
 *  header  0        8          12            16          20            24             28
 *         +--------+----------+-------------+-----------+-------------+--------------+--------------+
 *         | magic  | version  | LANai model | NI number | SRAM length | channelCount | queueLength  |
 *         +--------+----------+-------------+-----------+-------------+--------------+--------------+
 *         | contextCount | staticEntryCount | reservedLength |
 *         +--------------+------------------+----------------+  32 to 44;  64: epoch;  128: bell + 1 of its stepper
 * </pre>
 * <p>Thread: any; no state.
 */
public final class BoardDescriptor
{
    /** Bytes of a context descriptor. */
    public static final int CONTEXT_LENGTH = CACHE_LINE_LENGTH * 5;
    /** Bytes of a static entry of the translation cache. */
    public static final int STATIC_ENTRY_LENGTH = SIZE_OF_LONG * 4;

    static final int MAGIC_OFFSET = 0;                                                       // u64, host; release
    static final int VERSION_OFFSET = MAGIC_OFFSET + SIZE_OF_LONG;                           // u32, host
    static final int LANAI_MODEL_OFFSET = VERSION_OFFSET + SIZE_OF_INT;                      // u32, host
    static final int NI_NUMBER_OFFSET = LANAI_MODEL_OFFSET + SIZE_OF_INT;                    // u32, host
    static final int SRAM_LENGTH_OFFSET = NI_NUMBER_OFFSET + SIZE_OF_INT;                    // u32 bytes, host
    static final int CHANNEL_COUNT_OFFSET = SRAM_LENGTH_OFFSET + SIZE_OF_INT;                // u32, host
    static final int QUEUE_LENGTH_OFFSET = CHANNEL_COUNT_OFFSET + SIZE_OF_INT;               // u32 bytes, host
    static final int CONTEXT_COUNT_OFFSET = QUEUE_LENGTH_OFFSET + SIZE_OF_INT;               // u32, host
    static final int STATIC_ENTRY_COUNT_OFFSET = CONTEXT_COUNT_OFFSET + SIZE_OF_INT;         // u32, host
    static final int RESERVED_LENGTH_OFFSET = STATIC_ENTRY_COUNT_OFFSET + SIZE_OF_INT;       // u32 bytes, host
    static final int EPOCH_OFFSET = MAGIC_OFFSET + CACHE_LINE_LENGTH; // u32, host; firmware reads
    static final int ASLEEP_BELL_OFFSET = EPOCH_OFFSET + CACHE_LINE_LENGTH; // u32, who steps the firmware; hosts read
    static final int HEADER_LENGTH = CACHE_LINE_LENGTH * 4;

    static final int DOORBELL_OFFSET = HEADER_LENGTH;
    static final int DOORBELL_WORDS_OFFSET = 0; // 4 x u64, hosts OR, firmware takes
    static final int DOORBELL_WORD_COUNT = 4;
    static final int DOORBELL_SUMMARY_OFFSET = DOORBELL_WORDS_OFFSET + CACHE_LINE_LENGTH;    // u64, as the words
    static final int DOORBELL_LENGTH = DOORBELL_SUMMARY_OFFSET + CACHE_LINE_LENGTH;
    static final int CHANNELS_OFFSET = DOORBELL_OFFSET + DOORBELL_LENGTH;

    /** "GRIMSRAM". */
    static final long MAGIC = 0x4752_494D_5352_414DL;
    static final int LAYOUT_VERSION = 4;

    private BoardDescriptor()
    {
    }

    /** Returns the board's present incarnation, as the host set it; it shows a restart to the board's peers. */
    public static int epoch(final AtomicBuffer sram)
    {
        return BigEndian.getIntAcquire(sram, EPOCH_OFFSET);
    }

    /**
     * Gives the board a new life. The host calls it before it starts the firmware.
     *
     * @param sram  the board's memory.
     * @param value another one than in any life before.
     */
    public static void epoch(final AtomicBuffer sram, final int value)
    {
        BigEndian.putIntRelease(sram, EPOCH_OFFSET, value);      // partner: the acquire in epoch(sram)
    }
}
