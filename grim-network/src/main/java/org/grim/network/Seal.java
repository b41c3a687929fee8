// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.grim.crypto.ClusterKey;
import org.grim.crypto.Sealer;
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
 * Protocol of a stack that the user has configured, above discovery, that seals whole messages by a {@link Sealer}, and
 * lets no other message pass. Without a key it passes what has no seal.
 * <pre>
 *  +----------------+ 0
 *  | magic (u64)    |
 *  | session        |    16 random bytes per channel: each has a key of its own, derived from the cluster's
 *  | sequence (u64) |    of the message in its session: its number, from 1 on
 *  | sealed message |
 *  | tag            |    16 bytes
 *  +----------------+
 * </pre>
 * Messages with another key, or without one where one is configured, are refused and counted. A joining host gets the
 * reason in a refusal to join: the only message that passes without a seal.
 * <p>Thread: those of JGroups, several at once.
 * <p>Bounds: {@value #SESSION_COUNT_MAX} sessions of others are remembered against replays.
 */
final class Seal extends Protocol
{
    static final int OVERHEAD_LENGTH = Long.BYTES + 16 + Long.BYTES + Sealer.TAG_LENGTH;

    private static final Logger LOGGER = LoggerFactory.getLogger(Seal.class);
    private static final long MAGIC = 0x4752494D_5345414CL;                     // "GRIMSEAL"
    private static final int SESSION_LENGTH = 16;
    private static final int HEADER_LENGTH = Long.BYTES + SESSION_LENGTH + Long.BYTES;
    private static final int SESSION_COUNT_MAX = 1024;
    private static final long LOG_NS = TimeUnit.SECONDS.toNanos(10);
    private static final String PURPOSE = "agents";
    private static final short GMS_ID = ClassConfigurator.getProtocolId(GMS.class);

    private final ClusterKey key;
    private final String label;
    private final byte[] session = new byte[SESSION_LENGTH];
    private final Sealer sealer;                            // null without a key
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

    /** State of a channel whose messages have been opened. */
    private record Session(Sealer sealer, ReplayWindow window)
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
        sealer = key == null ? null : new Sealer(key, PURPOSE, session);
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
        final byte[] bytes = new byte[OVERHEAD_LENGTH + plain.getLength()];
        ByteBuffer.wrap(bytes).putLong(MAGIC).put(session).putLong(number);
        sealer.twin().seal(number, plain.getArray(), plain.getOffset(), plain.getLength(), bytes, HEADER_LENGTH);
        return new BytesMessage(message.getDest(), bytes).setSrc(message.getSrc())
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
        final byte[] plain = new byte[message.getLength() - OVERHEAD_LENGTH];
        final Sealer opener = known == null ? openerOf(message, sender, number, plain) :
            isOpened(message, known.sealer().twin(), number, plain) ? known.sealer() : null;
        if (opener == null)
        {
            return refused(message, Refusal.OTHER_KEY);
        }
        final Message opened = Util.messageFromBuffer(plain, 0, plain.length);
        final Address target = opened.getDest();
        final boolean isForThisHost =
            target == null || target instanceof PhysicalAddress || target.equals(local_addr);
        return isForThisHost && window(sender, opener, number).tryTake(number) ?
            opened : refused(message, Refusal.REPLAYED);
    }

    /** Opens a message of a session that is not known; returns null if no key does. */
    private Sealer openerOf(final Message message, final byte[] sender, final long number, final byte[] plain)
    {
        for (final ClusterKey each : key.openers())
        {
            final Sealer opener = new Sealer(each, PURPOSE, sender);
            if (isOpened(message, opener, number, plain))
            {
                return opener;
            }
        }
        return null;
    }

    private static boolean isOpened(
        final Message message, final Sealer opener, final long number, final byte[] plain)
    {
        return opener.open(number, message.getArray(), message.getOffset() + HEADER_LENGTH,
            message.getLength() - HEADER_LENGTH, plain, 0) != Sealer.REFUSED;
    }

    private Session session(final byte[] sender)
    {
        synchronized (sessions)
        {
            return sessions.get(ByteBuffer.wrap(sender));
        }
    }

    /** Remembers only senders that have the key. Messages from before the first received one are refused. */
    private ReplayWindow window(final byte[] sender, final Sealer opener, final long first)
    {
        synchronized (sessions)
        {
            return sessions.computeIfAbsent(
                ByteBuffer.wrap(sender), id -> new Session(opener, new ReplayWindow(first))).window();
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
        return message.hasArray() && message.getLength() >= OVERHEAD_LENGTH &&
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
}
