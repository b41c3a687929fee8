// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import static org.agrona.BitUtil.SIZE_OF_BYTE;
import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;
import static org.agrona.BitUtil.SIZE_OF_SHORT;

/**
 * Record of a device's items: a pcap file with nanoseconds, of link type USER1. Big endian.
 * <pre>
 * file    magic (32) | major (16) | minor (16) | zone (32) | accuracy (32) | snapshot length (32) | link type (32)
 * record  seconds (32) | nanoseconds (32) | captured length (32) | original length (32)
 * item    version (8) | length of the kernel's name (8) | zero (16) | number (32) | device (32)
 *         | argument 0 (32) | argument 1 (32) | argument 2 (32) | name | payload
 * </pre>
 */
final class RecordFormat
{
    static final int MAGIC = 0xA1B23C4D;
    static final int MAGIC_OFFSET = 0;
    static final int MAJOR = 2;
    static final int MAJOR_OFFSET = MAGIC_OFFSET + SIZE_OF_INT;
    static final int MINOR = 4;
    static final int MINOR_OFFSET = MAJOR_OFFSET + SIZE_OF_SHORT;
    static final int SNAPSHOT_OFFSET = MINOR_OFFSET + SIZE_OF_SHORT + SIZE_OF_LONG;
    /** USER1; traces of network interfaces are USER0. */
    static final int LINK_TYPE = 148;
    static final int LINK_TYPE_OFFSET = SNAPSHOT_OFFSET + SIZE_OF_INT;
    static final int FILE_HEADER_LENGTH = LINK_TYPE_OFFSET + SIZE_OF_INT;

    static final int SECONDS_OFFSET = 0;
    static final int NANOSECONDS_OFFSET = SECONDS_OFFSET + SIZE_OF_INT;
    static final int CAPTURED_OFFSET = NANOSECONDS_OFFSET + SIZE_OF_INT;
    static final int ORIGINAL_OFFSET = CAPTURED_OFFSET + SIZE_OF_INT;
    static final int RECORD_HEADER_LENGTH = ORIGINAL_OFFSET + SIZE_OF_INT;

    static final int VERSION = 1;
    static final int VERSION_OFFSET = 0;
    static final int NAME_LENGTH_OFFSET = VERSION_OFFSET + SIZE_OF_BYTE;
    static final int NUMBER_OFFSET = NAME_LENGTH_OFFSET + SIZE_OF_BYTE + SIZE_OF_SHORT;
    static final int DEVICE_OFFSET = NUMBER_OFFSET + SIZE_OF_INT;
    static final int ARGUMENTS_OFFSET = DEVICE_OFFSET + SIZE_OF_INT;
    static final int ITEM_HEADER_LENGTH = ARGUMENTS_OFFSET + 3 * SIZE_OF_INT;
    static final int NAME_LENGTH_MAX = 0xFF;

    /** Most bytes of a record, its header excluded. */
    static final int RECORD_LENGTH_MAX = 1 << 30;

    private RecordFormat()
    {
    }
}
