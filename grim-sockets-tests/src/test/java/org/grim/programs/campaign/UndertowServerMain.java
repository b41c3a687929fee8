// SPDX-License-Identifier: Apache-2.0
package org.grim.programs.campaign;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import org.grim.programs.Answer;
import org.grim.programs.ServerPort;

import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.io.IoCallback;
import io.undertow.server.HttpServerExchange;

/** Undertow: answers as {@link Answer} says; the long body it transfers from a file. */
public final class UndertowServerMain
{
    private static final long LENGTH_MAX = 1 << 24;

    private final Path file;

    private UndertowServerMain(final Path file)
    {
        this.file = file;
    }

    public static void main(final String[] args) throws Exception
    {
        final Path file = Files.createTempFile("undertow", "");
        file.toFile().deleteOnExit();
        Files.write(file, Answer.to(Answer.LONG_PATH));
        final Undertow server = Undertow.builder().addHttpListener(0, args[0])
            .setServerOption(UndertowOptions.MAX_ENTITY_SIZE, LENGTH_MAX)
            .setHandler(new UndertowServerMain(file)::answer).build();
        server.start();
        ServerPort.printAndAwaitEnd(
            ((InetSocketAddress)server.getListenerInfo().get(0).getAddress()).getPort());
    }

    private void answer(final HttpServerExchange exchange) throws IOException
    {
        final String path = exchange.getRequestPath();
        if (exchange.getRequestMethod().equalToString("POST"))
        {
            exchange.dispatch(UndertowServerMain::answerWithBody);
        }
        else if (path.equals(Answer.LONG_PATH))
        {
            exchange.setResponseContentLength(Files.size(file));
            exchange.getResponseSender().transferFrom(
                FileChannel.open(file, StandardOpenOption.READ), IoCallback.END_EXCHANGE);
        }
        else
        {
            exchange.getResponseSender().send(ByteBuffer.wrap(Answer.to(path)));
        }
    }

    /** On a worker's thread. */
    private static void answerWithBody(final HttpServerExchange exchange) throws IOException
    {
        exchange.startBlocking();
        exchange.getOutputStream().write(exchange.getInputStream().readAllBytes());
        exchange.endExchange();
    }
}
