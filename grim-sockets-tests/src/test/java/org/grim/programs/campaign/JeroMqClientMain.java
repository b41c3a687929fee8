// SPDX-License-Identifier: Apache-2.0
package org.grim.programs.campaign;

import org.grim.programs.Answer;
import org.grim.programs.ListeningServer;
import org.grim.programs.ReceivedBytes;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/** JeroMQ, ZeroMQ in Java: short messages one after the other, then many before the first answer, then long ones. */
public final class JeroMqClientMain
{
    private static final int MESSAGE_COUNT = 300;
    private static final int MESSAGE_LENGTH = 1_000;
    private static final int LONG_COUNT = 8;
    private static final int LONG_LENGTH = 3_000_000;

    private JeroMqClientMain()
    {
    }

    public static void main(final String[] args) throws Exception
    {
        ListeningServer.await(args[0], args[1]);
        final ZMQ.Socket socket = new ZContext().createSocket(SocketType.DEALER);
        socket.connect("tcp://" + args[0] + ":" + args[1]);
        for (int i = 0; i < MESSAGE_COUNT; i++)
        {
            exchange(socket, MESSAGE_LENGTH + i, 1);
        }
        exchange(socket, MESSAGE_LENGTH, MESSAGE_COUNT);
        exchange(socket, LONG_LENGTH, LONG_COUNT);
        ReceivedBytes.printAndAwaitEnd();
    }

    /** Each as long as the one before and a byte more. */
    private static void exchange(final ZMQ.Socket socket, final int length, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            socket.send(Answer.bytes(length + i));
        }
        for (int i = 0; i < count; i++)
        {
            Answer.check(Answer.bytes(length + i), socket.recv());
        }
    }
}
