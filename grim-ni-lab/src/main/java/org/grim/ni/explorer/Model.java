// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.explorer;

import org.grim.ni.window.ReceiveWindow.Judgement;
import org.grim.ni.window.SequenceSpace;

/**
 * One triple's sender, its receiver, and the wire between them, which keeps order but may lose and repeat. A state is a
 * {@code long} (widths in bits, from the lowest): sender (16), receiver (5), messages that the receiver has delivered
 * or denied (3), which of those that the sender has not settled were denied (7), number of what is on the wire (32).
 * That would not fit beside them; it is a {@code long} of its own, numbered by {@link WireTable}: packets (3), their
 * sequences and ordinals (5 x 6), answers (3), their sequences and kinds (5 x 5). An ordinal is a message's ghost
 * payload: the protocol sees its sequence only. Heads of queues are in the lowest bits.
 */
final class Model
{
    static final long INITIAL = 0;

    private static final int SENDER_BITS = 16;
    private static final int RECEIVER_BITS = 5;
    private static final int COUNT_BITS = 3;
    private static final int DENIED_BITS = ExplorerConfig.MESSAGE_COUNT_MAX;
    private static final int PACKET_BITS = WireTable.PACKET_BITS;
    private static final int ANSWER_BITS = WireTable.ANSWER_BITS;
    private static final int PACKETS_BITS = PACKET_BITS * ExplorerConfig.CAPACITY_MAX;
    private static final int ANSWERS_BITS = ANSWER_BITS * ExplorerConfig.CAPACITY_MAX;

    private final ExplorerConfig config;
    private final SenderMachine senders;
    private final ReceiverMachine receivers;
    private final WireTable wires = new WireTable();

    private int sender;
    private int receiver;
    private int handledCount;           // Delivered or denied.
    private int denied;                 // A bit for each ordinal that was denied and is not settled.
    private int packetCount;
    private int packets;
    private int answerCount;
    private int answers;
    private String fault;
    private ModelAction lastAction;
    private int lastPacket;
    private int lastAnswer;
    private Judgement lastJudgement;

    Model(final ExplorerConfig config)
    {
        this.config = config;
        final SequenceSpace space = config.guards().space(config.bits(), config.window());
        senders = new SenderMachine(space, config.bits(), config.guards());
        receivers = new ReceiverMachine(space, config.bits());
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
            case DELIVER -> tryDeliver(SenderMachine.ACKNOWLEDGED);
            case APPEND -> tryAppend();
            case SEND -> trySend();
            case TIME_OUT -> config.mayLose() && tryTimeOut();
            case REFUSE -> tryDeliver(SenderMachine.REFUSED);
            case DENY -> config.mayDeny() && tryDeliver(SenderMachine.DENIED);
            case DROP_PACKET -> config.mayLose() && tryDropPacket();
            case DROP_ANSWER -> config.mayLose() && tryDropAnswer();
            case REPEAT_PACKET -> config.mayLose() && tryRepeatPacket();
            case REPEAT_ANSWER -> config.mayLose() && tryRepeatAnswer();
        };
        if (isDone && fault == null)
        {
            fault = senders.base(sender) > handledCount ? "the sender believes that " + senders.base(sender) +
                " messages were " + (config.mayDeny() ? "settled" : "accepted") + ", of which " + handledCount +
                " were " + (config.mayDeny() ? "delivered or denied" : "delivered") : senders.fault(sender);
        }
        return isDone;
    }

    /** The state after the last step that was done. */
    long result()
    {
        long wire = answers;
        wire = wire << COUNT_BITS | answerCount;
        wire = wire << PACKETS_BITS | packets;
        wire = wire << COUNT_BITS | packetCount;
        long state = wires.indexOf(wire);
        state = state << DENIED_BITS | denied;
        state = state << COUNT_BITS | handledCount;
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
        return isWireEmpty(state) && handledCount == config.messageCount() &&
            senders.base(sender) == config.messageCount();
    }

    /** The last step that was done, and the state after it. */
    String describeStep()
    {
        final StringBuilder text = new StringBuilder(160);
        text.append(lastEvent()).append(" | sender ").append(senders.describe(sender)).append(" | wire [");
        for (int i = 0; i < packetCount; i++)
        {
            final int packet = packets >>> (i * PACKET_BITS);
            text.append(i == 0 ? "" : " ").append(WireTable.ordinal(packet));
            text.append(config.mayDeny() ? "#" + WireTable.sequence(packet) : "");
        }
        text.append("] | receiver expects sequence ").append(receivers.expected(receiver));
        text.append(config.mayDeny() ? ", delivered or denied " : ", delivered ").append(handledCount);
        text.append(" | answers [");
        for (int i = 0; i < answerCount; i++)
        {
            text.append(i == 0 ? "" : ", ").append(WireTable.answerText(answers >>> (i * ANSWER_BITS)));
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
        handledCount = (int)rest & mask(COUNT_BITS);
        rest >>>= COUNT_BITS;
        denied = (int)rest & mask(DENIED_BITS);
        rest >>>= DENIED_BITS;
        rest = wires.wire((int)rest);
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
        lastPacket = WireTable.packet(senders.end(sender), 0);
        sender = senders.after(sender, SenderMachine.APPEND);
        return true;
    }

    private boolean trySend()
    {
        if (packetCount == config.forwardCapacity() || !senders.canSend(sender))
        {
            return false;
        }
        lastPacket = WireTable.packet(senders.next(sender), senders.nextSequence(sender));
        packets |= lastPacket << (packetCount * PACKET_BITS);
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

    private boolean tryDeliver(final int answerToExpected)
    {
        if (packetCount == 0)
        {
            return false;
        }
        final int packet = packets & mask(PACKET_BITS);
        final Judgement judgement = receivers.judge(receiver, WireTable.sequence(packet));
        if (answerToExpected != SenderMachine.ACKNOWLEDGED && judgement != Judgement.EXPECTED)
        {
            return false;
        }
        if (judgement != Judgement.LATER && answerCount == config.backwardCapacity())
        {
            return false;
        }
        takePacket();
        lastPacket = packet;
        lastJudgement = judgement;
        if (judgement == Judgement.LATER)
        {
            return true;
        }
        if (judgement == Judgement.EXPECTED && answerToExpected != SenderMachine.REFUSED)
        {
            handle(packet, answerToExpected == SenderMachine.DENIED);
        }
        final int kind = switch (judgement)
        {
            case EXPECTED -> answerToExpected;
            case EARLIER -> SenderMachine.ACKNOWLEDGED;
            case DENIED -> SenderMachine.DENIED;
            case LATER -> throw new IllegalStateException("what is later is not answered");
        };
        lastAnswer = WireTable.answer(kind, WireTable.sequence(packet));
        answers |= lastAnswer << (answerCount * ANSWER_BITS);
        answerCount++;
        return true;
    }

    private void handle(final int packet, final boolean isDenied)
    {
        final int ordinal = WireTable.ordinal(packet);
        if (ordinal != handledCount)
        {
            fault = "message " + ordinal + " was " + (isDenied ? "denied" : "delivered") + " when message " +
                handledCount + " was due";
        }
        handledCount++;
        if (isDenied)
        {
            denied |= 1 << ordinal;
            receiver = receivers.deny(receiver, WireTable.sequence(packet));
        }
        else
        {
            receiver = receivers.accept(receiver, WireTable.sequence(packet));
        }
    }

    private boolean tryAnswer()
    {
        if (answerCount == 0)
        {
            return false;
        }
        lastAnswer = answers & mask(ANSWER_BITS);
        takeAnswer();
        final int base = senders.base(sender);
        final int kind = WireTable.kind(lastAnswer);
        sender = senders.after(sender, senders.answerInput(kind, WireTable.sequence(lastAnswer)));
        settle(base, kind == SenderMachine.DENIED);
        return true;
    }

    /** Compares what the sender believes of the messages that it has just settled with what became of them. */
    private void settle(final int from, final boolean isLastDenied)
    {
        final int end = senders.base(sender);
        for (int ordinal = from; ordinal < Math.min(end, handledCount); ordinal++)
        {
            final boolean isBelievedDenied = isLastDenied && ordinal == end - 1;
            final boolean isDenied = (denied & 1 << ordinal) != 0;
            if (isBelievedDenied != isDenied)
            {
                fault = "the sender believes that message " + ordinal + " was " +
                    (isDenied ? "accepted, which was denied" : "denied, which was delivered");
            }
        }
        denied &= ~mask(end);
    }

    private boolean tryDropPacket()
    {
        if (packetCount == 0)
        {
            return false;
        }
        lastPacket = packets & mask(PACKET_BITS);
        takePacket();
        return true;
    }

    private boolean tryDropAnswer()
    {
        if (answerCount == 0)
        {
            return false;
        }
        lastAnswer = answers & mask(ANSWER_BITS);
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
        lastPacket = head;
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
            case ANSWER -> "sender takes " + WireTable.answerText(lastAnswer);
            case DELIVER, REFUSE, DENY -> "receiver takes " + WireTable.packetText(lastPacket) + ", which is " +
                lastJudgement + (lastJudgement == Judgement.LATER ? "" : ": " + WireTable.answerText(lastAnswer));
            case APPEND -> "append message " + WireTable.ordinal(lastPacket);
            case SEND -> "send " + WireTable.packetText(lastPacket);
            case TIME_OUT -> "time-out";
            case DROP_PACKET -> "wire loses " + WireTable.packetText(lastPacket);
            case DROP_ANSWER -> "wire loses " + WireTable.answerText(lastAnswer);
            case REPEAT_PACKET -> "wire repeats " + WireTable.packetText(lastPacket);
            case REPEAT_ANSWER -> "wire repeats " + WireTable.answerText(lastAnswer);
        };
    }

    private static int mask(final int bits)
    {
        return (1 << bits) - 1;
    }
}
