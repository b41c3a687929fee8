// SPDX-License-Identifier: Apache-2.0
package org.grim.mpi;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import org.agrona.DirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.IntHashSet;
import org.grim.ActiveMessage;
import org.grim.FrameClaim;
import org.grim.HandlerId;
import org.grim.HandlerRegistry;
import org.grim.NodeInfo;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;

/**
 * Messages between the processes of a job: short ones are sent at once, and kept by a receiver that does not expect
 * them; the sender of a long one asks, and sends pieces when a receive has granted it (eager and rendezvous protocol).
 * Each piece is copied from the sender's elements into the hop, and from there to the receiver's.
 * <pre>
 *  message  arguments: context, tag, source's rank there, send or 0    payload: elements        send waits for MATCHED
 *  request  arguments: context, tag, source's rank there, send         payload: u64 length
 *  control  arguments: word, a0, a1, 0                                 payload: u64 value, more ints
 *  piece    arguments: receive, 0, position (u64)                      payload: elements
 * </pre>
 * <p>Thread: the endpoint's owner. Order: a message or a request goes on no link before an earlier one for it.
 */
final class Transfers
{
    /** Most bytes of a piece. */
    static final int PIECE_LENGTH_MAX = 1 << 14;        // The receiver copies one while the next is copied here.

    private static final int PIECES_PER_STEP = 8;
    private static final int PREFIX = Long.BYTES;
    private static final byte[] NONE = {};
    private static final int[] NO_MORE = {};

    private final Matching matching = new Matching();
    private final Int2ObjectHashMap<Send> sends = new Int2ObjectHashMap<>();        // By id, as the next one.
    private final Int2ObjectHashMap<Receive> receives = new Int2ObjectHashMap<>();
    private final Int2ObjectHashMap<Peer> peersByNode = new Int2ObjectHashMap<>();
    private final List<Send> granted = new ArrayList<>();
    private final List<Probe> probes = new ArrayList<>();
    private final List<Arrival> unusedArrivals = new ArrayList<>();
    private final IntHashSet revoked = new IntHashSet();                            // Numbers of communicators.
    private final FrameClaim claim;
    private final DirectBuffer view = Buffers.wrap(NONE);
    private final int eagerLength;
    private final long unexpectedLengthMax;
    private final HandlerId messageHandler;
    private final HandlerId requestHandler;
    private final HandlerId controlHandler;
    private final HandlerId pieceHandler;
    private final IntFunction<Peer> finder;
    private final Listener listener;
    private final Peer[] peers;             // By rank; null until they are known.
    private int lastId;
    private long unexpectedLength;          // Bytes of messages that are kept.
    private int askedCount;                 // Peers that are asked to hold their messages.
    private int waitingCount;               // Peers with something that waits for room.
    private boolean isClosed;

    /**
     * Knows no peer yet.
     *
     * @param size                processes of the job.
     * @param finder              makes the peer of a node, which may send before it is looked for; null if it is none.
     * @param listener            gets words about communicators.
     * @param handlers            of the node.
     * @param eagerLength         most bytes of a message that is sent at once.
     * @param unexpectedLengthMax bytes from which on senders are asked to hold their messages.
     */
    Transfers(
        final int size, final IntFunction<Peer> finder, final Listener listener, final HandlerRegistry handlers,
        final FrameClaim claim, final int eagerLength, final long unexpectedLengthMax)
    {
        this.listener = listener;
        this.claim = claim;
        peers = new Peer[size];
        this.finder = finder;
        this.eagerLength = eagerLength;
        this.unexpectedLengthMax = unexpectedLengthMax;
        messageHandler = handlers.register("mpi.message", this::onMessage);
        requestHandler = handlers.register("mpi.request", this::onRequest);
        controlHandler = handlers.register("mpi.control", this::onControl);
        pieceHandler = handlers.register("mpi.piece", this::onPiece);
    }

    /** The node of a process of the job; -1 if it is not known, or not one alone. */
    int nodeOf(final int rank)
    {
        return rank < 0 || peers[rank] == null ? -1 : peers[rank].endpoint.node();
    }

    /** The process of a node; null if it is none of the job. */
    Peer peerOf(final int node)
    {
        Peer peer = peersByNode.get(node);
        if (peer == null)
        {
            peer = finder.apply(node);
            if (peer != null)
            {
                peersByNode.put(node, peer);
                peers[peer.rank] = peer;
            }
        }
        return peer;
    }

    /** Begins to send: what, and to whom, is set. */
    void begin(final Send send)
    {
        send.begin();
        final Peer peer = peers[send.peer];
        if (isClosed || peer.isGone)
        {
            send.end(isClosed ? Operation.Outcome.CLOSED : Operation.Outcome.PEER_FAILED);
        }
        else if (peer.hasWaiting() || !trySend(send, peer))
        {
            waitFor(peer).waiting.add(send);
        }
    }

    /** Begins to receive: whose, and where to, is set. */
    void begin(final Receive receive)
    {
        receive.begin();
        final Entry found = matching.findArrived(receive.context, receive.source, receive.tag);
        if (found != null)
        {
            matching.take(found);
            take((Arrival)found, receive);
        }
        else if (isClosed || hasFailed(receive))
        {
            receive.end(isClosed ? Operation.Outcome.CLOSED : Operation.Outcome.PEER_FAILED);
        }
        else
        {
            matching.post(receive);
        }
    }

    /** Begins to receive a message that was found and {@linkplain #takeOut taken out}. */
    void begin(final Receive receive, final Arrival message)
    {
        receive.begin();
        receive.envelope(message.context, message.source, message.tag);
        receive.peer = message.sender;
        if (isRevoked(message.context))
        {
            drop(message);
            resume();
            receive.end(Operation.Outcome.REVOKED);
        }
        else
        {
            take(message, receive);
        }
    }

    /** Begins to look for a message. */
    void begin(final Probe probe)
    {
        probe.begin();
        final Arrival found = find(probe.context, probe.source, probe.tag);
        if (found != null)
        {
            probe.found(found);
        }
        else if (isClosed || hasFailed(probe))
        {
            probe.end(isClosed ? Operation.Outcome.CLOSED : Operation.Outcome.PEER_FAILED);
        }
        else
        {
            probes.add(probe);
        }
    }

    /** Finds the first message that has come for a receive of its kind; null if there is none. */
    Arrival find(final int context, final int source, final int tag)
    {
        return (Arrival)matching.findArrived(context, source, tag);
    }

    /** Takes a message out: nobody else finds it. */
    void takeOut(final Arrival message)
    {
        matching.take(message);
    }

    /** Takes back an operation of which nothing has happened yet. Returns false if something has. */
    boolean tryCancel(final Operation operation)
    {
        boolean isCancelled = false;
        if (operation instanceof final Receive receive && receive.list != null)
        {
            matching.cancel(receive);
            isCancelled = true;
        }
        else if (operation instanceof final Send send && !send.isDone())
        {
            final Peer peer = peers[send.peer];
            isCancelled = peer.waiting.remove(send);
            waitingCount -= isCancelled && !peer.hasWaiting() ? 1 : 0;
        }
        else if (operation instanceof final Probe probe)
        {
            isCancelled = probes.remove(probe);
        }
        if (isCancelled)
        {
            operation.end(Operation.Outcome.CANCELLED);
        }
        return isCancelled;
    }

    /** Sends what waits, as far as there is room. Outside handlers. */
    void step()
    {
        for (int i = 0; i < peers.length && waitingCount > 0; i++)
        {
            if (peers[i] != null && peers[i].hasWaiting())
            {
                flush(peers[i]);
            }
        }
        for (int i = granted.size() - 1; i >= 0; i--)
        {
            final Send send = granted.get(i);
            if (!trySendPieces(send, peers[send.peer]))
            {
                granted.remove(i);
                end(send, Operation.Outcome.DONE);
            }
        }
    }

    /** {@return whether something waits for room, which rings no bell} */
    boolean isWaitingForRoom()
    {
        return waitingCount > 0 || !granted.isEmpty();
    }

    /** {@return messages that came before their receives} */
    int unexpectedCount()
    {
        return matching.arrivedCount();
    }

    boolean isGone(final int rank)
    {
        return peers[rank].isGone;
    }

    /** {@return the node of a process, the path to which was lost while it was up; null otherwise} */
    NodeInfo cutOff(final int rank)
    {
        return peers[rank].cutOff;
    }

    /** A node is gone, or cut off: nothing that needs it goes on. */
    void onGone(final NodeInfo node, final boolean isCutOff)
    {
        final Peer peer = peersByNode.get(node.number());
        if (peer == null || peer.isGone)
        {
            return;
        }
        peer.isGone = true;
        peer.cutOff = isCutOff ? node : null;
        waitingCount -= peer.hasWaiting() ? 1 : 0;
        peer.controls.clear();
        for (Send send = peer.waiting.poll(); send != null; send = peer.waiting.poll())
        {
            send.end(Operation.Outcome.PEER_FAILED);
        }
        endAll(this::hasFailed, Operation.Outcome.PEER_FAILED);
    }

    /** This process leaves: nothing goes on. */
    void close()
    {
        isClosed = true;
        for (final Peer peer : peersByNode.values())
        {
            for (Send send = peer.waiting.poll(); send != null; send = peer.waiting.poll())
            {
                send.end(Operation.Outcome.CLOSED);
            }
            peer.controls.clear();
        }
        waitingCount = 0;
        endAll(operation -> true, Operation.Outcome.CLOSED);
    }

    /** Ends operations of a communicator, and drops its messages. Outside handlers. */
    void revoke(final int number)
    {
        final Predicate<Operation> isConcerned = operation -> Members.numberOf(operation.context) == number;
        for (final Peer peer : peersByNode.values())
        {
            final boolean hadWaiting = peer.hasWaiting();
            endSome(peer.waiting, isConcerned, Operation.Outcome.REVOKED);
            waitingCount -= hadWaiting && !peer.hasWaiting() ? 1 : 0;
        }
        endAll(isConcerned, Operation.Outcome.REVOKED);
        revoked.add(number);
        dropAll(number);
    }

    /**
     * Drops messages of a communicator that no receive will take. Their senders wait no more; if it is revoked, their
     * sends have ended.
     */
    void dropAll(final int number)
    {
        Entry next = matching.oldest();
        while (next != null)
        {
            final Arrival arrival = (Arrival)next;
            next = next.newerOfAll;
            if (Members.numberOf(arrival.context) == number)
            {
                matching.take(arrival);
                if (!revoked.contains(number))
                {
                    answer(peers[arrival.sender], arrival);
                }
                drop(arrival);
            }
        }
        resume();
    }

    private void answer(final Peer peer, final Arrival arrival)
    {
        if (arrival.isRequest)
        {
            control(peer, Peer.Word.GRANT, arrival.sendId, 0, 0, NO_MORE);
        }
        else
        {
            matched(peer, arrival.sendId);
        }
    }

    private void drop(final Arrival arrival)
    {
        unexpectedLength -= arrival.isRequest ? 0 : arrival.length;
        arrival.release();
        unusedArrivals.add(arrival);
    }

    private boolean isRevoked(final int context)
    {
        return revoked.contains(Members.numberOf(context));
    }

    /** Ends what is in progress, and concerned by something. */
    private void endAll(final Predicate<Operation> isConcerned, final Operation.Outcome outcome)
    {
        granted.removeIf(isConcerned);
        endSome(sends.values(), isConcerned, outcome);
        endSome(receives.values(), isConcerned, outcome);
        endSome(probes, isConcerned, outcome);
        matching.forEachPosted(entry ->
        {
            final Receive receive = (Receive)entry;
            if (isConcerned.test(receive))
            {
                matching.cancel(receive);
                receive.end(outcome);
            }
        });
    }

    private static void endSome(
        final Collection<? extends Operation> some, final Predicate<Operation> isConcerned,
        final Operation.Outcome outcome)
    {
        some.removeIf(operation ->
        {
            final boolean isOver = isConcerned.test(operation);
            if (isOver)
            {
                operation.end(outcome);
            }
            return isOver;
        });
    }

    private boolean hasFailed(final Operation awaited)
    {
        return awaited.peer != Entry.ANY ? peers[awaited.peer].isGone :
            IntStream.of(awaited.members).anyMatch(member -> peers[member].isGone);
    }

    private Peer waitFor(final Peer peer)
    {
        waitingCount += peer.hasWaiting() ? 0 : 1;
        return peer;
    }

    private void flush(final Peer peer)
    {
        for (Peer.Control next = peer.controls.peek(); next != null &&
            trySend(peer, next.word(), next.a0(), next.a1(), next.value(), next.more()); next = peer.controls.peek())
        {
            peer.controls.remove();
        }
        while (!peer.waiting.isEmpty() && trySend(peer.waiting.peek(), peer))
        {
            peer.waiting.remove();
        }
        waitingCount -= peer.hasWaiting() ? 0 : 1;
    }

    /** Sends a message, or the request to send it; false if there is no room. */
    private boolean trySend(final Send send, final Peer peer)
    {
        final long length = send.packedLength();
        final boolean isMessage = length <= eagerLength && length <= peer.link.payloadLengthMax() && !peer.isHolding;
        final SendStatus status = peer.link.tryClaim(isMessage ? messageHandler : requestHandler,
            isMessage ? (int)length : PREFIX, claim);
        if (status == SendStatus.BACK_PRESSURED)
        {
            return false;
        }
        if (!status.isAccepted())
        {
            send.end(status == SendStatus.CLOSED ? Operation.Outcome.CLOSED : Operation.Outcome.PEER_FAILED);
            return true;
        }
        final boolean isAwaited = !isMessage || send.mode == Send.Mode.SYNCHRONOUS;
        send.id = isAwaited ? nextId() : 0;
        if (isMessage)
        {
            fill(send, 0, (int)length);
        }
        else
        {
            claim.buffer().putLong(claim.offset(), length);
        }
        claim.arguments(send.context, send.tag, send.source, send.id).publish();
        if (isAwaited)
        {
            sends.put(send.id, send);
        }
        else
        {
            send.end(Operation.Outcome.DONE);
        }
        return true;
    }

    /** Fills the claim; gives the room back if that cannot be done. */
    private void fill(final Send send, final long position, final int length)
    {
        boolean isFilled = false;
        try
        {
            send.layout.pack(send.place, send.offset, send.layout.elements(position), claim.buffer(), claim.offset(),
                (int)send.layout.elements(length));
            isFilled = true;
        }
        finally
        {
            if (!isFilled)
            {
                claim.abort();
            }
        }
    }

    /** Sends some of what was granted; false if that was all. */
    private boolean trySendPieces(final Send send, final Peer peer)
    {
        for (int i = 0; i < PIECES_PER_STEP && send.position < send.limit; i++)
        {
            final int length = (int)Math.min(peer.pieceLengthMax, send.limit - send.position);
            final SendStatus status = peer.link.tryClaim(pieceHandler, length, claim);
            if (!status.isAccepted())
            {
                return true;                    // There is no room, or the peer is about to be gone.
            }
            fill(send, send.position, length);
            claim.arguments(send.receiveId, 0, (int)(send.position >> Integer.SIZE), (int)send.position).publish();
            send.position += length;
        }
        return send.position < send.limit;
    }

    private void end(final Send send, final Operation.Outcome outcome)
    {
        sends.remove(send.id);
        send.end(outcome);
    }

    /** Sends a word about a communicator. */
    void control(final int rank, final Peer.Word word, final int number, final long value, final int... more)
    {
        control(peers[rank], word, number, 0, value, more);
    }

    private void control(
        final Peer peer, final Peer.Word word, final int a0, final int a1, final long value, final int... more)
    {
        if (!peer.isGone && (!peer.controls.isEmpty() || !trySend(peer, word, a0, a1, value, more)))
        {
            waitFor(peer).controls.add(new Peer.Control(word, a0, a1, value, more));
        }
    }

    private boolean trySend(
        final Peer peer, final Peer.Word word, final int a0, final int a1, final long value, final int... more)
    {
        final SendStatus status = peer.link.tryClaim(controlHandler, PREFIX + more.length * Integer.BYTES, claim);
        if (status.isAccepted())
        {
            claim.buffer().putLong(claim.offset(), value);
            for (int i = 0; i < more.length; i++)
            {
                claim.buffer().putInt(claim.offset() + PREFIX + i * Integer.BYTES, more[i]);
            }
            claim.arguments(word.code(), a0, a1, 0).publish();
        }
        return status != SendStatus.BACK_PRESSURED;
    }

    private void onMessage(final ActiveMessage message)
    {
        final Peer peer = peerOf(message.source().node());
        if (peer == null)
        {
            return;                             // Of another program in this cluster.
        }
        final int context = message.argument(0);
        final int tag = message.argument(1);
        final int source = message.argument(2);
        final int sendId = message.argument(3);
        final Receive receive = (Receive)matching.takePosted(context, source, tag);
        if (receive != null)
        {
            receive.result(source, tag, receive.take(message.length()));
            unpack(receive, message.buffer(), message.offset(), 0, (int)receive.limit);
            receive.taken();
            matched(peer, sendId);
            return;
        }
        if (isRevoked(context))
        {
            return;                             // Its sender did not know; its send ends when it does.
        }
        final Arrival arrival = arrival(peer, context, source, tag, sendId);
        arrival.isRequest = false;
        arrival.keep(message);
        unexpectedLength += arrival.length;
        arrive(arrival);
        if ((arrival.kept == null || unexpectedLength > unexpectedLengthMax) && !peer.isAskedToHold)
        {
            peer.isAskedToHold = true;
            askedCount++;
            control(peer, Peer.Word.HOLD, 1, 0, 0, NO_MORE);
        }
    }

    private void onRequest(final ActiveMessage message)
    {
        final Peer peer = peerOf(message.source().node());
        if (peer == null)
        {
            return;                             // Of another program in this cluster.
        }
        final long length = message.buffer().getLong(message.offset());
        final Receive receive =
            (Receive)matching.takePosted(message.argument(0), message.argument(2), message.argument(1));
        if (receive != null)
        {
            grant(receive, peer, message.argument(2), message.argument(1), message.argument(3), length);
            return;
        }
        if (isRevoked(message.argument(0)))
        {
            return;                             // As in onMessage.
        }
        final Arrival arrival =
            arrival(peer, message.argument(0), message.argument(2), message.argument(1), message.argument(3));
        arrival.isRequest = true;
        arrival.length = length;
        arrive(arrival);
    }

    private Arrival arrival(final Peer peer, final int context, final int source, final int tag, final int sendId)
    {
        final Arrival arrival =
            unusedArrivals.isEmpty() ? new Arrival() : unusedArrivals.remove(unusedArrivals.size() - 1);
        arrival.envelope(context, source, tag);
        arrival.sender = peer.rank;
        arrival.sendId = sendId;
        return arrival;
    }

    private void arrive(final Arrival arrival)
    {
        matching.arrive(arrival);
        for (int i = probes.size() - 1; i >= 0; i--)
        {
            if (probes.get(i).takes(arrival.context, arrival.source, arrival.tag))
            {
                probes.remove(i).found(arrival);
            }
        }
    }

    /** Ends, or goes on with, a receive for which a message had come. */
    private void take(final Arrival arrival, final Receive receive)
    {
        final Peer peer = peers[arrival.sender];
        if (arrival.isRequest)
        {
            grant(receive, peer, arrival.source, arrival.tag, arrival.sendId, arrival.length);
        }
        else
        {
            receive.result(arrival.source, arrival.tag, receive.take(arrival.length));
            unpackKept(arrival, receive);
            unexpectedLength -= arrival.length;
            assert unexpectedLength >= 0 : unexpectedLength;
            receive.taken();
            matched(peer, arrival.sendId);
            resume();
        }
        unusedArrivals.add(arrival);
    }

    private void grant(
        final Receive receive, final Peer peer, final int source, final int tag, final int sendId, final long length)
    {
        receive.result(source, tag, receive.take(length));
        if (peer.isGone)
        {
            receive.end(Operation.Outcome.PEER_FAILED);
            return;
        }
        if (receive.limit > 0)
        {
            receive.peer = peer.rank;
            receive.id = nextId();
            receives.put(receive.id, receive);
        }
        else
        {
            receive.taken();
        }
        control(peer, Peer.Word.GRANT, sendId, receive.limit > 0 ? receive.id : 0, receive.limit, NO_MORE);
    }

    private void matched(final Peer peer, final int sendId)
    {
        if (sendId != 0)
        {
            control(peer, Peer.Word.MATCHED, sendId, 0, 0, NO_MORE);
        }
    }

    /** Senders that hold their messages go on when half of the room is free. */
    private void resume()
    {
        if (askedCount == 0 || unexpectedLength > unexpectedLengthMax / 2)
        {
            return;
        }
        askedCount = 0;
        for (final Peer peer : peersByNode.values())
        {
            if (peer.isAskedToHold)
            {
                peer.isAskedToHold = false;
                control(peer, Peer.Word.HOLD, 0, 0, 0, NO_MORE);
            }
        }
    }

    private void onControl(final ActiveMessage message)
    {
        final Peer peer = peerOf(message.source().node());
        if (peer == null)
        {
            return;                             // Of another program in this cluster.
        }
        final Send send = sends.get(message.argument(1));
        switch (Peer.Word.of(message.argument(0)))
        {
            case GRANT ->
            {
                if (send != null)
                {
                    send.receiveId = message.argument(2);
                    send.limit = message.buffer().getLong(message.offset());
                    send.position = 0;
                    granted.add(send);
                }
            }
            case MATCHED ->
            {
                if (send != null)
                {
                    end(send, Operation.Outcome.DONE);
                }
            }
            case HOLD -> peer.isHolding = message.argument(1) != 0;
            default ->
            {
                final int[] more = new int[(message.length() - PREFIX) / Integer.BYTES];
                for (int i = 0; i < more.length; i++)
                {
                    more[i] = message.buffer().getInt(message.offset() + PREFIX + i * Integer.BYTES);
                }
                listener.onWord(peer.rank, new Peer.Control(Peer.Word.of(message.argument(0)), message.argument(1),
                    message.argument(2), message.buffer().getLong(message.offset()), more));
            }
        }
    }

    /** Gets words about communicators, in a handler. */
    @FunctionalInterface
    interface Listener
    {
        void onWord(int rank, Peer.Control word);
    }

    private void onPiece(final ActiveMessage message)
    {
        final Receive receive = receives.get(message.argument(0));
        if (receive != null)
        {
            final long position =
                (long)message.argument(2) << Integer.SIZE | Integer.toUnsignedLong(message.argument(3));
            unpack(receive, message.buffer(), message.offset(), position, message.length());
            receive.received += message.length();
            if (receive.received >= receive.limit)
            {
                receives.remove(receive.id);
                receive.taken();
            }
        }
    }

    private void unpackKept(final Arrival arrival, final Receive receive)
    {
        if (arrival.kept == null)
        {
            view.wrap(arrival.copy);
            unpack(receive, view, 0, 0, (int)receive.limit);
            view.wrap(NONE);
        }
        else
        {
            unpack(receive, arrival.kept.buffer(), arrival.kept.offset(), 0, (int)receive.limit);
        }
        arrival.release();
    }

    private static void unpack(
        final Receive receive, final DirectBuffer buffer, final int bufferOffset, final long position,
        final int length)
    {
        final Layout layout = receive.layout;
        layout.unpack(buffer, bufferOffset, receive.place, receive.offset, layout.elements(position),
            (int)layout.elements(length));
    }

    private int nextId()
    {
        do
        {
            lastId++;
        }
        while (lastId == 0 || sends.containsKey(lastId) || receives.containsKey(lastId));
        return lastId;
    }

    @Override
    public String toString()
    {
        return "posted=" + matching.postedCount() + " unexpected=" + matching.arrivedCount() + " sends=" +
            sends.size() + " receives=" + receives.size() + " peers=" + peersByNode.values().stream()
            .filter(peer -> !peer.isGone).count();
    }
}
