// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.fabric;

import java.util.zip.CRC32C;

import org.agrona.DirectBuffer;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.grim.ni.board.Wire;

import static java.nio.ByteOrder.BIG_ENDIAN;

/**
 * A wire that keeps order and shows nothing twice, over one that may lose, repeat, reorder and spoil packets. Each
 * message travels in an {@link Envelope}; what does not come whole, unspoilt and later than all before it from the same
 * NI is dropped and counted. So there may be gaps: {@link #isLossy()}.
 * <p>Both ways store and forward: the checksum stands before the bytes that it covers.
 * <p>Thread: the board's stepper.
 * <p>Owns: one packet buffer for each direction; the raw wire below is used by nobody else.
 * <p>Bounds: two numbers for each NI that ever sent here; nothing else grows.
 */
public class EnvelopeWire implements Wire
{
    /** Bytes that an envelope adds to a message. */
    public static final int ENVELOPE_LENGTH = Envelope.LENGTH;

    private static final int NI_MAX = 0xFFFF;
    private static final EnvelopeReject[] REJECTS = EnvelopeReject.values();

    private final Wire raw;
    private final int ni;
    private final int epoch;
    private final long[] rejectCounts = new long[REJECTS.length];
    private final Long2LongHashMap latestEpochs = new Long2LongHashMap(0);
    private final Long2LongHashMap highestNumbers = new Long2LongHashMap(0);
    private final CRC32C checksum = new CRC32C();
    private final byte[] outgoingBytes;
    private final byte[] incomingBytes;
    private final AtomicBuffer outgoing;
    private final AtomicBuffer incoming;
    private long nextNumber;
    private long sentCount;
    private long receivedCount;
    private int destinationNi;
    private int outgoingLength;             // 0: idle
    private int fedLength;
    private int incomingLength;             // 0: nothing to show

    /**
     * Wraps a wire.
     *
     * @param raw              that may lose, repeat, reorder and spoil.
     * @param ni               number of the NI that uses it, 0 to 65,535.
     * @param epoch            of this NI, 1 or more, higher than at each earlier start.
     * @param messageLengthMax most bytes of a message, without envelope.
     */
    public EnvelopeWire(final Wire raw, final int ni, final int epoch, final int messageLengthMax)
    {
        if (ni < 0 || ni > NI_MAX || epoch < 1 || messageLengthMax < 1)
        {
            throw new IllegalArgumentException("NI=" + ni + " is outside 0 to " + NI_MAX + ", or epoch=" + epoch +
                " or message length=" + messageLengthMax + " is less than 1");
        }
        this.raw = raw;
        this.ni = ni;
        this.epoch = epoch;
        nextNumber = 1;
        outgoingBytes = new byte[Envelope.LENGTH + messageLengthMax];
        incomingBytes = new byte[Envelope.LENGTH + messageLengthMax];
        outgoing = Buffers.wrap(outgoingBytes);
        incoming = Buffers.wrap(incomingBytes);
    }

    @Override
    public boolean isLossy()
    {
        return true;
    }

    @Override
    public boolean isIdle()
    {
        flush();
        return outgoingLength == 0;
    }

    @Override
    public void begin(final int destination, final int packetLength)
    {
        if (outgoingLength != 0)
        {
            throw new IllegalStateException("the packet before has not left");
        }
        if (destination < 0 || destination > NI_MAX || packetLength < 1 ||
            packetLength > outgoingBytes.length - Envelope.LENGTH)
        {
            throw new IllegalArgumentException("destination NI=" + destination + " is outside 0 to " + NI_MAX +
                ", or packet length=" + packetLength + " outside 1 to " + (outgoingBytes.length - Envelope.LENGTH));
        }
        destinationNi = destination;
        outgoingLength = Envelope.LENGTH + packetLength;
        fedLength = Envelope.LENGTH;
    }

    @Override
    public void feed(final DirectBuffer source, final int offset, final int length)
    {
        if (length < 0 || length > outgoingLength - fedLength)
        {
            throw new IllegalStateException("fed length=" + length + " exceeds what is missing of the packet");
        }
        source.getBytes(offset, outgoingBytes, fedLength, length);
        fedLength += length;
        if (fedLength == outgoingLength)
        {
            seal();
            flush();
        }
    }

    /** Gives up the packet that was begun and is not complete. Nothing of it was sent; to the receiver it is lost. */
    @Override
    public void abort()
    {
        if (fedLength == outgoingLength)
        {
            throw new IllegalStateException("no packet is being fed");
        }
        outgoingLength = 0;
        fedLength = 0;
    }

    @Override
    public boolean hasPacket()
    {
        flush();
        while (incomingLength == 0 && raw.hasPacket() && (raw.isCut() || raw.arrivedLength() == raw.length()))
        {
            receive();
        }
        return incomingLength != 0;
    }

    @Override
    public DirectBuffer buffer()
    {
        return incoming;
    }

    @Override
    public int offset()
    {
        return Envelope.LENGTH;
    }

    @Override
    public int length()
    {
        return incomingLength - Envelope.LENGTH;
    }

    @Override
    public int arrivedLength()
    {
        return incomingLength - Envelope.LENGTH;
    }

    @Override
    public boolean isCut()
    {
        return false;
    }

    @Override
    public void release()
    {
        if (incomingLength == 0)
        {
            throw new IllegalStateException("no packet to release");
        }
        incomingLength = 0;
    }

    /** Packets dropped for a reason. */
    public long rejectCount(final EnvelopeReject reason)
    {
        return rejectCounts[index(reason)];
    }

    /** {@return packets that the raw wire took; how many since the start} */
    public long sentCount()
    {
        return sentCount;
    }

    /** {@return packets that were good; how many since the start} */
    public long receivedCount()
    {
        return receivedCount;
    }

    private void seal()
    {
        outgoing.putInt(Envelope.MAGIC_OFFSET, Envelope.MAGIC, BIG_ENDIAN);
        outgoing.putInt(Envelope.LENGTH_OFFSET, outgoingLength, BIG_ENDIAN);
        outgoing.putShort(Envelope.SOURCE_OFFSET, (short)ni, BIG_ENDIAN);
        outgoing.putShort(Envelope.DESTINATION_OFFSET, (short)destinationNi, BIG_ENDIAN);
        outgoing.putLong(Envelope.NUMBER_OFFSET, nextNumber++, BIG_ENDIAN);
        outgoing.putInt(Envelope.EPOCH_OFFSET, epoch, BIG_ENDIAN);
        outgoing.putInt(Envelope.RESERVED_OFFSET, 0, BIG_ENDIAN);
        outgoing.putInt(Envelope.CHECKSUM_OFFSET, checksum(outgoingBytes, outgoingLength), BIG_ENDIAN);
    }

    private void flush()
    {
        if (outgoingLength != 0 && fedLength == outgoingLength && raw.isIdle())
        {
            raw.begin(destinationNi, outgoingLength);
            raw.feed(outgoing, 0, outgoingLength);
            outgoingLength = 0;
            fedLength = 0;
            sentCount++;
        }
    }

    private void receive()
    {
        final EnvelopeReject reason = invalid();
        if (reason == null)
        {
            latestEpochs.put(source(), sourceEpoch());
            highestNumbers.put(source(), number());
            incomingLength = raw.length();
            receivedCount++;
        }
        else
        {
            rejectCounts[index(reason)]++;
        }
        raw.release();
    }

    private EnvelopeReject invalid()
    {
        if (raw.isCut())
        {
            return EnvelopeReject.CUT;
        }
        final int length = raw.length();
        if (length <= Envelope.LENGTH || length > incomingBytes.length)
        {
            return EnvelopeReject.LENGTH;
        }
        raw.buffer().getBytes(raw.offset(), incomingBytes, 0, length);       // Judged and shown from this copy alone.
        if (incoming.getInt(Envelope.MAGIC_OFFSET, BIG_ENDIAN) != Envelope.MAGIC)
        {
            return EnvelopeReject.MAGIC;
        }
        if (isSpoilt(length))
        {
            return EnvelopeReject.CHECKSUM;
        }
        if (incoming.getInt(Envelope.LENGTH_OFFSET, BIG_ENDIAN) != length)
        {
            return EnvelopeReject.LENGTH;
        }
        if (incoming.getInt(Envelope.RESERVED_OFFSET, BIG_ENDIAN) != 0)
        {
            return EnvelopeReject.RESERVED;
        }
        if ((incoming.getShort(Envelope.DESTINATION_OFFSET, BIG_ENDIAN) & NI_MAX) != ni)
        {
            return EnvelopeReject.DESTINATION;
        }
        return isLate() ? EnvelopeReject.LATE : null;
    }

    /** Whether the packet that has come is not what was sent. */
    protected boolean isSpoilt(final int length)
    {
        return incoming.getInt(Envelope.CHECKSUM_OFFSET, BIG_ENDIAN) != checksum(incomingBytes, length);
    }

    /**
     * Whether the packet that has come is a copy, or was overtaken. True if its number is not higher than that of all
     * before it from the same NI.
     */
    protected boolean isLate()
    {
        final long latestEpoch = latestEpochs.get(source());
        return sourceEpoch() < latestEpoch ||
            (sourceEpoch() == latestEpoch && number() <= highestNumbers.get(source()));
    }

    private long sourceEpoch()
    {
        return incoming.getInt(Envelope.EPOCH_OFFSET, BIG_ENDIAN);
    }

    private long source()
    {
        return incoming.getShort(Envelope.SOURCE_OFFSET, BIG_ENDIAN) & NI_MAX;
    }

    private long number()
    {
        return incoming.getLong(Envelope.NUMBER_OFFSET, BIG_ENDIAN);
    }

    private int checksum(final byte[] bytes, final int length)
    {
        checksum.reset();
        checksum.update(bytes, Envelope.LENGTH_OFFSET, length - Envelope.LENGTH_OFFSET);
        return (int)checksum.getValue();
    }

    @SuppressWarnings("EnumOrdinal")        // The counters live and die with this object.
    private static int index(final EnvelopeReject reason)
    {
        return reason.ordinal();
    }
}
