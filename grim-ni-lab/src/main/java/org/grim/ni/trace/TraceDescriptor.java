// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.trace;

import org.grim.wire.MessageHeader;

import static org.agrona.BitUtil.SIZE_OF_BYTE;
import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_SHORT;

/**
 * A trace file: classic pcap with nanoseconds. Big endian throughout; {@link PcapWriter} writes, Wireshark reads (the
 * magic tells it the byte order).
 * <pre>
 * file    magic (32) | major (16) | minor (16) | zone (32) | accuracy (32) | snapshot length (32) | link type (32)
 * record  seconds (32) | nanoseconds (32) | captured length (32) | original length (32)
 * pseudo  source NI (16) | destination NI (16) | event (8) | version (8) | flags (16)
 * then    the bytes of the message as on the wire
 * </pre>
 * Offsets in bytes from the first byte of the file, of the record, and of the pseudo header.
 */
final class TraceDescriptor
{
    static final int MAGIC = 0xA1B23C4D;
    static final short MAJOR = 2;
    static final short MINOR = 4;
    /** USER0: Wireshark leaves its meaning to whoever registers a dissector. */
    static final int LINK_TYPE = 147;

    static final int MAGIC_OFFSET = 0;                                                      // u32
    static final int MAJOR_OFFSET = MAGIC_OFFSET + SIZE_OF_INT;                             // u16
    static final int MINOR_OFFSET = MAJOR_OFFSET + SIZE_OF_SHORT;                           // u16
    static final int ZONE_OFFSET = MINOR_OFFSET + SIZE_OF_SHORT;                            // s32, always 0
    static final int ACCURACY_OFFSET = ZONE_OFFSET + SIZE_OF_INT;                           // u32, always 0
    static final int SNAPSHOT_OFFSET = ACCURACY_OFFSET + SIZE_OF_INT;                       // u32, bytes
    static final int LINK_TYPE_OFFSET = SNAPSHOT_OFFSET + SIZE_OF_INT;                      // u32
    static final int FILE_HEADER_LENGTH = LINK_TYPE_OFFSET + SIZE_OF_INT;

    static final int SECONDS_OFFSET = 0;                                                    // u32
    static final int NANOSECONDS_OFFSET = SECONDS_OFFSET + SIZE_OF_INT;                     // u32
    static final int CAPTURED_LENGTH_OFFSET = NANOSECONDS_OFFSET + SIZE_OF_INT;             // u32, bytes
    static final int ORIGINAL_LENGTH_OFFSET = CAPTURED_LENGTH_OFFSET + SIZE_OF_INT;         // u32, bytes
    static final int RECORD_HEADER_LENGTH = ORIGINAL_LENGTH_OFFSET + SIZE_OF_INT;

    static final byte PSEUDO_VERSION = 1;
    static final int SOURCE_NI_OFFSET = 0;                                                  // u16
    static final int DESTINATION_NI_OFFSET = SOURCE_NI_OFFSET + SIZE_OF_SHORT;              // u16
    static final int EVENT_OFFSET = DESTINATION_NI_OFFSET + SIZE_OF_SHORT;                  // u8, PacketEvent
    static final int VERSION_OFFSET = EVENT_OFFSET + SIZE_OF_BYTE;                          // u8
    static final int FLAGS_OFFSET = VERSION_OFFSET + SIZE_OF_BYTE;                          // u16, always 0
    static final int PSEUDO_HEADER_LENGTH = FLAGS_OFFSET + SIZE_OF_SHORT;

    /** Most bytes of a message that a record holds: the longest message there is, so none is cut. */
    static final int MESSAGE_LENGTH_MAX = MessageHeader.LENGTH + MessageHeader.PAYLOAD_LENGTH_MAX;
    static final int SNAPSHOT_LENGTH = PSEUDO_HEADER_LENGTH + MESSAGE_LENGTH_MAX;

    private TraceDescriptor()
    {
    }
}
