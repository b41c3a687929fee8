// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.util.concurrent.atomic.AtomicInteger;

import org.grim.myrinet.injection.BoardWait;
import org.grim.myrinet.injection.PlannedInjection;
import org.grim.myrinet.memory.BoardMemory;
import org.grim.myrinet.memory.RegisteredArena;
import org.grim.myrinet.memory.TranslationServer;
import org.grim.transport.Membership;

/**
 * One session of the driver: an attachment to one incarnation of a board, the board's runner, and the senders of this
 * node's channels there.
 * <p>Thread: any; {@link #close} only when no loop polls its channels any more.
 */
final class LanaiSession
{
    private final BoardAttachment attachment;
    private final BoardRunner runner;
    private final PathStatus.BoardIncarnation board;
    private final RegisteredArena arena;
    private final BoardMemory memory;
    private final TranslationServer translations;
    private final ChannelSender[] senders;
    private final AtomicInteger bindingCount = new AtomicInteger();
    private boolean isDetached;

    LanaiSession(
        final BoardAttachment attachment, final BoardRunner runner, final PathStatus.BoardIncarnation board,
        final RegisteredArena arena, final BoardMemory memory, final TranslationServer translations,
        final PlannedInjection injection, final BoardWait wait)
    {
        this.arena = arena;
        this.memory = memory;
        this.translations = translations;
        this.attachment = attachment;
        this.runner = runner;
        this.board = board;
        senders = new ChannelSender[attachment.channelCount()];
        for (int channel = 0; channel < senders.length; channel++)
        {
            senders[channel] = new ChannelSender(attachment.sram(), attachment.geometry(),
                attachment.firstChannel() + channel, injection, attachment.injectionTarget(channel, wait));
        }
    }

    BoardAttachment attachment()
    {
        return attachment;
    }

    BoardRunner runner()
    {
        return runner;
    }

    PathStatus.BoardIncarnation board()
    {
        return board;
    }

    /** Answers the board's questions about registered memory. */
    TranslationServer translations()
    {
        return translations;
    }

    ChannelSender sender(final int channel)
    {
        return senders[channel];
    }

    boolean isGone(final Membership membership)
    {
        return board.isGone(membership.self());
    }

    /** A loop polls one of its channels from now on. */
    void bind()
    {
        bindingCount.incrementAndGet();
    }

    /** A loop polls one of its channels no more. */
    void unbind()
    {
        bindingCount.decrementAndGet();
    }

    /** Messages that were accepted and not settled. */
    int unsettledCount()
    {
        int count = 0;
        for (final ChannelSender sender : senders)
        {
            sender.settleIfFree();
            count += sender.unsettledCount();
        }
        return count;
    }

    /** Closes a session whose board has gone, unless a loop still polls it, or a claim is open: then call again. */
    boolean tryClose()
    {
        if (bindingCount.get() > 0)
        {
            return false;
        }
        for (final ChannelSender sender : senders)
        {
            if (!sender.tryEnd())
            {
                return false;
            }
        }
        close();
        return true;
    }

    /** Gives the channels back. Nobody may use them any more. */
    void detach()
    {
        isDetached = true;
        translations.close();
        arena.end(memory);
        attachment.detach();
    }

    /** Gives everything back. Nobody may use its channels any more. */
    void close()
    {
        if (!isDetached)
        {
            detach();
        }
        runner.close();
        attachment.close();
    }
}
