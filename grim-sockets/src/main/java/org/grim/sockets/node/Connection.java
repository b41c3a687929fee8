// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets.node;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.ActiveMessage;
import org.grim.FrameClaim;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.SendStatus;
import org.grim.sockets.observe.ConnectionEntry;

/**
 * Two byte streams between two channels, over the links between their nodes. One end sends no more than the other has
 * room for: the reader reports the bytes that it has read, which moves the limit. So a reader that does not read stops
 * its own connection, and never the messages behind.
 * <p>Thread: any for what is volatile or atomic; the rest under the node's lock, which handlers hold, too.
 */
public final class Connection
{
    /** Most payload bytes of a message, if the link takes them in one piece: two or more stand in any hop. */
    private static final int CHUNK_LENGTH_MAX = 32 * 1024;
    /** Each credit may wake the writer at the other end. */
    private static final int CREDITS_PER_BUFFER = 2;
    /** A writer waits for more than this part of its room: less than a credit gives, more than one small message. */
    private static final int WAITING_PARTS = 3;
    /** Bytes that a write leaves here while other connections fill its link: TCP takes the first ones always. */
    private static final int KEPT_LENGTH_MAX = 16 * 1024;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final Connections connections;
    private final int id;
    private final List<Asked> asked = new ArrayList<>();
    private final ReceiveBuffer received;
    private final AtomicLong readPosition = new AtomicLong();
    private final InetSocketAddress remote;
    private final ConnectionEntry entry;
    private final long deadlineNs;
    private final Runnable onRefused;
    private InetSocketAddress local;
    private Listener listener;
    private Link link;
    private long peer;
    private int peerId;
    private volatile int window;
    private long creditedPosition;
    private int pendingControls;
    private ByteBuffer posted;
    private volatile int postedLength;              // Written under the node's lock.
    private volatile Runnable onChange;
    /** Written, and not sent: from its position to its limit. Under the node's lock. */
    private ByteBuffer kept = NOTHING;
    private volatile State state = State.CONNECTING;
    private volatile long sentPosition;
    private volatile long limitPosition;
    // Independent facts: each may come alone, and the first two have different writers.
    private volatile boolean isInputEnded;          // By the other side.
    private volatile boolean isInputShut;           // By this side: the thread that reads.
    private volatile boolean isOutputShut;
    private volatile boolean isStalled;

    /** Life cycle of a connection. A connection that is closed stays in its last state. */
    public enum State
    {
        /** The listener has not answered. */
        CONNECTING,
        /** Bytes can be sent. */
        CONNECTED,
        /** Nobody listens there, the listener has no room, or did not answer in time. */
        REFUSED,
        /** It was connected, and one side has broken it off: what came before can still be read. */
        RESET;

        /** {@return true from the listener's answer on} */
        public boolean hasConnected()
        {
            return this == CONNECTED || this == RESET;
        }

        private boolean canBecome(final State next)
        {
            return switch (this)
            {
                case CONNECTING -> next == CONNECTED || next == REFUSED;
                case CONNECTED -> next == RESET;
                case REFUSED, RESET -> false;
            };
        }
    }

    /**
     * A node that was asked whether it is the other side.
     *
     * @param peer the node and its incarnation, as one number.
     * @param link to it.
     */
    record Asked(long peer, Link link)
    {
    }

    /**
     * A connection that is being made.
     *
     * @param connections that it is one of.
     * @param id         on this side.
     * @param remote     address of the other side.
     * @param entry      where tools look at it.
     * @param deadlineNs when connecting ends.
     * @param onRefused  run under the node's lock when it will not be over GRIM.
     */
    Connection(
        final Connections connections, final int id, final InetSocketAddress remote, final ConnectionEntry entry,
        final long deadlineNs, final Runnable onRefused)
    {
        this.connections = connections;
        this.id = id;
        this.remote = remote;
        this.entry = entry;
        this.deadlineNs = deadlineNs;
        this.onRefused = onRefused;
        received = new ReceiveBuffer(connections.bufferLength());
    }

    int id()
    {
        return id;
    }

    int peerId()
    {
        return peerId;
    }

    /** {@return node and incarnation of the other side, as one number; 0 before it has accepted} */
    long peer()
    {
        return peer;
    }

    /** A node was asked, and may be the other side. */
    void asked(final Asked node)
    {
        asked.add(node);
    }

    /** {@return who was asked under a node's number; null if it was not, or has refused} */
    Asked asked(final int node)
    {
        for (final Asked candidate : asked)
        {
            if (candidate.peer() >> Integer.SIZE == node)
            {
                return candidate;
            }
        }
        return null;
    }

    /** A node that was asked refused, or is gone. Returns false if no other was. */
    boolean refusedBy(final long node)
    {
        asked.removeIf(candidate -> candidate.peer() == node);
        return !asked.isEmpty();
    }

    Link link()
    {
        return link;
    }

    /** {@return address of the other side} */
    public InetSocketAddress remote()
    {
        return remote;
    }

    /** {@return address of this side, as the client named it; null at the client} */
    public InetSocketAddress local()
    {
        return local;
    }

    void local(final InetSocketAddress newLocal)
    {
        local = newLocal;
    }

    long deadlineNs()
    {
        return deadlineNs;
    }

    /** {@return its state} */
    public State state()
    {
        return state;
    }

    boolean isStalled()
    {
        return isStalled;
    }

    /**
     * Says who waits for this connection.
     *
     * @param newOnChange run by any thread when something has changed.
     */
    public void onChange(final Runnable newOnChange)
    {
        onChange = newOnChange;
    }

    // Receives bytes, under the node's lock.

    /** The listener that the connection waits for: its client has to answer first. */
    void unconfirmed(final Listener newListener)
    {
        listener = newListener;
    }

    /** {@return the listener, until the client has answered; null afterwards, and at the client} */
    Listener listener()
    {
        return listener;
    }

    /** The other side is there. A client answers its listener. */
    void onConnected(final Asked node, final int newPeerId, final int newWindow)
    {
        asked.clear();
        link = node.link();
        peer = node.peer();
        peerId = newPeerId;
        window = newWindow;
        limitPosition = newWindow;
        entry.opened((int)(peer >> Integer.SIZE), newPeerId, newWindow);
        if (local == null && !connections.sendControl(this, Connections.CREDIT))    // Before the channel may send.
        {
            onReset();
        }
        if (state == State.CONNECTING)                              // Not if the link had gone before that answer.
        {
            transition(State.CONNECTED);
            signal();
        }
    }

    /** There will be no other side over GRIM. */
    void onRefused()
    {
        transition(State.REFUSED);
        onRefused.run();
        signal();
    }

    /** Bytes have come. Returns false if there are more than this side allowed. */
    boolean onData(final ActiveMessage message)
    {
        entry.received(message.length());
        if (isInputShut || isInputEnded)
        {
            consumed(message.length());
            return !isInputEnded;
        }
        final int direct = fillPosted(message);
        final boolean isTaken =
            received.tryAdd(message.buffer(), message.offset() + direct, message.length() - direct);
        signal();
        return isTaken;
    }

    /** A reader that has read everything before gets the bytes at once. */
    private int fillPosted(final ActiveMessage message)
    {
        if (posted == null || received.length() > 0)
        {
            return 0;
        }
        final int length = Math.min(message.length(), posted.remaining());
        message.buffer().getBytes(message.offset(), posted, length);
        final int before = postedLength;
        postedLength = before + length;
        assert length >= 0 && postedLength <= posted.position() : postedLength;
        return length;
    }

    /**
     * The other side has read.
     *
     * @param position low 32 bits of how many bytes of this connection.
     * @return false if that cannot be.
     */
    boolean onCredit(final int position)
    {
        final long limit = limitPosition;
        final long readByPeer = limit - window;
        final int more = position - (int)readByPeer;
        if (more < 0 || readByPeer + more > sentPosition)
        {
            return false;
        }
        limitPosition = limit + more;
        assert limitPosition - window <= sentPosition : "more was read than sent";
        entry.limit(limitPosition);
        signal();
        return true;
    }

    /** No more bytes will come. */
    void onEnd()
    {
        isInputEnded = true;
        signal();
    }

    /** The other side is gone: what it sent before can still be read. */
    void onReset()
    {
        if (state == State.CONNECTING)
        {
            entry.reset();
            onRefused();
            return;
        }
        if (state == State.CONNECTED)
        {
            transition(State.RESET);
        }
        signal();
    }

    /** The link has room again. */
    void onRoom()
    {
        isStalled = false;
        entry.stalled(false);
        signal();
    }

    // Reading: one thread at a time.

    /** {@return true if a read would not wait} */
    public boolean isReadable()
    {
        return received.length() > 0 || postedLength > 0 || isInputEnded || isOver() || isInputShut;
    }

    /** {@return bytes that can be read} */
    public int unreadLength()
    {
        return received.length();
    }

    /** {@return true after {@link #shutInput()}} */
    public boolean isInputShut()
    {
        return isInputShut;
    }

    /**
     * Reads without waiting.
     *
     * @param target with room for a byte or more.
     * @return bytes; 0 if none are there, -1 if none will come.
     * @throws IOException if the connection was reset.
     */
    public int read(final ByteBuffer target) throws IOException
    {
        final boolean wasReset = isOver();              // In the opposite order of their coming: an end stands before.
        final boolean hasEnded = isInputEnded;
        if (isInputShut)
        {
            return -1;
        }
        final int taken = received.take(target);
        if (taken > 0)
        {
            consumed(taken);
            return taken;
        }
        if (hasEnded)
        {
            return -1;
        }
        if (wasReset)
        {
            throw new SocketException("Connection reset");
        }
        return 0;
    }

    /** Has bytes that arrive go straight to a reader's buffer. Thread: any, under the node's lock. */
    void post(final ByteBuffer target)
    {
        posted = target;
    }

    /** Ends what {@link #post} began. Under the node's lock. Returns the bytes that have come. */
    int takePosted()
    {
        final int taken = postedLength;
        posted = null;
        postedLength = 0;
        if (taken > 0)
        {
            consumed(taken);
        }
        return taken;
    }

    /** Drops what has come, and what will. Thread: the one that reads. */
    public void shutInput()
    {
        isInputShut = true;
        consumed(received.clear());
    }

    private void consumed(final int length)
    {
        final long position = readPosition.addAndGet(length);
        entry.read(position);
        if (position - creditedPosition >= received.capacity() / CREDITS_PER_BUFFER && !isOver())
        {
            connections.shared().acquire();
            try
            {
                creditedPosition = position;
                connections.sendControl(this, Connections.CREDIT);
            }
            finally
            {
                connections.shared().release();
            }
        }
    }

    /** {@return value of {@link Connections#CREDIT} for the other side} */
    int creditValue()
    {
        return (int)readPosition.get();
    }

    // Writing.

    /** {@return true if a write would take so much that waking a writer pays, or fail} */
    public boolean isWritable()
    {
        return hasOutputEnded() || (!isStalled && limitPosition - sentPosition > window / WAITING_PARTS);
    }

    /** {@return true if nothing can be sent or will come any more: it was refused or reset} */
    boolean isOver()
    {
        final State current = state;
        return current == State.RESET || current == State.REFUSED;
    }

    /** {@return true if no write will take a byte any more} */
    public boolean hasOutputEnded()
    {
        return isOutputShut || isOver();
    }

    /**
     * Fails if no write will take a byte any more.
     *
     * @throws AsynchronousCloseException if the output was shut after the writer had looked.
     * @throws IOException                if the connection was reset.
     */
    public void requireOutput() throws IOException
    {
        if (isOutputShut)
        {
            throw new AsynchronousCloseException();
        }
        if (isOver())
        {
            throw new IOException("Broken pipe");
        }
    }

    /**
     * Writes what there is room for: in the link, or behind what is kept until that has room. Under the node's lock.
     *
     * @param source  of the bytes.
     * @param handler that takes them there.
     * @param claim   to use.
     * @return bytes; 0 also if the output has ended, behind which nothing is sent.
     */
    long write(final Gathered source, final HandlerId handler, final FrameClaim claim)
    {
        long written = 0;
        long position = sentPosition;
        while (source.remaining() > 0 && position < limitPosition && !hasOutputEnded() && !isStalled)
        {
            final int length = (int)Math.min(source.remaining(), nextLength());
            final SendStatus status = link.tryClaim(handler, length, claim);
            if (status.isAccepted())
            {
                source.take(claim.buffer(), claim.offset(), length);
                claim.arguments(Connections.DATA, peerId, id, 0).publish();
                position += length;
                sentPosition(position);
                written += length;
                if (written == length && source.remaining() > 0)
                {
                    connections.shared().wakeAll();         // The reader begins while the rest is written.
                }
            }
            else if (status == SendStatus.BACK_PRESSURED)
            {
                isStalled = true;
                entry.stalled(true);
                connections.stalled(this);
            }
            else
            {
                onReset();
            }
        }
        return isStalled && !hasOutputEnded() ? written + keep(source) : written;
    }

    private int keep(final Gathered source)
    {
        assert isStalled && state == State.CONNECTED : state;
        if (kept.capacity() == 0)
        {
            kept = ByteBuffer.allocate(KEPT_LENGTH_MAX).limit(0);
        }
        kept.compact();
        final long position = sentPosition;
        final long room = Math.min(limitPosition - position, kept.remaining());
        final int length = (int)Math.min(source.remaining(), room);
        source.take(new UnsafeBuffer(kept), kept.position(), length);
        kept.position(kept.position() + length).flip();
        sentPosition(position + length);
        return length;
    }

    /** {@return true while bytes that were written wait for room in the link} */
    boolean hasKept()
    {
        return kept.hasRemaining();
    }

    /** Sends what is kept. Under the node's lock. Returns false if the link has no room for all. */
    boolean trySendKept(final HandlerId handler, final FrameClaim claim)
    {
        while (kept.hasRemaining())
        {
            final int length = Math.min(kept.remaining(), link.payloadLengthMax());
            final SendStatus status = link.tryClaim(handler, length, claim);
            if (status == SendStatus.BACK_PRESSURED)
            {
                return false;
            }
            if (status.isAccepted())
            {
                claim.buffer().putBytes(claim.offset(), kept, kept.position(), length);
                claim.arguments(Connections.DATA, peerId, id, 0).publish();
                kept.position(kept.position() + length);
            }
            else
            {
                onReset();
            }
        }
        return true;
    }

    /** {@return most bytes that the next message takes: a writer whose link has no room for them waits for that} */
    int nextLength()
    {
        return (int)Math.min(limitPosition - sentPosition, Math.min(CHUNK_LENGTH_MAX, link.payloadLengthMax()));
    }

    /** {@return true if no more bytes can be sent} */
    public boolean isOutputShut()
    {
        return isOutputShut;
    }

    /** No more bytes will be sent. Under the node's lock. */
    void shutOutput()
    {
        if (!isOutputShut)
        {
            isOutputShut = true;
            if (state == State.CONNECTED)
            {
                connections.sendControl(this, Connections.END);
            }
        }
    }

    /** Nothing comes for it any more. Under the node's lock. */
    void forgotten()
    {
        entry.release();
    }

    /** The channel is closed. Under the node's lock. */
    void close(final boolean isAbort)
    {
        if (state == State.CONNECTED)
        {
            if (isAbort || (unreadLength() > 0 && !isInputShut))
            {
                transition(State.RESET);
                connections.sendControl(this, Connections.RESET);
            }
            else
            {
                shutOutput();
            }
        }
        received.clear();
    }

    /** Control messages that wait for room in the link: one bit each. Under the node's lock. */
    int pendingControls()
    {
        return pendingControls;
    }

    void pendingControls(final int bits)
    {
        pendingControls = bits;
    }

    /** Takes a step of the life cycle. Under the node's lock. */
    private void transition(final State next)
    {
        assert state.canBecome(next) : state + " to " + next;
        state = next;
        if (next == State.RESET)
        {
            kept = NOTHING;
            entry.reset();
        }
    }

    private void sentPosition(final long position)
    {
        assert position >= sentPosition && position <= limitPosition : position + " of " + limitPosition;
        sentPosition = position;
        entry.sent(position);
    }

    private void signal()
    {
        final Runnable current = onChange;
        if (current != null)
        {
            current.run();
        }
    }
}
