// SPDX-License-Identifier: Apache-2.0
package org.grim.remote;

import java.util.function.BooleanSupplier;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.FrameSender;
import org.grim.MemoryRegion;
import org.grim.RemoteLink;
import org.grim.RemoteMemory;
import org.grim.RemoteRegion;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.endpoint.EndpointState;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;
import static org.grim.RemoteLink.SignalOperation.SET_LONG;
import static org.grim.remote.FrameWindowDescriptor.CREDITS_LENGTH;
import static org.grim.remote.FrameWindowDescriptor.CREDITS_REGION_OFFSET;
import static org.grim.remote.FrameWindowDescriptor.MARK_OFFSET;
import static org.grim.remote.FrameWindowDescriptor.OPENED_OFFSET;
import static org.grim.remote.FrameWindowDescriptor.PAYLOAD_OFFSET;
import static org.grim.remote.FrameWindowDescriptor.RELEASED_OFFSET;
import static org.grim.remote.FrameWindowDescriptor.SLOTS_OFFSET;
import static org.grim.remote.FrameWindowDescriptor.WORD_OFFSET;

/**
 * Writes frames into the slots of a peer's window. A receiver that lies about its credits harms itself alone: its own
 * slots are written.
 * <p>Thread: the endpoint's owner. Owns: the memory of the credits.
 */
final class WindowSender implements FrameSender
{
    private final EndpointState state;
    private final RemoteLink link;
    private final BooleanSupplier isPeerGone;
    private final RemoteRegion window;
    private final int frameLength;
    private final RemoteRegion openedWord;
    private final RemoteRegion[] words;
    private final RemoteRegion[] payloads;
    private final MemoryRegion credits;
    private final AtomicBuffer scratch = Buffers.allocate(RemoteRegion.LENGTH);
    private boolean isOpened;
    private long publishedCount;

    WindowSender(
        final EndpointState state, final RemoteMemory memory, final BooleanSupplier isPeerGone,
        final RemoteRegion window, final int frameLength)
    {
        this.state = state;
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
        return length == 0 ? publish(0) : publish(PAYLOAD_OFFSET, source, offset, length, length);
    }

    @Override
    public RemoteRegion tryAcquire()
    {
        return unreleasedCount() < words.length ? payloads[slot()] : null;
    }

    @Override
    public SendStatus publish(final int length)
    {
        checkLength(length);
        return publish(MARK_OFFSET, scratch, 0, SIZE_OF_INT, length);
    }

    @Override
    public int unreleasedCount()
    {
        // After closing there is no credit to be read.
        final int released =
            credits.buffer().capacity() == 0 ? 0 : credits.buffer().getIntVolatile(RELEASED_OFFSET);
        return (int)publishedCount - released;
    }

    @Override
    public void close()
    {
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
        publishedCount += status.isAccepted() ? 1 : 0;
        return status;
    }

    /** Opens the window at the first call. {@link SendStatus#SENT} if there is a slot. */
    private SendStatus ready()
    {
        if (!isOpened)
        {
            final SendStatus status =
                link.write(window, CREDITS_REGION_OFFSET, scratch, 0, RemoteRegion.LENGTH, openedWord, 1);
            if (!status.isAccepted())
            {
                return status;
            }
            isOpened = true;
        }
        if (unreleasedCount() < words.length)
        {
            return SendStatus.SENT;
        }
        if (state.isClosed())
        {
            return SendStatus.CLOSED;
        }
        return isPeerGone.getAsBoolean() ? SendStatus.PEER_GONE : SendStatus.BACK_PRESSURED;
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
