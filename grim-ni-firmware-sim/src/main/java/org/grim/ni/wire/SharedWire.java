// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.wire;

import java.util.function.UnaryOperator;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.GrimException;
import org.grim.ni.board.Wire;
import org.grim.transport.TransportContext;

/**
 * Joins the boards of several processes of one host. From each board to each other leads a ring in shared memory, made
 * by the sender at its first packet, in which packets stand in one piece and are read in place. NI numbers are node
 * numbers. Loses nothing between live NIs: a full ring pushes back, and the kernel reports a death.
 * <p>A packet whose ring has no room waits in the sender's own memory, and {@link #isIdle()} moves it on: until then
 * nothing else leaves. A ring of as many bytes as may be in flight to one NI never pushes back.
 * <p>A peer's fault or death is counted as a {@link WireFault} and never thrown. Each packet that was swallowed is
 * followed by {@link NiGoneListener#onGone}.
 * <p>Thread: the board's stepper.
 * <p>Owns: the mappings of all rings from and to the board, and the files of those that it reads.
 * <p>Bounds: a file of {@code ringLength} bytes for each pair that talks. Allocates when a peer's incarnation is first
 * talked with, and not otherwise.
 */
public final class SharedWire implements Wire, AutoCloseable
{
    /** Most bytes of a packet. */
    public static final int PACKET_LENGTH_MAX = 65_536 + 64;
    /** Default length of a ring in bytes. */
    public static final int RING_LENGTH_DEFAULT = 1 << 21;

    private final InboundRings rings = new InboundRings();
    private final WirePeers peers;
    private final PacketSender sender;

    /**
     * Makes the board's end and publishes it: peers can send from now on.
     *
     * @param node       that the board belongs to: its number is the NI's.
     * @param ringLength bytes of each ring from this board to another, a power of two and at least four of the largest
     *                   packets.
     * @throws IllegalArgumentException if the length is something else.
     * @throws GrimException            if the file cannot be made.
     */
    public SharedWire(final TransportContext node, final int ringLength)
    {
        this(node, ringLength, PACKET_LENGTH_MAX, UnaryOperator.identity());
    }

    /** Opens the wire with smaller packets, or another access to shared memory, for tests. */
    SharedWire(
        final TransportContext node, final int ringLength, final int packetLengthMax,
        final UnaryOperator<AtomicBuffer> access)
    {
        if (!RingDescriptor.isRingLength(ringLength, packetLengthMax))
        {
            throw new IllegalArgumentException("ring length=" + ringLength + " is no power of two from 4 packets of " +
                packetLengthMax + " to " + RingDescriptor.RING_LENGTH_MAX);
        }
        peers = new WirePeers(node, ringLength, packetLengthMax, rings, access);
        sender = new PacketSender(node, ringLength, packetLengthMax, rings, peers);
    }

    /** Leaves: gives up the packet that is being fed, unmaps everything and removes what peers made for this board. */
    @Override
    public void close()
    {
        sender.close();
        peers.close();
    }

    @Override
    public boolean isLossy()
    {
        return false;
    }

    @Override
    public boolean isIdle()
    {
        return sender.isIdle();
    }

    @Override
    public void begin(final int destinationNi, final int packetLength)
    {
        sender.begin(destinationNi, packetLength);
    }

    @Override
    public void feed(final DirectBuffer source, final int offset, final int length)
    {
        sender.feed(source, offset, length);
    }

    @Override
    public void abort()
    {
        sender.abort();
    }

    @Override
    public boolean hasPacket()
    {
        return rings.hasPacket();
    }

    @Override
    public DirectBuffer buffer()
    {
        return rings.current().buffer;
    }

    @Override
    public int offset()
    {
        return rings.current().reader.offset();
    }

    @Override
    public int length()
    {
        return rings.current().reader.length();
    }

    @Override
    public int arrivedLength()
    {
        return rings.current().reader.arrivedLength();
    }

    @Override
    public boolean isCut()
    {
        return rings.current().reader.isCut();
    }

    /** Returns the NI of the ring in which the packet stands; its header is not trusted. */
    public int sourceNi()
    {
        return rings.current().sourceNi;
    }

    @Override
    public void release()
    {
        rings.release();
    }

    /**
     * Listens to boards that have called for the first time. To be called with each step, or whenever the first word
     * has changed: else their first packets wait for the next housekeeping. Costs a load if nobody called. Returns the
     * number of pieces of work done.
     */
    public int admit()
    {
        return peers.admit();
    }

    /**
     * Notices who came and who went: maps new rings, asks the kernel about some peers, unmaps what the dead left once
     * it has been read. Some times per 100 ms.
     *
     * @param listener for NIs that are gone.
     * @return pieces of work done.
     */
    public int housekeep(final NiGoneListener listener)
    {
        return (sender.tryMoveOn() ? 1 : 0) + peers.admit() + peers.housekeep(listener);
    }

    /**
     * Returns whether an NI is in the incarnation with which the last packets were exchanged, or exchanged none yet.
     * False from the moment that the directory shows another incarnation until the listener of {@link #housekeep} was
     * called.
     */
    public boolean isSameIncarnation(final int ni)
    {
        return peers.isSameIncarnation(ni);
    }

    /**
     * The board's stepper is about to sleep, or wakes. It looks at all words once more after it has said so, and after
     * the time that a store may take to be seen.
     *
     * @param bell number of the doorbell, or -1 for awake.
     */
    public void asleep(final int bell)
    {
        peers.wire().asleep(bell + 1);
    }

    /**
     * Returns the number of words that show arrivals, 1 or more: the calls of new senders, and a word for each ring
     * that is read.
     */
    public int wordCount()
    {
        return 1 + rings.count();
    }

    /** {@return which words there are; another number after each change of the words or their count} */
    public int wordVersion()
    {
        return rings.version();
    }

    /**
     * Where a word stands.
     *
     * @param index 0 to {@link #wordCount()} - 1.
     * @return address of an aligned 32-bit word, mapped until it has left the list and {@link #wordsSeen()} was called
     *     after that.
     */
    public long wordAddress(final int index)
    {
        return index == 0 ? peers.wire().callsAddress() : rings.reader(index - 1).wordAddress();
    }

    /**
     * Returns a word's value while it shows no work. While packets can be judged that were not released, their ring's
     * word differs from this.
     *
     * @param index 0 to {@link #wordCount()} - 1.
     * @return the value in the machine's byte order.
     */
    public int wordIdle(final int index)
    {
        return index == 0 ? peers.seenCalls() : rings.reader(index - 1).wordIdle();
    }

    /** Nobody looks any more at words that are not in the present list: their memory is unmapped. */
    public void wordsSeen()
    {
        rings.unmapRemoved();
    }

    /**
     * Takes note of everything that stands in the rings to this board now. Packets that wait at a sender are not in a
     * ring. Returns the number of the mark.
     */
    public int mark()
    {
        peers.admit();
        return rings.mark();
    }

    /**
     * Whether everything has been released that stood in the rings when a mark was made.
     *
     * @param mark from {@link #mark()}.
     * @return stays true once it is.
     */
    public boolean isReadPast(final int mark)
    {
        // A ring that is not mapped yet may have held packets when the mark was made: its round must not end before.
        return rings.isReadPast(mark, !peers.hasCallers());
    }

    /** Returns the count of a kind of fault. */
    public long faultCount(final WireFault fault)
    {
        return peers.faultCount(fault);
    }

    /** Returns the failure of the last ring that could not be made or mapped, for a log; null if there was none. */
    public GrimException lastFailure()
    {
        return peers.lastFailure();
    }

    RingReader readerForTest(final int index)
    {
        return rings.reader(index);
    }
}
