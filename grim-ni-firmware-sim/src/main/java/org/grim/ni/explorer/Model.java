// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.explorer;

import org.grim.ni.delivery.ReceiveWindow.Judgement;
import org.grim.ni.delivery.SequenceSpace;

/**
 * One triple's sender, its receiver, and the wire between them, which keeps order but may lose and repeat. A state is a
 * {@code long} (widths in bits, from the lowest): sender (12), receiver (5), messages delivered (3), packets (3), their
 * ordinals (5 x 3), answers (3), their kinds and sequences (5 x 4). An ordinal is a message's ghost payload: the
 * protocol sees its sequence only. Heads of queues are in the lowest bits.
 */
final class Model
{
    static final long INITIAL = 0;

    private static final int SENDER_BITS = 12;
    private static final int RECEIVER_BITS = 5;
    private static final int COUNT_BITS = 3;
    private static final int PACKET_BITS = 3;
    private static final int ANSWER_BITS = 1 + ExplorerConfig.BITS_MAX;
    private static final int REFUSED_FLAG = 1 << ExplorerConfig.BITS_MAX;
    private static final int PACKETS_BITS = PACKET_BITS * ExplorerConfig.CAPACITY_MAX;
    private static final int ANSWERS_BITS = ANSWER_BITS * ExplorerConfig.CAPACITY_MAX;

    private final ExplorerConfig config;
    private final SequenceSpace space;
    private final SenderMachine senders;
    private final ReceiverMachine receivers;

    private int sender;
    private int receiver;
    private int deliveredCount;
    private int packetCount;
    private int packets;
    private int answerCount;
    private int answers;
    private String fault;
    private ModelAction lastAction;
    private int lastOrdinal;
    private int lastAnswer;
    private Judgement lastJudgement;

    Model(final ExplorerConfig config)
    {
        this.config = config;
        space = new SequenceSpace(config.bits(), config.window(), config.guards());
        senders = new SenderMachine(space, config.bits());
        receivers = new ReceiverMachine(space, config.guards());
    }

    /**
     * Lets something happen in a state.
     *
     * @return false if it cannot happen there; then there is no {@link #result()}.
     */
    boolean tryStep(final long state, final ModelAction action)
    {
        load(state);
        lastAction = action;
        fault = null;
        final boolean isDone = switch (action)
        {
            case ANSWER -> tryAnswer();
            case DELIVER -> tryDeliver(false);
            case APPEND -> tryAppend();
            case SEND -> trySend();
            case TIME_OUT -> tryTimeOut();
            case REFUSE -> tryDeliver(true);
            case DROP_PACKET -> tryDropPacket();
            case DROP_ANSWER -> tryDropAnswer();
            case REPEAT_PACKET -> tryRepeatPacket();
            case REPEAT_ANSWER -> tryRepeatAnswer();
        };
        if (isDone && fault == null)
        {
            fault = senders.base(sender) > deliveredCount ? "the sender believes that " + senders.base(sender) +
                " messages were accepted, of which " + deliveredCount + " were delivered" : senders.fault(sender);
        }
        return isDone;
    }

    /** The state after the last step that was done. */
    long result()
    {
        long state = answers;
        state = state << COUNT_BITS | answerCount;
        state = state << PACKETS_BITS | packets;
        state = state << COUNT_BITS | packetCount;
        state = state << COUNT_BITS | deliveredCount;
        state = state << RECEIVER_BITS | receiver;
        return state << SENDER_BITS | sender;
    }

    /** The safety rule that the last step broke; null for none. */
    String fault()
    {
        return fault;
    }

    boolean isWireEmpty(final long state)
    {
        load(state);
        return packetCount == 0 && answerCount == 0;
    }

    boolean isGoal(final long state)
    {
        return isWireEmpty(state) && deliveredCount == config.messageCount() &&
            senders.base(sender) == config.messageCount();
    }

    /** The last step that was done, and the state after it. */
    String describeStep()
    {
        final StringBuilder text = new StringBuilder(160);
        text.append(lastEvent()).append(" | sender ").append(senders.describe(sender)).append(" | wire [");
        for (int i = 0; i < packetCount; i++)
        {
            text.append(i == 0 ? "" : " ").append((packets >>> (i * PACKET_BITS)) & mask(PACKET_BITS));
        }
        text.append("] | receiver expects sequence ").append(receivers.expected(receiver));
        text.append(", delivered ").append(deliveredCount).append(" | answers [");
        for (int i = 0; i < answerCount; i++)
        {
            text.append(i == 0 ? "" : ", ").append(answerText(answers >>> (i * ANSWER_BITS)));
        }
        return text.append(']').toString();
    }

    private void load(final long state)
    {
        long rest = state;
        sender = (int)rest & mask(SENDER_BITS);
        rest >>>= SENDER_BITS;
        receiver = (int)rest & mask(RECEIVER_BITS);
        rest >>>= RECEIVER_BITS;
        deliveredCount = (int)rest & mask(COUNT_BITS);
        rest >>>= COUNT_BITS;
        packetCount = (int)rest & mask(COUNT_BITS);
        rest >>>= COUNT_BITS;
        packets = (int)rest & mask(PACKETS_BITS);
        rest >>>= PACKETS_BITS;
        answerCount = (int)rest & mask(COUNT_BITS);
        rest >>>= COUNT_BITS;
        answers = (int)rest & mask(ANSWERS_BITS);
    }

    private boolean tryAppend()
    {
        if (senders.end(sender) == config.messageCount())
        {
            return false;
        }
        lastOrdinal = senders.end(sender);
        sender = senders.after(sender, SenderMachine.APPEND);
        return true;
    }

    private boolean trySend()
    {
        if (packetCount == config.forwardCapacity() || !senders.canSend(sender))
        {
            return false;
        }
        final int ordinal = senders.next(sender);
        lastOrdinal = ordinal;
        if (space.sequence(ordinal) != senders.nextSequence(sender))
        {
            fault = "the sender numbers message " + ordinal + " as " + senders.nextSequence(sender);
        }
        packets |= ordinal << (packetCount * PACKET_BITS);
        packetCount++;
        sender = senders.after(sender, SenderMachine.SEND);
        return true;
    }

    private boolean tryTimeOut()
    {
        if (senders.inFlightCount(sender) == 0)
        {
            return false;
        }
        sender = senders.after(sender, SenderMachine.TIME_OUT);
        return true;
    }

    private boolean tryDeliver(final boolean isRefused)
    {
        if (packetCount == 0)
        {
            return false;
        }
        final int ordinal = packets & mask(PACKET_BITS);
        final int sequence = space.sequence(ordinal);
        final Judgement judgement = receivers.judge(receiver, sequence);
        if (isRefused && judgement != Judgement.EXPECTED)
        {
            return false;
        }
        if (judgement != Judgement.LATER && answerCount == config.backwardCapacity())
        {
            return false;
        }
        takePacket();
        lastOrdinal = ordinal;
        lastJudgement = judgement;
        if (judgement == Judgement.LATER)
        {
            return true;
        }
        if (judgement == Judgement.EXPECTED && !isRefused)
        {
            accept(ordinal, sequence);
        }
        final int answer = isRefused ? sequence | REFUSED_FLAG : sequence;
        lastAnswer = answer;
        answers |= answer << (answerCount * ANSWER_BITS);
        answerCount++;
        return true;
    }

    private void accept(final int ordinal, final int sequence)
    {
        if (ordinal != deliveredCount)
        {
            fault = "message " + ordinal + " was delivered when message " + deliveredCount + " was due";
        }
        deliveredCount++;
        receiver = receivers.accept(receiver, sequence);
    }

    private boolean tryAnswer()
    {
        if (answerCount == 0)
        {
            return false;
        }
        final int answer = answers & mask(ANSWER_BITS);
        final int sequence = answer & mask(ExplorerConfig.BITS_MAX);
        lastAnswer = answer;
        takeAnswer();
        sender = senders.after(sender, (answer & REFUSED_FLAG) == 0 ?
            senders.acknowledgeInput(sequence) : senders.refuseInput(sequence));
        return true;
    }

    private boolean tryDropPacket()
    {
        if (packetCount == 0)
        {
            return false;
        }
        lastOrdinal = packets & mask(PACKET_BITS);
        takePacket();
        return true;
    }

    private boolean tryDropAnswer()
    {
        if (answerCount == 0)
        {
            return false;
        }
        lastAnswer = answers;
        takeAnswer();
        return true;
    }

    private boolean tryRepeatPacket()
    {
        if (packetCount == 0 || packetCount == config.forwardCapacity())
        {
            return false;
        }
        final int head = packets & mask(PACKET_BITS);
        lastOrdinal = head;
        packets = packets << PACKET_BITS | head;
        packetCount++;
        return true;
    }

    private boolean tryRepeatAnswer()
    {
        if (answerCount == 0 || answerCount == config.backwardCapacity())
        {
            return false;
        }
        final int head = answers & mask(ANSWER_BITS);
        lastAnswer = head;
        answers = answers << ANSWER_BITS | head;
        answerCount++;
        return true;
    }

    private void takePacket()
    {
        packets >>>= PACKET_BITS;
        packetCount--;
    }

    private void takeAnswer()
    {
        answers >>>= ANSWER_BITS;
        answerCount--;
    }

    private String lastEvent()
    {
        return switch (lastAction)
        {
            case ANSWER -> "sender takes " + answerText(lastAnswer);
            case DELIVER, REFUSE -> "receiver takes " + packetText(lastOrdinal) + ", which is " + lastJudgement +
                (lastJudgement == Judgement.LATER ? "" : ": " + answerText(lastAnswer));
            case APPEND -> "append message " + lastOrdinal;
            case SEND -> "send " + packetText(lastOrdinal);
            case TIME_OUT -> "time-out";
            case DROP_PACKET -> "wire loses " + packetText(lastOrdinal);
            case DROP_ANSWER -> "wire loses " + answerText(lastAnswer);
            case REPEAT_PACKET -> "wire repeats " + packetText(lastOrdinal);
            case REPEAT_ANSWER -> "wire repeats " + answerText(lastAnswer);
        };
    }

    private String packetText(final int ordinal)
    {
        return "message " + ordinal + " (sequence " + space.sequence(ordinal) + ")";
    }

    private static String answerText(final int answer)
    {
        return ((answer & REFUSED_FLAG) == 0 ? "ACK " : "NACK ") + (answer & mask(ExplorerConfig.BITS_MAX));
    }

    private static int mask(final int bits)
    {
        return (1 << bits) - 1;
    }
}
