// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.explorer;

import org.agrona.collections.Long2LongHashMap;
import org.agrona.collections.LongArrayList;

/** What was ever on a model's wire, numbered as it was met, from an empty wire as 0; and how packets are encoded. */
final class WireTable
{
    private static final int NOT_MET = -1;
    private static final int EMPTY_WIRE = 0;
    private static final int SEQUENCE_BITS = ExplorerConfig.BITS_MAX;
    private static final int ORDINAL_BITS = 3;
    private static final int KIND_BITS = 2;
    static final int PACKET_BITS = SEQUENCE_BITS + ORDINAL_BITS;
    static final int ANSWER_BITS = SEQUENCE_BITS + KIND_BITS;

    private final Long2LongHashMap indexes = new Long2LongHashMap(NOT_MET);
    private final LongArrayList wires = new LongArrayList();

    WireTable()
    {
        indexOf(EMPTY_WIRE);
    }

    /** Number of what is on the wire; a new one if it was not met before. */
    long indexOf(final long wire)
    {
        long index = indexes.get(wire);
        if (index == NOT_MET)
        {
            index = wires.size();
            indexes.put(wire, index);
            wires.addLong(wire);
        }
        return index;
    }

    long wire(final int index)
    {
        return wires.getLong(index);
    }

    static int packet(final int ordinal, final int sequence)
    {
        return ordinal << SEQUENCE_BITS | sequence;
    }

    static int answer(final int kind, final int sequence)
    {
        return kind << SEQUENCE_BITS | sequence;
    }

    static int ordinal(final int packet)
    {
        return packet >>> SEQUENCE_BITS & mask(ORDINAL_BITS);
    }

    static int kind(final int answer)
    {
        return answer >>> SEQUENCE_BITS & mask(KIND_BITS);
    }

    /** Of a packet or an answer. */
    static int sequence(final int packet)
    {
        return packet & mask(SEQUENCE_BITS);
    }

    static String packetText(final int packet)
    {
        return "message " + ordinal(packet) + " (sequence " + sequence(packet) + ")";
    }

    static String answerText(final int answer)
    {
        final int kind = kind(answer);
        return (kind == SenderMachine.ACKNOWLEDGED ? "ACK " : kind == SenderMachine.REFUSED ? "NACK " : "REFUSED ") +
            sequence(answer);
    }

    private static int mask(final int bits)
    {
        return (1 << bits) - 1;
    }
}
