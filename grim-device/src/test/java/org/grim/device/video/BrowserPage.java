// SPDX-License-Identifier: Apache-2.0
package org.grim.device.video;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertTrue;

/** A page in a Chromium without a window, whose scripts a test runs through the browser's debugging port. */
final class BrowserPage implements AutoCloseable
{
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");
    private static final String NOT_LOADED = "Execution context was destroyed";
    private static final long TIMEOUT_S = 120;

    private final HttpClient client = HttpClient.newHttpClient();
    private final Process process;
    private final Pattern socketPattern;
    private final Path port;
    private final Path errors;

    /** Opens a page; its profile lies in a directory. */
    BrowserPage(final Path program, final String page, final Path directory) throws IOException
    {
        socketPattern =
            Pattern.compile("\"url\": \"" + Pattern.quote(page) + "\",\\s*\"webSocketDebuggerUrl\": \"(ws://[^\"]*)\"");
        port = directory.resolve("DevToolsActivePort");
        errors = directory.resolve("errors");
        process = new ProcessBuilder(program.toString(), "--headless=new", "--no-sandbox", "--disable-gpu",
            "--no-first-run", "--disable-dev-shm-usage", "--remote-debugging-port=0", "--user-data-dir=" + directory,
            page).redirectOutput(directory.resolve("output").toFile()).redirectError(errors.toFile()).start();
    }

    /** The first on the path. */
    static Optional<Path> find()
    {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":"))
            .flatMap(directory -> NAMES.stream().map(name -> Path.of(directory, name)))
            .filter(Files::isExecutable).findFirst();
    }

    /** Evaluates an expression without double quotes, waits for its promise, and returns the text. */
    String evaluate(final String expression) throws Exception
    {
        String text = answer(expression);
        while (text.contains(NOT_LOADED))           // The page has come meanwhile.
        {
            text = answer(expression);
        }
        final Matcher value = Pattern.compile("\"value\":\"([^\"]*)\"").matcher(text);
        assertTrue(value.find(), text);
        return value.group(1);
    }

    private String answer(final String expression) throws Exception
    {
        final CompletableFuture<String> answer = new CompletableFuture<>();
        final WebSocket socket = client.newWebSocketBuilder().buildAsync(URI.create(socketAddress()),
            new WebSocket.Listener()
            {
                private final StringBuilder text = new StringBuilder();

                @Override
                public CompletionStage<?> onText(final WebSocket from, final CharSequence part, final boolean isLast)
                {
                    text.append(part);
                    if (isLast)
                    {
                        answer.complete(text.toString());
                    }
                    from.request(1);
                    return null;
                }
            }).get(TIMEOUT_S, TimeUnit.SECONDS);
        socket.sendText("{\"id\":1,\"method\":\"Runtime.evaluate\",\"params\":{\"awaitPromise\":true," +
            "\"returnByValue\":true,\"expression\":\"" + expression + "\"}}", true).get(TIMEOUT_S, TimeUnit.SECONDS);
        final String text = answer.get(TIMEOUT_S, TimeUnit.SECONDS);
        socket.abort();
        return text;
    }

    private String socketAddress() throws IOException, InterruptedException
    {
        final long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < TimeUnit.SECONDS.toNanos(TIMEOUT_S))
        {
            if (Files.exists(port) && Files.size(port) > 0)
            {
                final String pages = client.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" +
                    Files.readAllLines(port).get(0) + "/json/list")).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
                final Matcher socket = socketPattern.matcher(pages);
                if (socket.find())
                {
                    return socket.group(1);
                }
            }
            assertTrue(process.isAlive(), () -> "browser has ended: see " + errors);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
        throw new AssertionError("the browser opens no debugging port: " + Files.readString(errors));
    }

    @Override
    public void close()
    {
        final List<ProcessHandle> all = Stream.concat(process.descendants(), Stream.of(process.toHandle())).toList();
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(each -> each.onExit().join());
    }
}
