// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.pingpong;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.ActiveMessage;
import org.grim.Grim;
import org.grim.bench.process.BoundedSpin;
import org.grim.buffer.Buffers;

/**
 * The answering side of remote memory: registers a region when it is asked, writes back what stands in it whenever its
 * notification word changes, and compares what a stream left behind.
 * <p>Thread: the one that polls. Allocates nothing per operation.
 */
final class MemoryServer
{
    /** Argument 0: largest payload; payload: the client's addresses. Answered with the server's. */
    static final String OPEN = "pingpong.memory-open";
    /** Arguments: payload length, 1 for RM-P. Answered; then the word counts, until it is negative. */
    static final String ECHO = "pingpong.memory-echo";
    /** Arguments: seed and length of the pattern to be read. Answered when it stands there. */
    static final String FILL = "pingpong.memory-fill";
    /** Arguments: offset, length, CRC32C. Answered by 1 if that stands there, else 0. */
    static final String CHECK = "pingpong.memory-check";
    /** Answered: everything before it has arrived. */
    static final String REACH = "pingpong.memory-reach";

    private final MemorySide side;
    private final Checksum checksum = new Checksum();
    private final AtomicBuffer addresses = Buffers.allocate(MemorySide.ADDRESSES_LENGTH);
    private boolean isEchoing;
    private boolean isPhysical;
    private int size;
    private int lastWord;
    private int patternChange;

    MemoryServer(final Grim grim, final BoundedSpin spin, final boolean isStepped)
    {
        side = new MemorySide(grim, spin, isStepped);
        grim.handlers().register(OPEN, this::onOpen);
        grim.handlers().register(ECHO, this::onEcho);
        grim.handlers().register(FILL, this::onFill);
        grim.handlers().register(CHECK, this::onCheck);
        grim.handlers().register(REACH, message -> answer(message, 1));
    }

    /** Takes part in a ping-pong if one was asked for, until the client ends it. */
    void echoUntilEnd()
    {
        while (isEchoing)
        {
            if (!step())
            {
                side.pass();
            }
        }
    }

    /** Writes back what has come; false if nothing has. */
    boolean step()
    {
        if (!isEchoing)
        {
            return false;
        }
        final int word = side.word();
        if (word == lastWord)
        {
            return false;
        }
        side.arrived();
        lastWord = word;
        if (word < 0)
        {
            isEchoing = false;
            side.notify(isPhysical, word);
        }
        else
        {
            side.writeAndNotify(isPhysical, side.buffer(), MemorySide.dataOffset(size), size, word);
        }
        return true;
    }

    /** What is written back and read, to be spoilt. */
    AtomicBuffer bufferForTest()
    {
        return side.buffer();
    }

    /** Spoils patterns: added to their seeds. */
    void patternChangeForTest(final int change)
    {
        patternChange = change;
    }

    private void onOpen(final ActiveMessage message)
    {
        side.open(message.argument(0));
        side.connect(message.source(), message.buffer(), message.offset());
        side.describe(addresses);
        EchoServer.requireAccepted(message.reply(message.argument(3), 0, 0, 0, 0, addresses, 0,
            MemorySide.ADDRESSES_LENGTH));
    }

    private void onEcho(final ActiveMessage message)
    {
        size = message.argument(0);
        isPhysical = message.argument(1) != 0;
        isEchoing = true;
        answer(message, 1);
    }

    private void onFill(final ActiveMessage message)
    {
        Pattern.write(side.buffer(), MemorySide.DATA_OFFSET, message.argument(0) + patternChange,
            message.argument(1));
        answer(message, 1);
    }

    private void onCheck(final ActiveMessage message)
    {
        answer(message,
            checksum.of(side.buffer(), message.argument(0), message.argument(1)) == message.argument(2) ? 1 : 0);
    }

    private static void answer(final ActiveMessage message, final int result)
    {
        EchoServer.requireAccepted(message.reply(message.argument(3), result, 0, 0, 0, null, 0, 0));
    }
}
