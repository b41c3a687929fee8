// SPDX-License-Identifier: Apache-2.0
package org.grim.programs.campaign;

import org.grim.programs.ServerPort;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;
import org.zeromq.ZMsg;

/** JeroMQ, ZeroMQ in Java: sends each message back to where it comes from. */
public final class JeroMqServerMain
{
    private JeroMqServerMain()
    {
    }

    public static void main(final String[] args) throws Exception
    {
        final ZMQ.Socket socket = new ZContext().createSocket(SocketType.ROUTER);
        final int port = socket.bindToRandomPort("tcp://" + args[0]);
        final Thread echo = new Thread(() -> echo(socket), "echo");
        echo.setDaemon(true);
        echo.start();
        ServerPort.printAndAwaitEnd(port);
    }

    private static void echo(final ZMQ.Socket socket)
    {
        for (ZMsg message = ZMsg.recvMsg(socket); message != null; message = ZMsg.recvMsg(socket))
        {
            message.send(socket);
        }
    }
}
