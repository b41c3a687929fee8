// SPDX-License-Identifier: Apache-2.0
package org.grim.endpoint;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import org.agrona.DirectBuffer;
import org.grim.EndpointId;
import org.grim.HandlerId;
import org.grim.SendStatus;
import org.grim.SharedLink;
import org.grim.counters.ChannelCounters;
import org.grim.transport.Hop;
import org.grim.wire.MessageHeader;
import org.grim.wire.NamedHandler;

/**
 * A shared link: lets one thread in at a time: the senders, the endpoint's owner that settles its accounts, and the
 * thread that closes it. It has no overflow queue, no claims and no large messages.
 * <p>Thread: any. A sender that finds another thread inside gets {@link SendStatus#BUSY} after a short spin.
 */
public final class GuardedLink extends OutgoingLink implements SharedLink
{
    private static final int SPIN_COUNT_MAX = 1_000;

    private final Consumer<GuardedLink> onClose;
    private final AtomicBoolean isTaken = new AtomicBoolean();
    private boolean isRefused;          // Guarded by isTaken, as all below.
    private boolean isShut;
    private boolean isEnded;

    GuardedLink(
        final LinkResources resources, final int sourceChannel, final EndpointId destination, final int incarnation,
        final Hop hop, final ChannelCounters counters, final Consumer<GuardedLink> onClose)
    {
        super(resources, sourceChannel, destination, incarnation, hop, counters);
        this.onClose = onClose;
    }

    @Override
    public SendStatus send(
        final HandlerId handler, final int a0, final int a1, final int a2, final int a3, final DirectBuffer source,
        final int offset, final int length)
    {
        if (!tryTake())
        {
            return SendStatus.BUSY;
        }
        try
        {
            final int number = NamedHandler.toSend(handler);
            return isRefused || state.isClosed() ? SendStatus.CLOSED : isShut ? SendStatus.PEER_GONE :
                number == NamedHandler.NONE ? SendStatus.BACK_PRESSURED : sendInside(number,
                MessageHeader.pair(a0, a1), MessageHeader.pair(a2, a3), source, offset, length);
        }
        finally
        {
            giveBack();
        }
    }

    @Override
    public void close()
    {
        onClose.accept(this);
    }

    /** Accepts nothing from now on. */
    void refuse()
    {
        take();
        isRefused = true;
        giveBack();
    }

    /** The device that it leads to is gone, and its node goes on: sends are refused as those to a node that is gone. */
    void shut()
    {
        take();
        isShut = true;
        giveBack();
    }

    @Override
    void end()
    {
        take();
        try
        {
            isRefused = true;
            endInside();
        }
        finally
        {
            giveBack();
        }
    }

    /** Accounts for what was sent if the peer is gone. Thread: the endpoint's owner. False: not yet; then ask again. */
    boolean trySettle(final LossAccounts accounts)
    {
        if (!tryTake())
        {
            return false;
        }
        try
        {
            if ((!isShut && !hop.isPeerGone()) || accounting.isSettled())
            {
                return true;
            }
            if (!isShut && hop.isAccountComing())
            {
                return false;
            }
            accounting.settle(accounts);
            return true;
        }
        finally
        {
            giveBack();
        }
    }

    /** Has the hop give back what it takes, if nothing passes. Thread: the endpoint's owner. */
    void releaseIfIdle()
    {
        if (isTaken.compareAndSet(false, true))
        {
            try
            {
                hop.releaseIfIdle();
            }
            finally
            {
                giveBack();
            }
        }
    }

    /** Closes the hop if no account is open any more: the peer is gone, or has taken everything. */
    boolean tryEndIfOver()
    {
        if (!tryTake())
        {
            return false;
        }
        try
        {
            // A peer that goes at this moment has left something undelivered: that is settled first.
            final boolean isOver = accounting.isSettled() || (isRefused && !hop.isPeerGone() &&
                hop.unknownCount() == 0 && hop.undeliveredCount() == 0);
            if (isOver)
            {
                endInside();
            }
            return isOver;
        }
        finally
        {
            giveBack();
        }
    }

    private SendStatus sendInside(
        final int handler, final long arguments01, final long arguments23, final DirectBuffer source,
        final int offset, final int length)
    {
        checkLength(length, payloadLengthMax, ", the most on a shared link; a link of an endpoint takes longer ones");
        final SendStatus status = hop.trySend(header.wordOne(length), header.extentWords(handler, length), arguments01,
            arguments23, source, offset, length);
        if (status == SendStatus.SENT)
        {
            counters.sent(length);
        }
        else
        {
            accounting.refused(status);
        }
        return status;
    }

    private void endInside()
    {
        if (!isEnded)
        {
            isEnded = true;
            hop.close();
        }
    }

    /** The thread inside leaves soon: no send waits. */
    private void take()
    {
        while (!tryTake())
        {
            Thread.onSpinWait();
        }
    }

    private boolean tryTake()
    {
        for (int i = 0; i < SPIN_COUNT_MAX; i++)
        {
            if (isTaken.compareAndSet(false, true))
            {
                return true;
            }
            Thread.onSpinWait();
        }
        return false;
    }

    private void giveBack()
    {
        isTaken.set(false);
    }
}
