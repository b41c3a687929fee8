// SPDX-License-Identifier: Apache-2.0
package org.grim.programs;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** The JDK's HTTP client: requests with keep-alive, one after the other. */
public final class HttpClientMain
{
    private static final int REQUEST_COUNT = 300;

    private HttpClientMain()
    {
    }

    public static void main(final String[] args) throws Exception
    {
        ListeningServer.await(args[0], args[1]);
        final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        for (int i = 0; i < REQUEST_COUNT; i++)
        {
            final HttpResponse<String> response = client.send(
                HttpRequest.newBuilder(URI.create("http://" + args[0] + ":" + args[1] + "/" + i)).build(),
                HttpResponse.BodyHandlers.ofString());
            if (!response.body().equals("hello /" + i))
            {
                throw new IllegalStateException("request " + i + " got " + response.body());
            }
        }
        ReceivedBytes.print();
    }
}
