// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.nio.ByteOrder;
import java.util.Objects;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;
import static org.grim.GrimException.Reason.BAD_DATA;

/**
 * Name of registered memory of a node, or of a part of it, for {@link RemoteLink}. A node makes one by
 * {@link MemoryRegion#remote()} and sends it in a message. Its length and rights are checked before an operation is
 * sent; whether the memory still is there, only its node knows.
 * <p>Thread: any; immutable. In a buffer it takes {@value #LENGTH} bytes, little endian:
 * <pre>
 *  +---------+--------+------------------------+--------------------------------------------------+
 *  | address | length | endpoint's key (24 u)  | flags: 0 peers may read, 1 write, 2 is physical; |
 *  |   64    |   64 u |        32              | 32, all others 0                                 |
 *  +---------+--------+------------------------+--------------------------------------------------+
 * </pre>
 *
 * @param endpoint   whose memory it is: an endpoint of the node.
 * @param address    of the first byte, as the node counts.
 * @param length     bytes, 0 or more.
 * @param rights     of peers.
 * @param isPhysical whether the address is physical (RM-P): the target looks nothing up; such a region is only written.
 */
public record RemoteRegion(
    EndpointId endpoint, long address, long length, MemoryRegion.Rights rights, boolean isPhysical)
{
    /** Bytes that a region takes in a buffer. */
    public static final int LENGTH = 24;

    private static final int ADDRESS_OFFSET = 0;
    private static final int LENGTH_OFFSET = ADDRESS_OFFSET + SIZE_OF_LONG;
    private static final int KEY_OFFSET = LENGTH_OFFSET + SIZE_OF_LONG;
    private static final int FLAGS_OFFSET = KEY_OFFSET + SIZE_OF_INT;
    private static final int KEY_MAX = (1 << 24) - 1;
    private static final int PHYSICAL_FLAG = 1 << 2;
    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

    /**
     * Names memory; for those that cannot ask its {@link MemoryRegion}.
     *
     * @param endpoint   of the node.
     * @param address    of the first byte.
     * @param length     bytes.
     * @param rights     of peers.
     * @param isPhysical whether the address is physical.
     * @throws IllegalArgumentException if the length is negative.
     */
    public RemoteRegion
    {
        Objects.requireNonNull(endpoint, "endpoint");
        Objects.requireNonNull(rights, "rights");
        if (length < 0)
        {
            throw new IllegalArgumentException("region length=" + length + " is less than min=0");
        }
    }

    /**
     * Names a part of it: four bytes of it are a notification word.
     *
     * @param offset     first byte of the part.
     * @param partLength bytes of the part.
     * @return the part, a new value: keep it where operations are many.
     * @throws IllegalArgumentException if it does not lie within this region.
     */
    public RemoteRegion slice(final long offset, final long partLength)
    {
        if (offset < 0 || partLength < 0 || offset > length - partLength)
        {
            throw new IllegalArgumentException("part offset=" + offset + " length=" + partLength +
                " exceeds region length=" + length);
        }
        return new RemoteRegion(endpoint, address + offset, partLength, rights, isPhysical);
    }

    /**
     * Writes it into a message.
     *
     * @param target of the bytes.
     * @param offset first of {@value #LENGTH}.
     * @throws IndexOutOfBoundsException if the target has not got them; nothing is written.
     */
    public void writeTo(final MutableDirectBuffer target, final int offset)
    {
        Objects.requireNonNull(target, "target").boundsCheck(offset, LENGTH);
        target.putLong(offset + ADDRESS_OFFSET, address, ORDER);
        target.putLong(offset + LENGTH_OFFSET, length, ORDER);
        target.putInt(offset + KEY_OFFSET, endpoint.key(), ORDER);
        target.putInt(offset + FLAGS_OFFSET, rights.bits() | (isPhysical ? PHYSICAL_FLAG : 0), ORDER);
    }

    /**
     * Reads one that {@link #writeTo} wrote, from a message, for example. Each byte is read once.
     *
     * @param source    of the bytes.
     * @param offset    first byte.
     * @param available bytes from there on that belong to the message, {@value #LENGTH} or more.
     * @return the region.
     * @throws GrimException             ({@link GrimException.Reason#BAD_DATA}) if the bytes are none.
     * @throws IndexOutOfBoundsException if they do not lie within the source.
     */
    public static RemoteRegion readFrom(final DirectBuffer source, final int offset, final int available)
    {
        if (available < LENGTH)
        {
            throw new GrimException(BAD_DATA, "remote region of length=" + available + " bytes, expected " + LENGTH);
        }
        source.boundsCheck(offset, LENGTH);
        final long length = source.getLong(offset + LENGTH_OFFSET, ORDER);
        final int key = source.getInt(offset + KEY_OFFSET, ORDER);
        final int flags = source.getInt(offset + FLAGS_OFFSET, ORDER);
        final MemoryRegion.Rights rights = MemoryRegion.Rights.ofBits(flags & ~PHYSICAL_FLAG);
        if (length < 0 || key < 0 || key > KEY_MAX || rights == null)
        {
            throw new GrimException(BAD_DATA, "remote region is corrupt: length=" + length + " key=0x" +
                Integer.toHexString(key) + " flags=0x" + Integer.toHexString(flags));
        }
        return new RemoteRegion(EndpointId.ofKey(key), source.getLong(offset + ADDRESS_OFFSET, ORDER), length, rights,
            (flags & PHYSICAL_FLAG) != 0);
    }
}
