// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;

import org.grim.buffer.OwnFiles;
import org.grim.crypto.ClusterKey;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.Event;
import org.jgroups.Message;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.protocols.pbcast.JoinRsp;
import org.jgroups.stack.Protocol;
import org.jgroups.util.MessageBatch;
import org.jgroups.util.UUID;
import org.jgroups.util.Util;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Sealed messages between two hosts, one of which may have another key or none; the test is what is between them. */
final class SealTest
{
    private static final short GMS_ID = ClassConfigurator.getProtocolId(GMS.class);
    private static final byte[] TEXT = {1, 2, 3, 4, 5};

    @TempDir
    private Path directory;
    private ClusterKey key;

    @BeforeEach
    void makeKey() throws IOException
    {
        key = key(1);
    }

    @Test
    void shouldCarryWholeMessagesUnreadably() throws Exception
    {
        final End one = new End(key);
        final End two = new End(key);
        for (final Address target : new Address[] {two.address, null})
        {
            final Message sent = new BytesMessage(target, TEXT).setFlag(Message.Flag.OOB)
                .setFlag(Message.TransientFlag.DONT_LOOPBACK)
                .putHeader(GMS_ID, new GMS.GmsHeader(GMS.GmsHeader.LEAVE_REQ, one.address));

            final Message sealed = one.sealed(sent);
            two.seal.up(sealed);

            assertEquals(target, sealed.getDest());
            assertEquals(one.address, sealed.getSrc());
            assertTrue(sealed.isFlagSet(Message.Flag.OOB) && sealed.isFlagSet(Message.TransientFlag.DONT_LOOPBACK));
            assertNull(sealed.getHeader(GMS_ID));
            assertTrue(sealed.getLength() >= Seal.OVERHEAD_LENGTH + TEXT.length);
            final Message received = two.received.remove();
            assertArrayEquals(TEXT, bytes(received));
            assertEquals(one.address, received.getSrc());
            assertEquals(GMS.GmsHeader.LEAVE_REQ, received.<GMS.GmsHeader>getHeader(GMS_ID).getType());
            assertTrue(received.isFlagSet(Message.Flag.OOB));
        }
    }

    @Test
    void shouldRefuseAnyFlippedBit() throws Exception
    {
        final End one = new End(key);
        final End two = new End(key);
        final byte[] sealed = bytes(one.sealed(new BytesMessage(two.address, TEXT)));
        int refusedCount = 0;
        for (int bit = 0; bit < sealed.length * Byte.SIZE; bit++)
        {
            final byte[] changed = sealed.clone();
            changed[bit / Byte.SIZE] ^= (byte)(1 << bit % Byte.SIZE);

            two.seal.up(new BytesMessage(two.address, changed).setSrc(one.address));

            refusedCount++;
            assertTrue(two.received.isEmpty(), "bit " + bit);
        }
        for (int length = 0; length < sealed.length; length++)
        {
            two.seal.up(new BytesMessage(two.address, Arrays.copyOf(sealed, length)).setSrc(one.address));
            refusedCount++;
        }
        assertTrue(two.received.isEmpty());
        assertEquals(refusedCount,
            two.seal.refusedCount(Refusal.OTHER_KEY) + two.seal.refusedCount(Refusal.NO_KEY));

        two.seal.up(new BytesMessage(two.address, sealed).setSrc(one.address));

        assertEquals(1, two.received.size());
    }

    @Test
    void shouldRefuseWhatWasReceivedBeforeOrSentToAnother() throws Exception
    {
        final End one = new End(key);
        final End two = new End(key);
        final End three = new End(key);
        final Message early = one.sealed(new BytesMessage(two.address, TEXT));
        final Message late = one.sealed(new BytesMessage(null, TEXT));

        two.seal.up(early);
        two.seal.up(late);
        two.seal.up(early);
        two.seal.up(late);
        three.seal.up(early);
        three.seal.up(late);

        assertEquals(2, two.received.size());
        assertEquals(2, two.seal.refusedCount(Refusal.REPLAYED));
        assertEquals(1, three.received.size());
        assertEquals(1, three.seal.refusedCount(Refusal.REPLAYED));
        assertTrue(two.sent.isEmpty() && three.sent.isEmpty());
    }

    @Test
    void shouldRefuseWhatWasRecordedBeforeTheFirstThatItHeard() throws Exception
    {
        final End one = new End(key);
        final List<Message> recorded = new ArrayList<>();
        for (int i = 0; i < 50; i++)
        {
            recorded.add(one.sealed(new BytesMessage(null, TEXT)));
        }
        final Message live = one.sealed(new BytesMessage(null, TEXT));
        final End fresh = new End(key);

        fresh.seal.up(live);
        recorded.forEach(fresh.seal::up);

        assertEquals(1, fresh.received.size());
        assertEquals(50, fresh.seal.refusedCount(Refusal.REPLAYED));
    }

    @Test
    void shouldHandOnABatchWithTheSenderWhoSealedIt() throws Exception
    {
        final End one = new End(key);
        final End other = new End(key);
        final End two = new End(key);
        final MessageBatch batch = new MessageBatch(8).setDest(two.address).setSender(UUID.randomUUID());
        batch.add(one.sealed(new BytesMessage(two.address, TEXT)));
        batch.add(other.sealed(new BytesMessage(two.address, TEXT)));

        two.seal.up(batch);

        assertEquals(List.of(one.address, other.address), two.batchSenders);
        assertEquals(List.of(one.address, other.address), two.received.stream().map(Message::getSrc).toList());
    }

    @Test
    void shouldOpenWhatWasSealedWithTheSecondKey() throws Exception
    {
        final String first = file(1).toString();
        final String second = file(2).toString();
        final End before = new End(ClusterKey.read(first, ""));
        final End prepared = new End(ClusterKey.read(first, second));
        final End changed = new End(ClusterKey.read(second, first));
        final End after = new End(ClusterKey.read(second, ""));

        assertTrue(prepared.takes(before) && prepared.takes(changed) && prepared.takes(after));
        assertTrue(changed.takes(before) && changed.takes(prepared) && changed.takes(after));
        assertTrue(before.takes(prepared) && !before.takes(changed) && !before.takes(after));
        assertTrue(after.takes(changed) && !after.takes(prepared) && !after.takes(before));
    }

    @Test
    void shouldTellWhoHasAnotherKeyOrNone() throws Exception
    {
        final End good = new End(key);
        final End foreign = new End(key(2));
        final End open = new End(null);

        assertEquals("host=here refuses it: its key is not this cluster's (grim.network.key-file)",
            answer(foreign, good));
        assertEquals("host=here refuses it: it has no key, and this cluster has one (grim.network.key-file)",
            answer(open, good));
        assertEquals("host=here refuses it: it has a key, and this cluster has none (grim.network.key-file)",
            answer(good, open));
        assertEquals(1, good.seal.refusedCount(Refusal.OTHER_KEY));
        assertEquals(1, good.seal.refusedCount(Refusal.NO_KEY));
        assertEquals(1, open.seal.refusedCount(Refusal.KEY));
    }

    @Test
    void shouldAnswerNoMulticast() throws Exception
    {
        final End good = new End(key);

        good.seal.up(new End(null).sealed(new BytesMessage(null, TEXT)));

        assertTrue(good.received.isEmpty() && good.sent.isEmpty());
    }

    @Test
    void shouldOpenBatches() throws Exception
    {
        final End one = new End(key);
        final End two = new End(key);
        final MessageBatch batch = new MessageBatch(8).setDest(two.address).setSender(one.address);
        batch.add(one.sealed(new BytesMessage(two.address, TEXT)));
        batch.add(new BytesMessage(two.address, TEXT).setSrc(one.address));
        batch.add(one.sealed(new BytesMessage(two.address, TEXT)));

        two.seal.up(batch);

        assertEquals(2, two.received.size());
        assertEquals(1, two.seal.refusedCount(Refusal.NO_KEY));
    }

    @Test
    void shouldRememberTheLatestSequences()
    {
        final ReplayWindow window = new ReplayWindow(1);

        assertFalse(window.tryTake(0));
        assertFalse(window.tryTake(-1));
        assertTrue(window.tryTake(1));
        assertTrue(window.tryTake(10_000));
        assertFalse(window.tryTake(10_000 - ReplayWindow.LENGTH));
        assertTrue(window.tryTake(10_001 - ReplayWindow.LENGTH));
        assertFalse(window.tryTake(10_001 - ReplayWindow.LENGTH));
        assertTrue(window.tryTake(10_002));
        assertTrue(window.tryTake(10_001));
        assertFalse(window.tryTake(10_001));
        assertFalse(window.tryTake(10_002));
        assertTrue(window.tryTake(Long.MAX_VALUE));
        assertFalse(window.tryTake(10_003));
        assertFalse(new ReplayWindow(5).tryTake(4));
        assertTrue(new ReplayWindow(5).tryTake(5));
    }

    /** Answer to a host that sends to another; it arrives with any key. */
    private static String answer(final End asking, final End asked) throws Exception
    {
        asked.seal.up(asking.sealed(new BytesMessage(asked.address, TEXT)));
        assertTrue(asked.received.isEmpty());
        asking.seal.up(asked.sent.remove());
        final byte[] bytes = bytes(asking.received.remove());
        return Util.streamableFromBuffer(JoinRsp::new, bytes, 0, bytes.length).getFailReason();
    }

    private ClusterKey key(final int value) throws IOException
    {
        return ClusterKey.read(file(value));
    }

    private Path file(final int value) throws IOException
    {
        final byte[] secret = new byte[ClusterKey.LENGTH_MIN];
        Arrays.fill(secret, (byte)value);
        final Path file = directory.resolve(Integer.toString(value));
        return Files.exists(file) ? file : Files.write(Files.createFile(file, OwnFiles.fileMode()), secret);
    }

    private static byte[] bytes(final Message message)
    {
        return Arrays.copyOfRange(
            message.getArray(), message.getOffset(), message.getOffset() + message.getLength());
    }

    /** A host's protocol, and what it sends and receives. */
    private static final class End
    {
        private final Address address = UUID.randomUUID();
        private final Queue<Message> received = new ArrayDeque<>();
        private final Queue<Message> sent = new ArrayDeque<>();
        private final List<Address> batchSenders = new ArrayList<>();
        private final Seal seal;

        private End(final ClusterKey key)
        {
            seal = new Seal(key, "here");
            seal.setAddress(address);
            seal.setUpProtocol(new Neighbour(received, batchSenders));
            seal.setDownProtocol(new Neighbour(sent, batchSenders));
        }

        private Message sealed(final Message message)
        {
            seal.down(message.setSrc(address));
            return sent.remove();
        }

        /** Whether it opens a message that another has sealed. */
        private boolean takes(final End sender)
        {
            received.clear();
            seal.up(sender.sealed(new BytesMessage(address, TEXT)));
            sent.clear();
            return !received.isEmpty();
        }
    }

    /** Keeps what comes. */
    private static final class Neighbour extends Protocol
    {
        private final Queue<Message> messages;
        private final List<Address> batchSenders;

        private Neighbour(final Queue<Message> messages, final List<Address> batchSenders)
        {
            this.messages = messages;
            this.batchSenders = batchSenders;
        }

        @Override
        public Object up(final Event event)
        {
            return null;
        }

        @Override
        public Object down(final Event event)
        {
            return null;
        }

        @Override
        public Object up(final Message message)
        {
            messages.add(message);
            return null;
        }

        @Override
        public Object down(final Message message)
        {
            messages.add(message);
            return null;
        }

        @Override
        public void up(final MessageBatch batch)
        {
            batchSenders.add(batch.sender());
            batch.forEach(messages::add);
        }
    }
}
