// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.CompositeMessage;
import org.jgroups.EmptyMessage;
import org.jgroups.LongMessage;
import org.jgroups.Message;
import org.jgroups.ObjectMessage;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.FORK;
import org.jgroups.protocols.FRAG2;
import org.jgroups.protocols.FragHeader;
import org.jgroups.protocols.TP;
import org.jgroups.protocols.TpHeader;
import org.jgroups.protocols.UnicastHeader3;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.protocols.relay.SiteUUID;
import org.jgroups.util.AsciiString;
import org.jgroups.util.ByteArrayDataOutputStream;
import org.jgroups.util.Digest;
import org.jgroups.util.SeqnoList;
import org.jgroups.util.UUID;
import org.jgroups.util.Util;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Frames as JGroups makes them, and as a stranger does who knows how. */
final class MessageGuardTest
{
    private static final short GMS_ID = ClassConfigurator.getProtocolId(GMS.class);
    private static final short TP_ID = ClassConfigurator.getProtocolId(TP.class);
    private static final short FRAG_ID = ClassConfigurator.getProtocolId(FRAG2.class);
    private static final byte[] TEXT = {1, 2, 3, 4, 5};

    private final Address one = UUID.randomUUID();
    private final Address two = UUID.randomUUID();

    @Test
    void shouldLetThroughWhatTheStackSends() throws Exception
    {
        final SeqnoList missing = new SeqnoList(100, 5).add(6, 70);
        final Digest digest = new Digest(new Address[] {one, two}, new long[] {1, 2, 3, 4});
        final List<Message> messages = List.of(
            new BytesMessage(two, TEXT), new BytesMessage(two), new EmptyMessage(null), new LongMessage(two, 1L << 40),
            new ObjectMessage(two, missing), new ObjectMessage(null, digest), new ObjectMessage(two),
            new EmptyMessage(two).putHeader(GMS_ID, new GMS.GmsHeader(GMS.GmsHeader.LEAVE_REQ, one)),
            new BytesMessage(two, new byte[60_000]).putHeader(FRAG_ID, new FragHeader(1, 0, 3)));

        for (final Message message : messages)
        {
            message.setSrc(one).putHeader(TP_ID, new TpHeader(new AsciiString("grim-test")))
                .putHeader((short)12, UnicastHeader3.createDataHeader(1, (short)1, true));

            assertEquals(one, MessageGuard.sender(frame(message)));
        }
        assertEquals(one, MessageGuard.sender(batch(messages)));
    }

    @Test
    void shouldRefuseOtherKindsOfMessages() throws Exception
    {
        refuse("serialized payload", frame(new ObjectMessage(two, new Thread.State[0])));
        refuse("serialized payload", frame(new BytesMessage(two, TEXT).setFlag(Message.Flag.SERIALIZED)));
        refuse("message type=", frame(new CompositeMessage(two, new EmptyMessage(two))));
        refuse("address type", frame(new EmptyMessage(new SiteUUID((UUID)two, "name", "site"))));
        refuse("header type", frame(new EmptyMessage(two).putHeader((short)1, new FORK.ForkHeader("a", "b"))));
    }

    /** As the probe that made an object of a class of the victim's class path. */
    @Test
    void shouldRefuseAClassByName() throws Exception
    {
        final byte[] plain = frame(new ObjectMessage(two));
        final ByteArrayDataOutputStream named = new ByteArrayDataOutputStream(256);
        named.write(plain, 0, plain.length - 1);                // Its last byte says: no object.
        named.writeByte(1);
        named.writeShort(-1);
        named.writeUTF("java.lang.Object");

        refuse("class number=-1", Arrays.copyOf(named.buffer(), named.position()));
    }

    @Test
    void shouldTrustNoLength() throws Exception
    {
        final byte[] payload = frame(new BytesMessage(two, TEXT));
        ByteBuffer.wrap(payload).putInt(payload.length - TEXT.length - Integer.BYTES, 150 << 20);
        final byte[] bits = frame(new ObjectMessage(two, new SeqnoList(100, 5)));
        ByteBuffer.wrap(bits).putInt(bits.length - Integer.BYTES - Long.BYTES - 2 * Long.BYTES, Integer.MAX_VALUE);
        final byte[] count = batch(List.of(new EmptyMessage(two)));
        ByteBuffer.wrap(count).putInt(countOffset(), 1 << 30);

        refuse("length=157286400", payload);
        refuse("length=", bits);
        refuse("message count=1073741824", count);
        refuse("fragment count=2147483647", frame(
            new BytesMessage(two, TEXT).putHeader(FRAG_ID, new FragHeader(1, 0, Integer.MAX_VALUE))));
    }

    @Test
    void shouldRefuseEveryPartOfAFrame() throws Exception
    {
        final byte[] whole = batch(List.of(new BytesMessage(two, TEXT).setSrc(one), new LongMessage(two, 7)));

        for (int length = 0; length < whole.length; length++)
        {
            final byte[] part = Arrays.copyOf(whole, length);
            assertThrows(IOException.class, () -> MessageGuard.sender(part));
        }
        refuse("bytes behind the messages=1", Arrays.copyOf(whole, whole.length + 1));
    }

    private static void refuse(final String reason, final byte[] frame)
    {
        final String text = assertThrows(IOException.class, () -> MessageGuard.sender(frame)).getMessage();
        assertTrue(text.contains(reason), text);
    }

    private static byte[] frame(final Message message) throws IOException
    {
        final ByteArrayDataOutputStream out = new ByteArrayDataOutputStream(256);
        Util.writeMessage(message, out, message.getDest() == null);
        return Arrays.copyOf(out.buffer(), out.position());
    }

    private byte[] batch(final List<Message> messages) throws IOException
    {
        final ByteArrayDataOutputStream out = new ByteArrayDataOutputStream(256);
        Util.writeMessageList(two, one, new byte[] {'x'}, messages, out, false);
        return Arrays.copyOf(out.buffer(), out.position());
    }

    /** Of the count of messages in a batch. */
    private int countOffset()
    {
        return Short.BYTES + Byte.BYTES + Util.size(two) + Util.size(one) + Short.BYTES + 1;
    }
}
