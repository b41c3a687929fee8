// SPDX-License-Identifier: Apache-2.0
package org.grim.programs.campaign;

import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;

import org.grim.programs.Answer;
import org.grim.programs.ServerPort;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;

/**
 * The JDK's HTTP server, with TLS if the second argument is https: answers as {@link Answer} says. A shutdown hook
 * waits for begun requests.
 */
public final class JdkServerMain
{
    private static final int STOP_TIMEOUT_S = 30;

    private JdkServerMain()
    {
    }

    public static void main(final String[] args) throws Exception
    {
        final InetSocketAddress address = new InetSocketAddress(args[0], 0);
        final HttpServer server;
        if (args.length > 1 && args[1].equals("https"))
        {
            final HttpsServer secure = HttpsServer.create(address, 0);
            secure.setHttpsConfigurator(new HttpsConfigurator(SSLContext.getDefault()));
            server = secure;
        }
        else
        {
            server = HttpServer.create(address, 0);
        }
        server.createContext("/", exchange ->
        {
            final byte[] body = "POST".equals(exchange.getRequestMethod()) ?
                exchange.getRequestBody().readAllBytes() : Answer.to(exchange.getRequestURI().getPath());
            exchange.sendResponseHeaders(HttpURLConnection.HTTP_OK, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.setExecutor(Executors.newCachedThreadPool());
        server.start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> server.stop(STOP_TIMEOUT_S), "drain"));
        ServerPort.printAndAwaitEnd(server.getAddress().getPort());
    }
}
