// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.io.IOException;
import java.net.ProtocolException;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jgroups.Address;
import org.jgroups.Header;
import org.jgroups.Message;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.FailureDetection;
import org.jgroups.protocols.FcHeader;
import org.jgroups.protocols.FragHeader;
import org.jgroups.protocols.MERGE3;
import org.jgroups.protocols.PingHeader;
import org.jgroups.protocols.TP;
import org.jgroups.protocols.TpHeader;
import org.jgroups.protocols.UnicastHeader3;
import org.jgroups.protocols.VERIFY_SUSPECT2;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.protocols.pbcast.NakAckHeader2;
import org.jgroups.protocols.pbcast.STABLE;
import org.jgroups.util.Bits;
import org.jgroups.util.ByteArrayDataInputStream;
import org.jgroups.util.Digest;
import org.jgroups.util.MutableDigest;
import org.jgroups.util.SeqnoList;
import org.jgroups.util.Util;

/**
 * Reads a frame before JGroups does, which takes the memory that lengths announce, and makes objects of every class
 * that is named: lets through only kinds of messages and headers that the stack of {@link GroupStack} sends, whose
 * lengths fit the frame.
 * <p>Thread: any; no state.
 */
final class MessageGuard
{
    private static final int PREFIX_LENGTH = Short.BYTES + Byte.BYTES;          // Version, and flags of the frame.
    private static final int DESTINATION = 1;
    private static final int SOURCE = 1 << 1;
    private static final int HEADER_COUNT_MAX = 16;
    private static final int FRAGMENT_COUNT_MAX = 4096;
    private static final short NAMED = -1;
    private static final Map<Short, Supplier<? extends Header>> HEADERS = Stream.<Supplier<? extends Header>>of(
        TpHeader::new, PingHeader::new, MERGE3.MergeHeader::new, FailureDetection.HeartbeatHeader::new,
        VERIFY_SUSPECT2.VerifyHeader::new, NakAckHeader2::new, UnicastHeader3::new, STABLE.StableHeader::new,
        GMS.GmsHeader::new, FcHeader::new, FragHeader::new)
        .collect(Collectors.toMap(maker -> maker.get().getMagicId(), Function.identity()));
    private static final short SEQUENCES = ClassConfigurator.getMagicNumber(SeqnoList.class);
    private static final Set<Short> DIGESTS = Stream.of(Digest.class, MutableDigest.class)
        .map(ClassConfigurator::getMagicNumber).filter(number -> number != NAMED).collect(Collectors.toSet());

    private MessageGuard()
    {
    }

    /**
     * Reads a frame.
     *
     * @return the first sender that it names; null if it names none.
     * @throws IOException              if it holds what agents do not send.
     * @throws IllegalArgumentException likewise.
     */
    static Address sender(final byte[] frame) throws IOException
    {
        require(frame.length >= PREFIX_LENGTH, "frame length", frame.length);
        final ByteArrayDataInputStream in = new ByteArrayDataInputStream(frame);
        try
        {
            in.skipBytes(Short.BYTES);
            final Address sender = (in.readByte() & TP.LIST) == 0 ? message(in) : batch(in);
            require(in.limit() == in.position(), "bytes behind the messages", in.limit() - in.position());
            return sender;
        }
        catch (final ClassNotFoundException | RuntimeException ex)
        {
            throw new ProtocolException("no message of an agent: " + ex);
        }
    }

    private static Address batch(final ByteArrayDataInputStream in) throws IOException, ClassNotFoundException
    {
        address(in);
        final Address sender = address(in);
        final int nameLength = in.readShort();
        skip(in, Math.max(0, nameLength));
        final int count = in.readInt();
        require(count >= 0 && count <= remaining(in), "message count", count);
        for (int i = 0; i < count; i++)
        {
            message(in);
        }
        return sender;
    }

    private static Address message(final ByteArrayDataInputStream in) throws IOException, ClassNotFoundException
    {
        final short type = in.readShort();
        final int leading = in.readByte();
        final int flags = in.readShort();
        require((flags & Message.Flag.SERIALIZED.value()) == 0, "serialized payload, flags", flags);
        if ((leading & DESTINATION) != 0)
        {
            address(in);
        }
        final Address sender = (leading & SOURCE) == 0 ? null : address(in);
        final int headerCount = in.readShort();
        require(headerCount >= 0 && headerCount <= HEADER_COUNT_MAX, "header count", headerCount);
        for (int i = 0; i < headerCount; i++)
        {
            header(in);
        }
        payload(type, in);
        return sender;
    }

    private static void header(final ByteArrayDataInputStream in) throws IOException, ClassNotFoundException
    {
        in.skipBytes(Short.BYTES);                              // Of which protocol.
        final short number = in.readShort();
        final Supplier<? extends Header> maker = HEADERS.get(number);
        require(maker != null, "header type", number);
        final Header header = maker.get();
        header.readFrom(in);
        if (header instanceof final FragHeader fragment)
        {
            require(!fragment.needsDeserialization() && fragment.num_frags >= 0 &&
                fragment.num_frags <= FRAGMENT_COUNT_MAX, "fragment count", fragment.num_frags);
        }
    }

    private static void payload(final short type, final ByteArrayDataInputStream in)
        throws IOException, ClassNotFoundException
    {
        switch (type)
        {
            case Message.EMPTY_MSG -> skip(in, 0);
            case Message.BYTES_MSG -> skip(in, Math.max(0, in.readInt()));
            case Message.LONG_MSG -> Bits.readLongCompressed(in);
            case Message.OBJ_MSG -> object(in);
            default -> throw new ProtocolException("message type=" + type + " is none of the agents'");
        }
    }

    /** Which messages are missing, or how far members are. */
    private static void object(final ByteArrayDataInputStream in) throws IOException, ClassNotFoundException
    {
        if (in.readByte() == 0)
        {
            return;
        }
        final short number = in.readShort();
        if (number == SEQUENCES && number != NAMED)
        {
            final int bitCount = in.readInt();
            require(bitCount >= 0, "bit count", bitCount);
            skip(in, Long.BYTES + Long.BYTES * (((long)bitCount + Long.SIZE - 1) / Long.SIZE));
        }
        else
        {
            require(DIGESTS.contains(number), "class number", number);
            new Digest().readFrom(in);
        }
    }

    private static Address address(final ByteArrayDataInputStream in) throws IOException, ClassNotFoundException
    {
        final int position = in.position();
        final int kind = in.readByte();
        require((kind & (Address.NULL | Address.UUID_ADDR | Address.IP_ADDR)) != 0, "address type", kind);
        return Util.readAddress(in.position(position));
    }

    private static void skip(final ByteArrayDataInputStream in, final long length) throws ProtocolException
    {
        require(length <= remaining(in), "length", length);
        in.skipBytes((int)length);
    }

    private static int remaining(final ByteArrayDataInputStream in)
    {
        return in.limit() - in.position();
    }

    private static void require(final boolean isSo, final String name, final long value) throws ProtocolException
    {
        if (!isSo)
        {
            throw new ProtocolException(name + '=' + value + " is none that agents send");
        }
    }
}
