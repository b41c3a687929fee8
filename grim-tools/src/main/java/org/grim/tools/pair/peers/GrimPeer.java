// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pair.peers;

import java.nio.file.Path;
import java.time.Duration;
import java.util.function.UnaryOperator;

import org.agrona.DirectBuffer;
import org.grim.Endpoint;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.SendStatus;
import org.grim.tools.pair.Ends;
import org.grim.tools.pair.MessageReceiver;
import org.grim.tools.pair.Peer;

import static org.grim.GrimException.Reason.BAD_DATA;
import static org.grim.GrimException.Reason.UNREACHABLE;

/**
 * This library as its users meet it: a link, a handler, and an endpoint that its owner polls. All defaults, but for the
 * transport.
 */
public final class GrimPeer implements Peer
{
    private static final String FIRST_NAME = "first";
    private static final String SECOND_NAME = "second";
    private static final String MESSAGE = "bench.message";

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Grim grim;
    private final Endpoint endpoint;
    private final String otherName;
    private Link link;
    private HandlerId handler;

    /**
     * Joins a cluster of the peer's own.
     *
     * @param directory of the files.
     * @param cluster   its name.
     * @param ends      that this process has.
     * @param transport completes the settings.
     * @param receiver  of what comes.
     */
    public GrimPeer(
        final Path directory, final String cluster, final Ends ends,
        final UnaryOperator<GrimConfig> transport, final MessageReceiver receiver)
    {
        otherName = ends == Ends.FIRST ? SECOND_NAME : FIRST_NAME;
        grim = Grim.enable(transport.apply(GrimConfig.builder().directory(directory).set("grim.cluster.name", cluster)
            .nodeName(ends == Ends.SECOND ? SECOND_NAME : FIRST_NAME).errorHandler(ex -> rethrow(ex)).build()));
        endpoint = grim.endpoint();
        grim.handlers().register(MESSAGE,
            message -> receiver.onMessage(message.buffer(), message.offset(), message.length()));
        grim.start();
    }

    @Override
    public void connect()
    {
        grim.awaitNode(otherName, PATIENCE);            // Of another host it may not be known yet.
        handler = grim.handlers().resolve(MESSAGE);
        link = endpoint.link(grim.locate(otherName));
    }

    @Override
    public boolean trySend(final DirectBuffer source, final int offset, final int length)
    {
        final SendStatus status = link.send(handler, source, offset, length);
        if (status == SendStatus.SENT)
        {
            return true;
        }
        if (status.isAccepted() || status == SendStatus.BACK_PRESSURED)
        {
            return status.isAccepted();
        }
        throw new GrimException(UNREACHABLE, "send to " + link.destination() + " failed: status=" + status);
    }

    @Override
    public int poll()
    {
        return endpoint.poll();
    }

    @Override
    public void idle()
    {
        endpoint.poll();
    }

    @Override
    public void close()
    {
        grim.close();
    }

    /** A handler's error is the measurement's error. */
    private static void rethrow(final Throwable error)
    {
        throw new GrimException(BAD_DATA, "a handler failed: " + error.getMessage(), error);
    }
}
