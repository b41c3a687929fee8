// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

import org.grim.crypto.ClusterKey;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.Message;
import org.jgroups.PhysicalAddress;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.protocols.pbcast.JoinRsp;
import org.jgroups.stack.Protocol;
import org.jgroups.util.ByteArray;
import org.jgroups.util.MessageBatch;
import org.jgroups.util.Util;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Protocol of a stack that the user has configured, above discovery, that seals whole messages with AES-256-GCM, and
 * lets no other message pass. Without a key it passes what has no seal.
 * <pre>
 *  +----------------+ 0
 *  | magic (u64)    |
 *  | session        |    16 random bytes per channel: each has a key of its own, derived from the cluster's
 *  | sequence (u64) |    of the message in its session: the nonce
 *  | sealed message |
 *  | tag            |    16 bytes
 *  +----------------+
 * </pre>
 * What has another key, or none where there is one, is refused and counted. A host that is about to join gets the
 * reason, as a refusal to join: the only message that passes without a seal.
 * <p>Thread: those of JGroups, several at once.
 * <p>Bounds: {@value #SESSION_COUNT_MAX} sessions of others are remembered against replays.
 */
final class Seal extends Protocol
{
    static final int OVERHEAD_LENGTH = Long.BYTES + 16 + Long.BYTES + 16;

    private static final Logger LOGGER = LoggerFactory.getLogger(Seal.class);
    private static final long MAGIC = 0x4752494D_5345414CL;                     // "GRIMSEAL"
    private static final int SESSION_LENGTH = 16;
    private static final int HEADER_LENGTH = Long.BYTES + SESSION_LENGTH + Long.BYTES;
    private static final int TAG_LENGTH = 16;
    private static final int NONCE_LENGTH = 12;
    private static final int KEY_LENGTH = 32;
    private static final int SESSION_COUNT_MAX = 1024;
    private static final long LOG_NS = TimeUnit.SECONDS.toNanos(10);
    private static final String PURPOSE = "agents";
    private static final String CIPHER = "AES/GCM/NoPadding";
    private static final short GMS_ID = ClassConfigurator.getProtocolId(GMS.class);

    private final ClusterKey key;
    private final String label;
    private final byte[] session = new byte[SESSION_LENGTH];
    private final SecretKeySpec sessionKey;
    private final AtomicLong sequence = new AtomicLong();
    private final Map<ByteBuffer, Session> sessions = new LinkedHashMap<>(16, 0.75f, true)
    {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(final Map.Entry<ByteBuffer, Session> eldest)
        {
            return size() > SESSION_COUNT_MAX;
        }
    };
    private final Map<Refusal, AtomicLong> refusedCounts = new EnumMap<>(Refusal.class);
    private final AtomicLong logDeadlineNs = new AtomicLong(System.nanoTime());

    /** What is known of a channel whose messages have been opened. */
    private record Session(SecretKeySpec key, ReplayWindow window)
    {
    }

    /**
     * Makes the protocol.
     *
     * @param key   of the cluster; null for none.
     * @param label of this host, for those who are refused.
     */
    Seal(final ClusterKey key, final String label)
    {
        this.key = key;
        this.label = label;
        new SecureRandom().nextBytes(session);
        sessionKey = key == null ? null : keysOf(session).get(0);
        for (final Refusal refusal : Refusal.values())
        {
            refusedCounts.put(refusal, new AtomicLong());
        }
    }

    /** {@return how many messages were refused for a reason} */
    long refusedCount(final Refusal refusal)
    {
        return refusedCounts.get(refusal).get();
    }

    @Override
    public Object down(final Message message)
    {
        try
        {
            return down_prot.down(key == null ? message : sealed(message));
        }
        catch (final Exception ex)                      // JGroups declares no other. It sends again what matters.
        {
            LOGGER.warn("message to {} was not sealed", message.getDest(), ex);
            return null;
        }
    }

    @Override
    public Object up(final Message message)
    {
        final Message opened = opened(message);
        return opened == null ? null : up_prot.up(opened);
    }

    @Override
    public void up(final MessageBatch batch)
    {
        final Map<Address, MessageBatch> opened = new LinkedHashMap<>();
        batch.forEach(message ->
        {
            final Message each = opened(message);
            if (each != null)
            {
                opened.computeIfAbsent(each.getSrc(), sender -> new MessageBatch(batch.getDest(), sender,
                    batch.getClusterName(), batch.isMulticast(), batch.getMode(), batch.size())).add(each);
            }
        });
        opened.values().forEach(up_prot::up);
    }

    private Message sealed(final Message message) throws Exception
    {
        if (message.getSrc() == null)
        {
            message.setSrc(local_addr);
        }
        final ByteArray plain = Util.messageToBuffer(message);
        final long number = sequence.incrementAndGet();
        final ByteBuffer bytes = ByteBuffer.allocate(HEADER_LENGTH + plain.getLength() + TAG_LENGTH)
            .putLong(MAGIC).put(session).putLong(number);
        cipher(Cipher.ENCRYPT_MODE, sessionKey, number).doFinal(
            ByteBuffer.wrap(plain.getArray(), plain.getOffset(), plain.getLength()), bytes);
        return new BytesMessage(message.getDest(), bytes.array()).setSrc(message.getSrc())
            .setFlag(message.getFlags(false), false).setFlag(message.getFlags(true), true);
    }

    /** Null: it was refused. */
    private Message opened(final Message message)
    {
        final boolean isSealed = isSealed(message);
        if (key == null)
        {
            return isSealed ? refused(message, Refusal.KEY) : message;
        }
        if (!isSealed)
        {
            return isRefusalToJoin(message) ? message : refused(message, Refusal.NO_KEY);
        }
        try
        {
            return unsealed(message);
        }
        catch (final Exception ex)                      // Bad tags, bytes that are no message: JGroups declares all.
        {
            LOGGER.debug("message from {} was not opened", message.getSrc(), ex);
            return refused(message, Refusal.OTHER_KEY);
        }
    }

    private Message unsealed(final Message message) throws Exception
    {
        final ByteBuffer bytes =
            ByteBuffer.wrap(message.getArray(), message.getOffset() + Long.BYTES, message.getLength() - Long.BYTES);
        final byte[] sender = new byte[SESSION_LENGTH];
        bytes.get(sender);
        final long number = bytes.getLong();
        final Session known = session(sender);
        final List<SecretKeySpec> keys = known == null ? keysOf(sender) : List.of(known.key());
        byte[] plain = null;
        int index = -1;
        while (plain == null && index + 1 < keys.size())
        {
            index++;
            plain = plain(message, keys.get(index), number);
        }
        if (plain == null)
        {
            return refused(message, Refusal.OTHER_KEY);
        }
        final Message opened = Util.messageFromBuffer(plain, 0, plain.length);
        final Address target = opened.getDest();
        final boolean isForThisHost =
            target == null || target instanceof PhysicalAddress || target.equals(local_addr);
        return isForThisHost && window(sender, keys.get(index), number).tryTake(number) ?
            opened : refused(message, Refusal.REPLAYED);
    }

    /** Null: it was not sealed with this key. */
    private static byte[] plain(final Message message, final SecretKeySpec key, final long number)
        throws GeneralSecurityException
    {
        try
        {
            return cipher(Cipher.DECRYPT_MODE, key, number).doFinal(
                message.getArray(), message.getOffset() + HEADER_LENGTH, message.getLength() - HEADER_LENGTH);
        }
        catch (final AEADBadTagException ex)
        {
            LOGGER.trace("message from {} has another key", message.getSrc(), ex);
            return null;
        }
    }

    private Session session(final byte[] sender)
    {
        synchronized (sessions)
        {
            return sessions.get(ByteBuffer.wrap(sender));
        }
    }

    /** Remembers only senders that have the key. What was sent before the first message that came is not taken. */
    private ReplayWindow window(final byte[] sender, final SecretKeySpec senderKey, final long first)
    {
        synchronized (sessions)
        {
            return sessions.computeIfAbsent(
                ByteBuffer.wrap(sender), id -> new Session(senderKey, new ReplayWindow(first))).window();
        }
    }

    private Message refused(final Message message, final Refusal refusal)
    {
        refusedCounts.get(refusal).incrementAndGet();
        final long nowNs = System.nanoTime();
        final long deadlineNs = logDeadlineNs.get();
        if (deadlineNs - nowNs <= 0 && logDeadlineNs.compareAndSet(deadlineNs, nowNs + LOG_NS))
        {
            LOGGER.warn("host={} refuses a message from {}: {}; refused so far: {}", label, message.getSrc(),
                refusal.text(), refusedCounts);
        }
        if (refusal != Refusal.REPLAYED && message.getSrc() != null && local_addr.equals(message.getDest()))
        {
            final JoinRsp answer = new JoinRsp(refusal.text(label));
            down_prot.down(new BytesMessage(message.getSrc(), GMS.marshal(answer)).setSrc(local_addr)
                .putHeader(GMS_ID, new GMS.GmsHeader(GMS.GmsHeader.JOIN_RSP)));
        }
        return null;
    }

    private static boolean isSealed(final Message message)
    {
        return message.hasArray() && message.getLength() >= HEADER_LENGTH + TAG_LENGTH &&
            ByteBuffer.wrap(message.getArray(), message.getOffset(), Long.BYTES).getLong() == MAGIC;
    }

    /** It makes a host that is joining give up, and means nothing to others. */
    private static boolean isRefusalToJoin(final Message message)
    {
        final GMS.GmsHeader header = message.getHeader(GMS_ID);
        if (header == null || header.getType() != GMS.GmsHeader.JOIN_RSP || !message.hasArray())
        {
            return false;
        }
        try
        {
            final JoinRsp answer =
                Util.streamableFromBuffer(JoinRsp::new, message.getArray(), message.getOffset(), message.getLength());
            return answer.getFailReason() != null && answer.getView() == null && answer.getDigest() == null;
        }
        catch (final Exception ex)                      // JGroups declares no other: it is none.
        {
            LOGGER.debug("message from {} is no refusal", message.getSrc(), ex);
            return false;
        }
    }

    /** {@return the keys that a session may have, the one that this host would use first} */
    private List<SecretKeySpec> keysOf(final byte[] id)
    {
        return key.openers().stream()
            .map(opener -> new SecretKeySpec(opener.derive(PURPOSE, id, KEY_LENGTH), "AES")).toList();
    }

    private static Cipher cipher(final int mode, final SecretKeySpec key, final long number)
        throws GeneralSecurityException
    {
        final Cipher cipher = Cipher.getInstance(CIPHER);
        cipher.init(mode, key, new GCMParameterSpec(
            TAG_LENGTH * Byte.SIZE, ByteBuffer.allocate(NONCE_LENGTH).putLong(number).array()));
        return cipher;
    }
}
