// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.firmware;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardGeometry;
import org.grim.board.ChannelRegisters;
import org.grim.board.host.ChannelAppender;
import org.grim.ni.memory.MessageSink;

import static org.grim.board.ChannelRegisters.FRONT;
import static org.grim.board.ChannelRegisters.NEXT;

/**
 * A channel of the NI's own, behind those of hosts: replies to remote reads, or multicasts that go down a tree, wait
 * there and leave like any message. They take no memory beyond its queue; a message that finds no room is refused and
 * comes again.
 * <p>Thread: the board's stepper.
 */
final class OwnChannel implements MessageSink
{
    private final AtomicBuffer sram;
    private final ChannelAppender appender;
    private final int channel;

    /** A channel without messages: those of an earlier firmware are of no use, and are not sent any more. */
    OwnChannel(final AtomicBuffer sram, final BoardGeometry geometry, final int channel, final boolean isOpen)
    {
        this.sram = sram;
        this.channel = channel;
        if (isOpen)
        {
            final ChannelRegisters registers = new ChannelRegisters(sram, geometry, channel);
            registers.put(NEXT, 0);
            registers.putRelease(FRONT, 0);
            registers.backAndFilledRelease(0, 0);
            registers.enableRelease();
            appender = new ChannelAppender(sram, geometry, channel);
        }
        else
        {
            appender = null;
        }
    }

    @Override
    public int channel()
    {
        return channel;
    }

    @Override
    public int messageLengthMax()
    {
        return appender == null ? 0 : appender.messageLengthMax();
    }

    @Override
    public int claim(final int messageLength)
    {
        return appender.claim(messageLength);
    }

    @Override
    public AtomicBuffer buffer()
    {
        return sram;
    }

    @Override
    public void publish()
    {
        appender.publish();
    }

    @Override
    public void abort()
    {
        appender.abort();
    }
}
