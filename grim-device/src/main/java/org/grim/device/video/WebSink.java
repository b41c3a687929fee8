// SPDX-License-Identifier: Apache-2.0
package org.grim.device.video;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.agrona.CloseHelper;
import org.grim.buffer.Uninterrupted;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A page whose canvas shows the picture: it asks for the pixels of the next one, and the answer waits for it.
 * <p>Thread: one of its own, which waits for no browser; a slow one leaves out pictures and holds up nobody.
 * <p>Bounds: {@value #CONNECTION_COUNT_MAX} connections: a further one closes the one that has waited longest. Of
 * these, {@value #PICTURE_COUNT_MAX} are sent a picture at a time; one that has taken it for 2 s loses its place, and
 * its connection, to others.
 */
final class WebSink implements DisplaySink
{
    private static final Logger LOGGER = LoggerFactory.getLogger(WebSink.class);
    private static final int CONNECTION_COUNT_MAX = 256;
    private static final int PICTURE_COUNT_MAX = 8;
    private static final long PICTURE_NS = TimeUnit.SECONDS.toNanos(2);
    private static final long SELECT_MS = 100;
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);
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
    private final Selector selector;
    private final ServerSocketChannel server;
    private final byte[] page;
    private final Thread thread = new Thread(this::work, "grim-display-web");
    private ByteBuffer picture = ByteBuffer.allocate(0);
    private long pictureNumber;
    private volatile boolean isClosed;

    WebSink(final Screen screen, final InetAddress address, final int port) throws IOException
    {
        this.screen = screen;
        page = PAGE.replace("WIDTH", Integer.toString(screen.width)).replace("HEIGHT", Integer.toString(screen.height))
            .getBytes(UTF_8);
        selector = Selector.open();
        ServerSocketChannel opened = null;
        try
        {
            opened = ServerSocketChannel.open().bind(new InetSocketAddress(address, port), CONNECTION_COUNT_MAX);
            opened.configureBlocking(false).register(selector, SelectionKey.OP_ACCEPT);
        }
        catch (final IOException | RuntimeException ex)
        {
            CloseHelper.quietCloseAll(opened, selector);
            throw ex;
        }
        server = opened;
        thread.setDaemon(true);
        thread.start();
    }

    int port()
    {
        return server.socket().getLocalPort();
    }

    /** The thread takes the picture from the screen itself. */
    @Override
    public void show(final Screen shown, final Screen.Area changed)
    {
        assert shown == screen;
        selector.wakeup();
    }

    @Override
    public void close()
    {
        isClosed = true;
        selector.wakeup();
        Uninterrupted.join(thread);
    }

    private void work()
    {
        while (!isClosed)
        {
            try
            {
                selector.select(SELECT_MS);
                step(System.nanoTime());
            }
            catch (final IOException | RuntimeException | Error ex)     // A full heap, or no file for a connection.
            {
                LOGGER.warn("page of a display: {}", ex.toString());
                Uninterrupted.park(PAUSE_NS);
            }
        }
        selector.keys().forEach(key -> CloseHelper.quietClose(key.channel()));
        CloseHelper.quietClose(selector);
    }

    private void step(final long nowNs) throws IOException
    {
        if (selector.selectedKeys().removeIf(SelectionKey::isAcceptable))
        {
            accept(nowNs);
        }
        selector.selectedKeys().clear();
        final List<WebConnection> connections = connections();
        if (pictureCount(connections) >= PICTURE_COUNT_MAX)
        {
            connections.stream().filter(each -> each.isSendingPicture() && nowNs - each.sinceNs() > PICTURE_NS)
                .forEach(WebConnection::close);
        }
        int pictureCount = pictureCount(connections);
        for (final WebConnection connection : connections)
        {
            connection.step(nowNs);
            if (connection.isAsking() && connection.asksForPage())
            {
                connection.answer("200 OK", "Content-Type: text/html; charset=utf-8\r\n", ByteBuffer.wrap(page), nowNs);
            }
            else if (connection.isAsking() && pictureCount < PICTURE_COUNT_MAX && screen.number() > connection.after())
            {
                pictureCount++;
                final ByteBuffer pixels = picture();
                connection.answer("200 OK", "Content-Type: application/octet-stream\r\nX-Number: " + pictureNumber +
                    "\r\n", pixels, nowNs);
            }
        }
    }

    private static int pictureCount(final List<WebConnection> connections)
    {
        return (int)connections.stream().filter(WebConnection::isSendingPicture).count();
    }

    private List<WebConnection> connections()
    {
        final List<WebConnection> connections = new ArrayList<>();
        for (final SelectionKey key : selector.keys())
        {
            if (key.isValid() && key.attachment() instanceof final WebConnection connection)
            {
                connections.add(connection);
            }
        }
        return connections;
    }

    private void accept(final long nowNs) throws IOException
    {
        for (SocketChannel channel = server.accept(); channel != null; channel = server.accept())
        {
            final List<WebConnection> connections = connections();
            if (connections.size() >= CONNECTION_COUNT_MAX)
            {
                connections.stream().max(Comparator.comparingLong(each -> nowNs - each.sinceNs()))
                    .ifPresent(WebConnection::close);
            }
            try
            {
                channel.configureBlocking(false);
                final SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
                key.attach(new WebConnection(channel, key, nowNs));
            }
            catch (final IOException ex)
            {
                CloseHelper.quietClose(channel);        // The browser has gone.
            }
        }
    }

    /** Returns red, green, blue, 255 of each pixel; connections that are sent the same picture share it. */
    private ByteBuffer picture()
    {
        final byte[] pixels;
        synchronized (screen)
        {
            if (screen.number() == pictureNumber)
            {
                return picture.duplicate();
            }
            pixels = screen.pixels.clone();
            pictureNumber = screen.number();
        }
        for (int i = 0; i < pixels.length; i += Screen.PIXEL_LENGTH)
        {
            final byte blue = pixels[i];
            pixels[i] = pixels[i + 2];
            pixels[i + 2] = blue;
            pixels[i + 3] = -1;                 // Opaque.
        }
        picture = ByteBuffer.wrap(pixels);
        return picture.duplicate();
    }
}
