// SPDX-License-Identifier: Apache-2.0
package org.grim.remote;

import java.util.function.BooleanSupplier;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.EndpointId;
import org.grim.FrameSender;
import org.grim.MemoryRegion;
import org.grim.RemoteLink;
import org.grim.RemoteMemory;
import org.grim.RemoteRefusal;
import org.grim.RemoteRegion;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.endpoint.EndpointState;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;
import static org.grim.RemoteLink.SignalOperation.SET_LONG;
import static org.grim.remote.FrameWindowDescriptor.ANSWER_OFFSET;
import static org.grim.remote.FrameWindowDescriptor.CREDITS_LENGTH;
import static org.grim.remote.FrameWindowDescriptor.CREDITS_REGION_OFFSET;
import static org.grim.remote.FrameWindowDescriptor.LIMIT_OFFSET;
import static org.grim.remote.FrameWindowDescriptor.MARK_OFFSET;
import static org.grim.remote.FrameWindowDescriptor.OPENED_OFFSET;
import static org.grim.remote.FrameWindowDescriptor.PAYLOAD_OFFSET;
import static org.grim.remote.FrameWindowDescriptor.SLOTS_OFFSET;
import static org.grim.remote.FrameWindowDescriptor.TAKEN;
import static org.grim.remote.FrameWindowDescriptor.WORD_OFFSET;

/**
 * Writes frames into the slots of a peer's window. A receiver that lies about its slots harms itself alone: they are
 * written.
 * <p>Thread: the endpoint's owner. Owns: the memory of the credits.
 */
final class WindowSender implements FrameSender
{
    private final EndpointState state;
    private final RemoteRefusals refusals;
    private final RemoteLink link;
    private final BooleanSupplier isPeerGone;
    private final RemoteRegion window;
    private final int frameLength;
    private final RemoteRegion openedWord;
    private final RemoteRegion[] words;
    private final RemoteRegion[] payloads;
    private final MemoryRegion credits;
    private final RemoteMemory.RefusalListener watcher = this::onRefused;
    private final AtomicBuffer scratch = Buffers.allocate(RemoteRegion.LENGTH);
    private boolean isOpened;
    private boolean isAcquired;
    private boolean isRefused;              // The window is there no more.
    private boolean isClosed;
    private long publishedCount;
    private int limit;                      // Frames that may be sent, as the receiver said last; modulo 2^32.
    private int answer;                     // 0 if it takes them.

    WindowSender(
        final EndpointState state, final RemoteMemory memory, final RemoteRefusals refusals,
        final BooleanSupplier isPeerGone, final RemoteRegion window, final int frameLength)
    {
        this.state = state;
        this.refusals = refusals;
        this.isPeerGone = isPeerGone;
        this.window = window;
        this.frameLength = frameLength;
        link = memory.link(window);
        words = new RemoteRegion[FrameWindowDescriptor.slotCount(window, frameLength)];
        payloads = new RemoteRegion[words.length];
        for (int slot = 0; slot < words.length; slot++)
        {
            words[slot] = window.slice(slotOffset(slot) + WORD_OFFSET, SIZE_OF_LONG);
            payloads[slot] = window.slice(slotOffset(slot) + PAYLOAD_OFFSET, frameLength);
        }
        openedWord = window.slice(OPENED_OFFSET, SIZE_OF_INT);
        credits = memory.register(CREDITS_LENGTH);
        credits.remote().writeTo(scratch, 0);
        refusals.watch(watcher);
    }

    @Override
    public int frameLengthMax()
    {
        return frameLength;
    }

    @Override
    public SendStatus send(final DirectBuffer source, final int offset, final int length)
    {
        checkLength(length);
        if (isAcquired)
        {
            throw new IllegalStateException("the slot of frame=" + publishedCount + " was acquired: publish it first");
        }
        return length == 0 ? publish(MARK_OFFSET, scratch, 0, SIZE_OF_INT, 0) :
            publish(PAYLOAD_OFFSET, source, offset, length, length);
    }

    @Override
    public RemoteRegion tryAcquire()
    {
        isAcquired = isAcquired || ready() == SendStatus.SENT;
        return isAcquired ? payloads[slot()] : null;
    }

    @Override
    public SendStatus publish(final int length)
    {
        checkLength(length);
        if (!isAcquired)
        {
            throw new IllegalStateException("no slot was acquired for frame=" + publishedCount);
        }
        return publish(MARK_OFFSET, scratch, 0, SIZE_OF_INT, length);
    }

    @Override
    public int unreleasedCount()
    {
        look();
        return publishedCount == 0 ? 0 : (int)publishedCount + words.length - limit;
    }

    @Override
    public void close()
    {
        isClosed = true;
        refusals.unwatch(watcher);
        credits.close();
    }

    private SendStatus publish(
        final int partOffset, final DirectBuffer source, final int offset, final int partLength, final int length)
    {
        final SendStatus ready = ready();
        if (ready != SendStatus.SENT)
        {
            return ready;
        }
        final int slot = slot();
        final SendStatus status = link.writeWithSignal(window, slotOffset(slot) + partOffset, source, offset,
            partLength, SET_LONG, words[slot], FrameWindowDescriptor.word(publishedCount + 1, length));
        if (status.isAccepted())
        {
            publishedCount++;
            isAcquired = false;
        }
        return status;
    }

    /** Opens the window at the first call. {@link SendStatus#SENT} if there is a slot. */
    private SendStatus ready()
    {
        if (isClosed || isRefused || state.isClosed())
        {
            return SendStatus.CLOSED;
        }
        if (!isOpened)
        {
            final SendStatus status =
                link.write(window, CREDITS_REGION_OFFSET, scratch, 0, RemoteRegion.LENGTH, openedWord, frameLength);
            if (!status.isAccepted())
            {
                return status;
            }
            isOpened = true;
        }
        look();
        if (answer == TAKEN)
        {
            throw new IllegalStateException("the frame window has another sender: " + window);
        }
        if (answer > 0)
        {
            throw new IllegalArgumentException("frames of length=" + frameLength + " do not fit the window " + window +
                ", whose frames have length=" + answer);
        }
        return answer != 0 ? SendStatus.CLOSED :
            limit - (int)publishedCount > 0 ? SendStatus.SENT :
            isPeerGone.getAsBoolean() ? SendStatus.PEER_GONE : SendStatus.BACK_PRESSURED;
    }

    /** Learns how many frames the receiver takes, or why it takes none. */
    private void look()
    {
        if (credits.buffer().capacity() != 0)       // Not closed.
        {
            answer = credits.buffer().getIntVolatile(ANSWER_OFFSET);
            limit = credits.buffer().getIntVolatile(LIMIT_OFFSET);
        }
    }

    /** Takes a refusal of something in this window for the window's end. */
    private void onRefused(
        final EndpointId destination, final long address, final long length, final RemoteRefusal reason)
    {
        isRefused |= destination.node() == window.endpoint().node() && address >= window.address() &&
            address < window.address() + window.length();
    }

    private int slot()
    {
        return (int)(publishedCount % words.length);
    }

    private long slotOffset(final int slot)
    {
        return SLOTS_OFFSET + slot * FrameWindowDescriptor.stride(frameLength);
    }

    private void checkLength(final int length)
    {
        if (length < 0 || length > frameLength)
        {
            throw new IllegalArgumentException("frame length=" + length + " exceeds max=" + frameLength);
        }
    }
}
