// SPDX-License-Identifier: Apache-2.0
package org.grim.device.video;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.agrona.CloseHelper;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/**
 * Connection of a browser: one request (HTTP/1.1, without a body) after another.
 * <p>Thread: that of the page.
 * <p>Bounds: a request has {@value #REQUEST_LENGTH_MAX} bytes. Each of request and answer takes 30 s at most; a request
 * for a picture is answered after 10 s, also if there is none.
 */
final class WebConnection
{
    private static final int REQUEST_LENGTH_MAX = 1 << 13;
    private static final int PIECE_LENGTH = 1 << 18;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long PICTURE_PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);
    private static final Pattern REQUEST = Pattern.compile("GET (/|/pixels\\?after=([0-9]{1,18})) HTTP/1\\.[01]");
    private static final String END = "\r\n\r\n";
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SocketChannel channel;
    private final SelectionKey key;
    private final ByteBuffer request = ByteBuffer.allocate(REQUEST_LENGTH_MAX);
    private final ByteBuffer[] answer = {NOTHING, NOTHING};
    private State state = State.READING;
    private boolean hasPicture;
    private boolean asksForPage;
    private long after;
    private long sinceNs;

    private enum State
    {
        /** A request is not complete. */
        READING,
        /** It is, and waits for its answer. */
        ASKING,
        /** The browser takes the answer. */
        SENDING,
        /** It has ended. */
        CLOSED
    }

    WebConnection(final SocketChannel channel, final SelectionKey key, final long nowNs)
    {
        this.channel = channel;
        this.key = key;
        sinceNs = nowNs;
    }

    boolean isAsking()
    {
        return state == State.ASKING;
    }

    boolean isSendingPicture()
    {
        return state == State.SENDING && hasPicture;
    }

    /** Says what it asks for: the page, or a picture behind {@link #after}. */
    boolean asksForPage()
    {
        return asksForPage;
    }

    long after()
    {
        return after;
    }

    /** Returns since when it is in its state. */
    long sinceNs()
    {
        return sinceNs;
    }

    /** Reads and writes what is possible now. */
    void step(final long nowNs)
    {
        try
        {
            if (state == State.SENDING)
            {
                send(nowNs);
            }
            if (state == State.READING || state == State.ASKING)
            {
                read(nowNs);
            }
            if (state == State.ASKING && !asksForPage && nowNs - sinceNs > PICTURE_PATIENCE_NS)
            {
                answer("204 No Content", "", NOTHING, nowNs);
            }
            if (nowNs - sinceNs > PATIENCE_NS)
            {
                close();
            }
        }
        catch (final IOException ex)            // The browser has gone.
        {
            close();
        }
    }

    /** Begins an answer. */
    void answer(final String status, final String headers, final ByteBuffer body, final long nowNs)
    {
        answer[0] = ByteBuffer.wrap(("HTTP/1.1 " + status + "\r\nCache-Control: no-store\r\n" + headers +
            (status.startsWith("204") ? "" : "Content-Length: " + body.remaining() + "\r\n") + "\r\n")
            .getBytes(ISO_8859_1));
        answer[1] = body;
        hasPicture = state == State.ASKING && !asksForPage;
        become(State.SENDING, nowNs);
        step(nowNs);
    }

    void close()
    {
        state = State.CLOSED;
        answer[1] = NOTHING;
        key.attach(null);
        CloseHelper.quietClose(channel);
    }

    private void become(final State next, final long nowNs)
    {
        state = next;
        sinceNs = nowNs;
        key.interestOps(next == State.SENDING ? SelectionKey.OP_WRITE : SelectionKey.OP_READ);
    }

    /** Not all at once: the JDK copies what it writes into memory of its own. */
    private void send(final long nowNs) throws IOException
    {
        for (final ByteBuffer part : answer)
        {
            int count = 1;
            while (part.hasRemaining() && count > 0)
            {
                final ByteBuffer piece = part.slice(part.position(), Math.min(PIECE_LENGTH, part.remaining()));
                count = channel.write(piece);
                part.position(part.position() + count);
            }
            if (part.hasRemaining())
            {
                return;
            }
        }
        answer[1] = NOTHING;
        become(State.READING, nowNs);
    }

    private void read(final long nowNs) throws IOException
    {
        if (request.hasRemaining() && channel.read(request) < 0)
        {
            close();
            return;
        }
        final String text = new String(request.array(), 0, request.position(), ISO_8859_1);
        final int end = text.indexOf(END);
        if (!request.hasRemaining() && (state == State.ASKING || end < 0))
        {
            close();                            // No browser sends so much.
        }
        else if (state == State.READING && end >= 0)
        {
            ask(text, end, nowNs);
        }
    }

    private void ask(final String text, final int end, final long nowNs)
    {
        request.flip().position(end + END.length());
        request.compact();
        become(State.ASKING, nowNs);
        final Matcher line = REQUEST.matcher(text.substring(0, text.indexOf("\r\n")));
        if (line.matches())
        {
            asksForPage = line.group(2) == null;
            after = asksForPage ? 0 : Long.parseLong(line.group(2));
        }
        else
        {
            asksForPage = true;
            answer("404 Not Found", "", NOTHING, nowNs);
        }
    }
}
