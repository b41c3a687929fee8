// SPDX-License-Identifier: Apache-2.0
package org.grim.programs;

import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * The JDK's HTTP client: short requests with keep-alive, one after the other; several long ones at a time, sent and
 * received. With TLS if a third argument is https.
 */
public final class HttpClientMain
{
    private static final int REQUEST_COUNT = 300;
    private static final int SIMULTANEOUS_COUNT = 4;
    private static final int BODY_LENGTH = 3_000_000;

    private HttpClientMain()
    {
    }

    public static void main(final String[] args) throws Exception
    {
        ListeningServer.await(args[0], args[1]);
        final String base = (args.length > 2 ? args[2] : "http") + "://" + args[0] + ":" + args[1];
        final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        for (int i = 0; i < REQUEST_COUNT; i++)
        {
            final String path = "/" + i;
            check(Answer.to(path), client.send(
                HttpRequest.newBuilder(URI.create(base + path)).build(), HttpResponse.BodyHandlers.ofByteArray()));
        }
        final byte[] body = Answer.bytes(BODY_LENGTH);
        askAtOnce(client, HttpRequest.newBuilder(URI.create(base + "/"))
            .POST(HttpRequest.BodyPublishers.ofByteArray(body)).build(), body);
        askAtOnce(client,
            HttpRequest.newBuilder(URI.create(base + Answer.LONG_PATH)).build(), Answer.to(Answer.LONG_PATH));
        ReceivedBytes.printAndAwaitEnd();
    }

    private static void askAtOnce(final HttpClient client, final HttpRequest request, final byte[] expected)
    {
        final List<CompletableFuture<HttpResponse<byte[]>>> responses = Stream
            .generate(() -> client.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray()))
            .limit(SIMULTANEOUS_COUNT).toList();
        for (final CompletableFuture<HttpResponse<byte[]>> response : responses)
        {
            check(expected, response.join());
        }
    }

    private static void check(final byte[] expected, final HttpResponse<byte[]> response)
    {
        if (response.statusCode() != HttpURLConnection.HTTP_OK)
        {
            throw new IllegalStateException(response + " " + response.headers());
        }
        Answer.check(expected, response.body());
    }
}
