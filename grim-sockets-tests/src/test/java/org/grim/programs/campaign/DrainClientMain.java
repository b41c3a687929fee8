// SPDX-License-Identifier: Apache-2.0
package org.grim.programs.campaign;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import org.grim.programs.Answer;
import org.grim.programs.ListeningServer;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The JDK's HTTP client, which has requests under way that take their time: the arguments are a server's address and
 * port. Prints a line when the server has begun all of them, then how many were answered.
 */
public final class DrainClientMain
{
    static final int REQUEST_COUNT = 16;

    private static final long LOOK_NS = 20_000_000;

    private DrainClientMain()
    {
    }

    public static void main(final String[] args) throws Exception
    {
        ListeningServer.await(args[0], args[1]);
        final String base = "http://" + args[0] + ":" + args[1];
        final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        final List<CompletableFuture<Boolean>> answers = Stream.generate(() -> client
            .sendAsync(request(base, Answer.SLOW_PATH), HttpResponse.BodyHandlers.ofString())
            .handle((response, error) -> error == null && response.body().equals(Answer.SLOW_ANSWER)))
            .limit(REQUEST_COUNT).toList();
        final HttpRequest begun = request(base, Answer.BEGUN_PATH);
        while (Integer.parseInt(client.send(begun, HttpResponse.BodyHandlers.ofString()).body()) < REQUEST_COUNT)
        {
            LockSupport.parkNanos(LOOK_NS);
        }
        try (PrintStream output = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8))
        {
            output.println("begun");
            output.println(answers.stream().filter(CompletableFuture::join).count());
            System.in.transferTo(OutputStream.nullOutputStream());
        }
        Runtime.getRuntime().halt(0);
    }

    private static HttpRequest request(final String base, final String path)
    {
        return HttpRequest.newBuilder(URI.create(base + path)).build();
    }
}
