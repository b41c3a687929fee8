// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.explorer;

/** Encoding of packets and answers on a model's wire. */
final class WirePackets
{
    private static final int SEQUENCE_BITS = ExplorerConfig.BITS_MAX;
    private static final int ORDINAL_BITS = 3;
    private static final int KIND_BITS = 2;
    static final int PACKET_BITS = SEQUENCE_BITS + ORDINAL_BITS;
    static final int ANSWER_BITS = SEQUENCE_BITS + KIND_BITS;

    private WirePackets()
    {
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
