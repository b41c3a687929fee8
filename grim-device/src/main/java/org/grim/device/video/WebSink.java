// SPDX-License-Identifier: Apache-2.0
package org.grim.device.video;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A page whose canvas shows the picture: it asks for the pixels of the next one, and the answer waits for it.
 * <p>Thread: some of its own; a browser that is slow leaves out pictures and holds up nobody.
 * <p>Bounds: {@value #THREAD_COUNT} answers at a time; others wait.
 */
final class WebSink implements DisplaySink
{
    private static final int THREAD_COUNT = 8;
    private static final long ANSWER_MS_MAX = TimeUnit.SECONDS.toMillis(10);
    private static final String AFTER = "after=";
    private static final String PAGE = """
        <!DOCTYPE html>
        <html lang="en"><meta charset="utf-8"><title>GRIM display</title>
        <body style="margin:0;background:#222"><canvas id="screen" width="WIDTH" height="HEIGHT"></canvas>
        <script>
        const screen2d = document.getElementById('screen').getContext('2d');
        async function show(after)
        {
            const answer = await fetch('pixels?after=' + after);
            if (answer.status === 200)
            {
                after = answer.headers.get('X-Number');
                const pixels = new Uint8ClampedArray(await answer.arrayBuffer());
                screen2d.putImageData(new ImageData(pixels, WIDTH, HEIGHT), 0, 0);
                document.title = 'GRIM display ' + after;
            }
            setTimeout(show, 0, after);
        }
        show(0);
        </script></body></html>
        """;

    private final Screen screen;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREAD_COUNT, task ->
    {
        final Thread thread = new Thread(task, "grim-display-web");
        thread.setDaemon(true);
        return thread;
    });

    WebSink(final Screen screen, final InetAddress address, final int port) throws IOException
    {
        this.screen = screen;
        server = HttpServer.create(new InetSocketAddress(address, port), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    int port()
    {
        return server.getAddress().getPort();
    }

    /** The requests wait for the screen itself. */
    @Override
    public void show(final Screen shown, final Screen.Area changed)
    {
        assert shown == screen;
    }

    @Override
    public void close()
    {
        threads.shutdownNow();
        server.stop(0);
    }

    private void answer(final HttpExchange exchange) throws IOException
    {
        try (exchange)
        {
            final String path = exchange.getRequestURI().getPath();
            final String query = exchange.getRequestURI().getQuery();
            final boolean isPixels = path.equals("/pixels") && query != null && query.matches(AFTER + "[0-9]{1,18}");
            if (isPixels)
            {
                answerPixels(exchange, Long.parseLong(query.substring(AFTER.length())));
            }
            else if (path.equals("/"))
            {
                exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
                send(exchange, PAGE.replace("WIDTH", Integer.toString(screen.width))
                    .replace("HEIGHT", Integer.toString(screen.height)).getBytes(UTF_8));
            }
            else
            {
                exchange.sendResponseHeaders(404, -1);
            }
        }
    }

    private void answerPixels(final HttpExchange exchange, final long after) throws IOException
    {
        final byte[] pixels;
        final long number;
        synchronized (screen)
        {
            awaitNext(after);
            number = screen.number();
            pixels = number > after ? screen.pixels.clone() : null;
        }
        if (pixels == null)
        {
            exchange.sendResponseHeaders(204, -1);
            return;
        }
        for (int i = 0; i < pixels.length; i += Screen.PIXEL_LENGTH)
        {
            final byte blue = pixels[i];
            pixels[i] = pixels[i + 2];
            pixels[i + 2] = blue;
            pixels[i + 3] = -1;                 // Opaque.
        }
        exchange.getResponseHeaders().set("Content-Type", "application/octet-stream");
        exchange.getResponseHeaders().set("X-Number", Long.toString(number));
        send(exchange, pixels);
    }

    /** Holding the screen's monitor. */
    private void awaitNext(final long after) throws IOException
    {
        final long startNs = System.nanoTime();
        long remainingMs = ANSWER_MS_MAX;
        try
        {
            while (screen.number() <= after && remainingMs > 0)
            {
                screen.wait(remainingMs);
                remainingMs = ANSWER_MS_MAX - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
            }
        }
        catch (final InterruptedException ex)
        {
            throw new IOException("the display is closed", ex);
        }
    }

    private static void send(final HttpExchange exchange, final byte[] bytes) throws IOException
    {
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.sendResponseHeaders(200, bytes.length);
        try (OutputStream body = exchange.getResponseBody())
        {
            body.write(bytes);
        }
    }
}
