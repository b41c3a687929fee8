// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.collections.Long2ObjectHashMap;
import org.grim.RejectReason;
import org.grim.aeron.observe.Party;
import org.grim.crypto.ClusterKey;
import org.grim.crypto.Sealer;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;

/**
 * Makes the seals of a node's hops with the cluster's key, and knows the envelope of what can be opened by itself:
 * hellos and reports. With its address a node publishes a mark, some random characters that go into the keys of all
 * hops to it: what was recorded in an earlier life of the cluster opens no more.
 * <pre>
 *   0  magic (u32)                       4  version (u32)
 *   8  source: node (u32)               12  source: incarnation (u32)
 *  16  random bytes of the key          32  place (u64)
 *  40  sealed message
 * </pre>
 * Little endian; offsets in bytes. The sender writes, the receiver reads.
 * <p>Thread: any.
 */
final class HopSeals
{
    static final int MAGIC_OFFSET = 0;
    static final int VERSION_OFFSET = MAGIC_OFFSET + SIZE_OF_INT;
    static final int NODE_OFFSET = VERSION_OFFSET + SIZE_OF_INT;
    static final int INCARNATION_OFFSET = NODE_OFFSET + SIZE_OF_INT;
    static final int SALT_OFFSET = INCARNATION_OFFSET + SIZE_OF_INT;
    static final int PLACE_OFFSET = SALT_OFFSET + FrameSeal.SALT_LENGTH;
    static final int MESSAGE_OFFSET = PLACE_OFFSET + SIZE_OF_LONG;
    /** Bytes on top of a message. */
    static final int OVERHEAD_LENGTH = MESSAGE_OFFSET + Sealer.TAG_LENGTH;

    private static final int MAGIC = 0x4C534D47;            // "GMSL"
    private static final int VERSION = 2;                   // 1: nonces were little endian
    private static final char MARK = '#';
    private static final int MARK_LENGTH = 6;               // An address with it has room in the longest of IPv6.
    private static final int SOURCE_COUNT_MAX = 1024;

    private final ClusterKey key;
    private final Party self;
    private final String mark;
    private final Long2ObjectHashMap<FrameSeal> opened = new Long2ObjectHashMap<>();

    HopSeals(final ClusterKey key, final Party self)
    {
        this.key = key;
        this.self = self;
        final byte[] random = new byte[MARK_LENGTH];
        new SecureRandom().nextBytes(random);
        mark = Base64.getUrlEncoder().encodeToString(random).substring(0, MARK_LENGTH);
    }

    /** {@return what a node with this key publishes for an endpoint} */
    String address(final String endpoint)
    {
        return endpoint + MARK + mark;
    }

    /** {@return where an address is reached: what stands before its mark} */
    static String endpoint(final String address)
    {
        final int index = address.indexOf(MARK);
        return index < 0 ? address : address.substring(0, index);
    }

    /** {@return whether an address is that of a node with a key} */
    static boolean hasKey(final String address)
    {
        return address.indexOf(MARK) >= 0;
    }

    /** {@return the seal of a new hop to a node} */
    FrameSeal newSeal(final String address, final Party destination)
    {
        return new FrameSeal(
            key, FrameSeal.newSalt(), address.substring(address.indexOf(MARK) + 1), self, destination);
    }

    /**
     * Seals a message in an envelope; it takes its place.
     *
     * @return bytes of both.
     */
    static int wrap(
        final FrameSeal seal, final DirectBuffer message, final int length, final MutableDirectBuffer target)
    {
        target.putInt(MAGIC_OFFSET, MAGIC, LITTLE_ENDIAN);
        target.putInt(VERSION_OFFSET, VERSION, LITTLE_ENDIAN);
        target.putInt(NODE_OFFSET, seal.source().node(), LITTLE_ENDIAN);
        target.putInt(INCARNATION_OFFSET, seal.source().incarnation(), LITTLE_ENDIAN);
        target.putBytes(SALT_OFFSET, seal.salt());
        target.putLong(PLACE_OFFSET, seal.place(), LITTLE_ENDIAN);
        final int sealedLength = seal.seal(message, 0, length);
        target.putBytes(MESSAGE_OFFSET, seal.sealed(), 0, sealedLength);
        seal.advance();
        return MESSAGE_OFFSET + sealedLength;
    }

    /** Whether this is an envelope. */
    static boolean isSealed(final DirectBuffer buffer, final int offset, final int length)
    {
        return length >= OVERHEAD_LENGTH && buffer.getInt(offset + MAGIC_OFFSET, LITTLE_ENDIAN) == MAGIC;
    }

    /**
     * Judges what begins a hop.
     *
     * @param seals of this node; null if it has no key.
     * @return null if it is sealed, and this node has a key, or neither.
     */
    static RejectReason invalid(
        final HopSeals seals, final DirectBuffer buffer, final int offset, final int length)
    {
        final boolean isSealed = isSealed(buffer, offset, length);
        return isSealed == (seals != null) ? null : isSealed ? RejectReason.BAD_SEAL : RejectReason.NO_SEAL;
    }

    /**
     * Opens an envelope.
     *
     * @param target with room for the message, which has {@value #OVERHEAD_LENGTH} bytes less.
     * @return the seal, for what comes next in this hop; null if it does not open.
     */
    synchronized FrameSeal open(
        final DirectBuffer buffer, final int offset, final int length, final MutableDirectBuffer target)
    {
        if (!isSealed(buffer, offset, length) || buffer.getInt(offset + VERSION_OFFSET, LITTLE_ENDIAN) != VERSION)
        {
            return null;
        }
        final Party source = new Party(buffer.getInt(offset + NODE_OFFSET, LITTLE_ENDIAN),
            buffer.getInt(offset + INCARNATION_OFFSET, LITTLE_ENDIAN));
        final byte[] salt = new byte[FrameSeal.SALT_LENGTH];
        buffer.getBytes(offset + SALT_OFFSET, salt);
        for (final ClusterKey opener : key.openers())
        {
            final FrameSeal seal = new FrameSeal(opener, salt, mark, source, self);
            if (isOpened(seal, buffer, offset, length, target))
            {
                return seal;
            }
        }
        return null;
    }

    /**
     * Opens an envelope of a frequent source: the latest key of each source is kept. Earlier envelopes may come again.
     * Returns false if it does not open.
     */
    synchronized boolean tryOpenNext(
        final DirectBuffer buffer, final int offset, final int length, final MutableDirectBuffer target)
    {
        if (!isSealed(buffer, offset, length))
        {
            return false;
        }
        final long source = buffer.getLong(offset + NODE_OFFSET, LITTLE_ENDIAN);
        final FrameSeal known = opened.get(source);
        final byte[] salt = new byte[FrameSeal.SALT_LENGTH];
        buffer.getBytes(offset + SALT_OFFSET, salt);
        if (known != null && Arrays.equals(known.salt(), salt))
        {
            return isOpened(known, buffer, offset, length, target);
        }
        final FrameSeal seal = open(buffer, offset, length, target);
        if (seal == null)
        {
            return false;
        }
        if (opened.size() == SOURCE_COUNT_MAX)
        {
            opened.clear();
        }
        opened.put(source, seal);
        return true;
    }

    private static boolean isOpened(
        final FrameSeal seal, final DirectBuffer buffer, final int offset, final int length,
        final MutableDirectBuffer target)
    {
        seal.place(buffer.getLong(offset + PLACE_OFFSET, LITTLE_ENDIAN));
        final boolean isOpened =
            seal.open(buffer, offset + MESSAGE_OFFSET, length - MESSAGE_OFFSET, target) != Sealer.REFUSED;
        seal.advance();
        return isOpened;
    }
}
