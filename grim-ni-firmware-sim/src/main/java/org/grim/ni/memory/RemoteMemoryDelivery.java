// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.memory;

import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.RemoteLink.SignalOperation;
import org.grim.board.BoardGeometry;
import org.grim.board.ChannelRegisters;
import org.grim.board.TranslationDescriptor;
import org.grim.buffer.AtomicWord;
import org.grim.wire.MessageHeader;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.grim.board.ChannelRegisters.DELIVERED;
import static org.grim.wire.RemoteMemoryFormat.COMPARAND_OFFSET;
import static org.grim.wire.RemoteMemoryFormat.OPERAND_OFFSET;

/**
 * Executes remote-memory messages: writes, reads, atomic operations, and the replies of these two. All addresses and
 * rights are judged, and addresses translated, before the first byte moves; the notification word follows the last
 * byte, in an engine that keeps order.
 * <p>Data of a write goes to its target as it arrives. A packet that is cut leaves bytes there that nothing announces:
 * as for every one-sided write, the target's content is undefined until the notification.
 * <p>Thread: the board's stepper. Never allocates after construction.
 */
@SuppressWarnings("exports")              // The board's layout is open to GRIM's own modules only.
public final class RemoteMemoryDelivery implements Delivery
{
    private static final int PAGE_MASK = TranslationDescriptor.PAGE_LENGTH - 1;

    private final ChannelRegisters[] registers;
    private final HostAccess host;
    private final RegisteredParts parts;
    private final TranslationCache cache;
    private final TranslationService translations;
    private final MessageSink replies;
    private final RefuseCounters refusals;
    private final RemoteOperation operation = new RemoteOperation();
    private final PieceList pieces = new PieceList();
    private final MessageHeader replyHeader = new MessageHeader();
    private long executedCount;
    private DirectBuffer packet;
    private int packetOffset;
    private int length;
    private int channel;
    private long notification;
    private int startedCount;
    private int replyIndex;
    private boolean needsNotification;
    private boolean isBusy;

    /**
     * A delivery with nothing to do.
     *
     * @param sram         of the board.
     * @param geometry     of it.
     * @param host         whose memory is written and read.
     * @param parts        that addresses of RM-P lead into.
     * @param cache        of translations.
     * @param translations that asks for what the cache misses.
     * @param replies      that takes the replies to reads.
     * @param refusals     to count in.
     */
    public RemoteMemoryDelivery(
        final AtomicBuffer sram, final BoardGeometry geometry, final HostAccess host, final RegisteredParts parts,
        final TranslationCache cache, final TranslationService translations, final MessageSink replies,
        final RefuseCounters refusals)
    {
        registers = new ChannelRegisters[geometry.channelCount()];
        for (int i = 0; i < registers.length; i++)
        {
            registers[i] = new ChannelRegisters(sram, geometry, i);
        }
        this.host = host;
        this.cache = cache;
        this.translations = translations;
        this.replies = replies;
        this.refusals = refusals;
        this.parts = parts;
    }

    @Override
    public Verdict begin(
        final int newChannel, final DirectBuffer newPacket, final int newOffset, final int newLength)
    {
        final int context = host.contextOf(newChannel);
        if (!host.hasContext(context))
        {
            return refusals.refuse(RefuseReason.NO_CONTEXT);
        }
        final RefuseReason reason = operation.read(context, newPacket, newOffset);
        if (reason != null)
        {
            return refusals.refuse(reason);
        }
        if (operation.hasReply() && replyLength() > replies.messageLengthMax())
        {
            return refusals.refuse(RefuseReason.REPLY_TOO_LARGE);
        }
        final Verdict verdict = operation.isPhysical() ? locatePhysical() : locateVirtual();
        if (verdict != Verdict.TAKE)
        {
            return verdict;
        }
        if (operation.hasReply() && !beginReply())
        {
            return Verdict.NO_ROOM;
        }
        packet = newPacket;
        packetOffset = newOffset;
        length = newLength;
        channel = newChannel;
        startedCount = 0;
        needsNotification = operation.hasNotification();
        isBusy = true;
        return Verdict.TAKE;
    }

    @Override
    public void advance(final int arrivedLength)
    {
        if (!isBusy)
        {
            return;
        }
        final boolean hasAll = arrivedLength >= length;
        if (operation.hasReply() ? hasAll && fetch() : write(arrivedLength, hasAll))
        {
            isBusy = false;
            translations.executed(operation);
            executedCount++;
            registers[channel].addRelease(DELIVERED, 1);
        }
    }

    @Override
    public boolean isComplete()
    {
        return !isBusy;
    }

    @Override
    public void cancel()
    {
        if (isBusy && operation.hasReply())
        {
            replies.abort();            // Nothing is read into it before the request is whole, and then it is not cut.
        }
        isBusy = false;
    }

    /** {@return operations that were executed} */
    public long executedCount()
    {
        return executedCount;
    }

    private Verdict locatePhysical()
    {
        final long physical = parts.locate(operation.context(), operation.remoteAddress(), operation.count());
        notification = operation.hasNotification() ?
            parts.locate(operation.context(), operation.notificationAddress(), SIZE_OF_INT) : 0;
        if (physical == RegisteredParts.NOWHERE || notification == RegisteredParts.NOWHERE)
        {
            return refusals.refuse(RefuseReason.OUT_OF_RANGE);
        }
        if ((notification & (SIZE_OF_INT - 1)) != 0)            // The registered part may begin within a word.
        {
            return refusals.refuse(RefuseReason.MISALIGNED_NOTIFICATION);
        }
        pieces.clear();
        pieces.add(physical, operation.count());
        return Verdict.TAKE;
    }

    private Verdict locateVirtual()
    {
        final long located = locatePages(operation.remoteAddress(), operation.count());
        if (located == TranslationCache.MISS)
        {
            final long firstPage = operation.remoteAddress() & ~PAGE_MASK;
            final long spanned = operation.remoteAddress() - firstPage + operation.count();
            return missed(firstPage, (int)((spanned + PAGE_MASK) / TranslationDescriptor.PAGE_LENGTH));
        }
        if (located == TranslationCache.NO_RIGHT)
        {
            return refuseLocated(RefuseReason.NO_RIGHT);
        }
        if (operation.atomic() != null && !operation.isWord(located))       // As below.
        {
            return refuseLocated(RefuseReason.MISALIGNED_WORD);
        }
        return operation.hasNotification() ? locateNotification() : Verdict.TAKE;
    }

    private Verdict locateNotification()
    {
        notification = cache.translate(operation.context(), operation.notificationAddress(),
            operation.notificationLength(), operation.notificationRight());
        if (notification == TranslationCache.MISS)
        {
            return missed(operation.notificationAddress() & ~PAGE_MASK, 1);
        }
        if (notification == TranslationCache.NO_RIGHT)
        {
            return refuseLocated(RefuseReason.NO_RIGHT);
        }
        // A static entry may shift by less than a word.
        return AtomicWord.isAligned(notification, operation.notificationLength()) ? Verdict.TAKE :
            refuseLocated(RefuseReason.MISALIGNED_NOTIFICATION);
    }

    /** Others may ask: this message needs its pages no more. */
    private Verdict refuseLocated(final RefuseReason reason)
    {
        translations.executed(operation);
        return refusals.refuse(reason);
    }

    /** The pieces that some bytes lie in; what is no address says why there are none. */
    private long locatePages(final long address, final int bytes)
    {
        final int right = operation.right();
        pieces.clear();
        final long whole = cache.translateRange(operation.context(), address, bytes, right);
        if (whole == TranslationCache.NO_RIGHT)
        {
            return whole;
        }
        if (whole != TranslationCache.MISS)
        {
            pieces.add(whole, bytes);
            return whole;
        }
        final boolean isOnePage = (address & PAGE_MASK) + bytes <= TranslationDescriptor.PAGE_LENGTH;
        int located = 0;
        while (located < bytes)
        {
            final long next = address + located;
            final int pieceLength =
                Math.min(bytes - located, TranslationDescriptor.PAGE_LENGTH - (int)(next & PAGE_MASK));
            final long physical = isOnePage ? cache.translatePage(operation.context(), next, right) :
                cache.translate(operation.context(), next, pieceLength, right);
            if (physical < 0)
            {
                return physical;
            }
            pieces.add(physical, pieceLength);
            located += pieceLength;
        }
        return pieces.address();
    }

    private Verdict missed(final long firstPage, final int pageCount)
    {
        if (translations.isDenied(operation))
        {
            return refuseLocated(RefuseReason.NO_TRANSLATION);
        }
        translations.ask(operation, firstPage, pageCount);
        return Verdict.NO_ROOM;
    }

    private boolean beginReply()
    {
        replyIndex = replies.claim(replyLength());
        if (replyIndex == MessageSink.NO_ROOM)
        {
            return false;
        }
        operation.putReply(replyHeader, replies.buffer(), replyIndex, replies.channel());
        return true;
    }

    private int replyLength()
    {
        return RemoteOperation.DATA_OFFSET + BitUtil.align(operation.count(), SIZE_OF_INT);
    }

    private boolean write(final int arrivedLength, final boolean hasAll)
    {
        final int dataOffset = operation.dataOffset();
        final int arrivedCount = Math.min(arrivedLength - dataOffset, operation.count());
        while (startedCount < arrivedCount && host.engine().room() > 0)
        {
            final int bytes = Math.min(arrivedCount - startedCount, pieces.length());
            host.engine().write(pieces.address(), packet, packetOffset + dataOffset + startedCount, bytes);
            pass(bytes);
        }
        if (!hasAll || startedCount < operation.count())
        {
            return false;
        }
        if (needsNotification)
        {
            notifyHost();
        }
        return !needsNotification;
    }

    private void notifyHost()
    {
        if (host.engine().room() > 0)
        {
            needsNotification = false;
            final SignalOperation signal = operation.signal();
            if (signal != null)
            {
                host.engine().update(signal.atomic(), notification, signal.length(), operation.notificationValue(), 0,
                    null, 0);
            }
            else
            {
                host.engine().writeNotification(notification, packet, (int)operation.notificationValue());
            }
        }
    }

    /** The reply may leave only when the engine has brought all of it. */
    private boolean fetch()
    {
        while (startedCount < operation.count() && host.engine().room() > 0)
        {
            final int bytes = pieces.length();
            final int index = replyIndex + RemoteOperation.DATA_OFFSET + startedCount;
            if (operation.atomic() == null)
            {
                host.engine().read(pieces.address(), replies.buffer(), index, bytes);
            }
            else
            {
                host.engine().update(operation.atomic(), pieces.address(), bytes, operand(OPERAND_OFFSET),
                    operand(COMPARAND_OFFSET), replies.buffer(), index);
            }
            pass(bytes);
        }
        if (startedCount < operation.count() || !host.engine().isIdle())
        {
            return false;
        }
        replies.publish();
        return true;
    }

    /** Returns an operand of an operation whose message is complete. */
    private long operand(final int offset)
    {
        return packet.getLong(packetOffset + offset, BIG_ENDIAN);
    }

    private void pass(final int bytes)
    {
        startedCount += bytes;
        pieces.pass(bytes);
    }
}
