// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

import com.sun.net.httpserver.HttpServer;

import static java.nio.charset.StandardCharsets.UTF_8;

/** The JDK's HTTP server, which prints its port, or its client of the server whose port it is given. */
public final class HttpMain
{
    private static final int REQUEST_COUNT = 20;
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private HttpMain()
    {
    }

    public static void main(final String[] args) throws Exception
    {
        if (args.length == 0)
        {
            PeerOutput.print(serve().getAddress().getPort() + " listens");
        }
        else
        {
            PeerOutput.print(ask(Integer.parseInt(args[0])));
            System.exit(0);
        }
    }

    /** Answers each request with its path. */
    static HttpServer serve() throws IOException
    {
        final HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange ->
        {
            final byte[] body = exchange.getRequestURI().getPath().getBytes(UTF_8);
            exchange.sendResponseHeaders(HttpURLConnection.HTTP_OK, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        return server;
    }

    /** Returns the paths that were answered, one after the other over a connection that is kept. */
    static String ask(final int port) throws IOException, InterruptedException
    {
        final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        final StringBuilder answers = new StringBuilder();
        for (int i = 0; i < REQUEST_COUNT; i++)
        {
            final URI uri = URI.create("http://127.0.0.1:" + port + "/" + i);
            answers.append(client.send(HttpRequest.newBuilder(uri).timeout(TIMEOUT).build(),
                HttpResponse.BodyHandlers.ofString()).body());
        }
        return answers.toString();
    }
}
