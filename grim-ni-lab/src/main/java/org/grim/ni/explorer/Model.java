// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.explorer;

import org.grim.ni.window.ReceiveWindow.Judgement;
import org.grim.ni.window.SequenceSpace;

/**
 * One triple's sender, its receiver, and the wire between them, which keeps order but may lose and repeat. A state is a
 * {@code long} (widths in bits, from the lowest): sender (16), receiver (5), messages that the receiver has delivered
 * or denied (3), which of those that the sender has not settled were denied (7), number of what is on the wire (32).
 * That would not fit beside them; it is a {@code long} of its own, numbered by {@link LongNumbers}: packets (3), their
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

    private final ExplorerConfig config;
    private final SenderMachine senders;
    private final ReceiverMachine receivers;
    private final LongNumbers wires = new LongNumbers();
    private final Lane packets;
    private final Lane answers;
    private int sender;
    private int receiver;
    private int handledCount;           // Delivered or denied.
    private int denied;                 // A bit for each ordinal that was denied and is not settled.
    private String fault;
    private ModelAction lastAction;
    private Judgement lastJudgement;

    Model(final ExplorerConfig config)
    {
        this.config = config;
        final SequenceSpace space = config.guards().space(config.bits(), config.window());
        senders = new SenderMachine(space, config.bits(), config.guards());
        receivers = new ReceiverMachine(space, config.bits());
        packets = new Lane(WirePackets.PACKET_BITS, config.forwardCapacity());
        answers = new Lane(WirePackets.ANSWER_BITS, config.backwardCapacity());
        wires.of(0);            // An empty wire has number 0.
    }

    /** One direction of the wire, with the oldest item in its lowest bits. */
    private static final class Lane
    {
        private final int width;
        private final int capacity;
        private int count;
        private int items;
        private int last;               // Packet that was last put on it, taken off it or repeated.

        private Lane(final int width, final int capacity)
        {
            this.width = width;
            this.capacity = capacity;
        }

        private int at(final int index)
        {
            return items >>> (index * width) & mask(width);
        }

        private boolean isFull()
        {
            return count == capacity;
        }

        private void put(final int item)
        {
            last = item;
            items |= item << (count++ * width);
        }

        private boolean tryTake()
        {
            if (count == 0)
            {
                return false;
            }
            last = at(0);
            items >>>= width;
            count--;
            return true;
        }

        private boolean tryRepeat()
        {
            if (count == 0 || isFull())
            {
                return false;
            }
            last = at(0);
            items = items << width | last;
            count++;
            return true;
        }

        private long packed(final long above)
        {
            return (above << (width * ExplorerConfig.CAPACITY_MAX) | items) << COUNT_BITS | count;
        }

        /** Returns what was packed above it. */
        private long load(final long packed)
        {
            count = (int)packed & mask(COUNT_BITS);
            items = (int)(packed >>> COUNT_BITS) & mask(width * ExplorerConfig.CAPACITY_MAX);
            return packed >>> (COUNT_BITS + width * ExplorerConfig.CAPACITY_MAX);
        }
    }

    /** Lets something happen in a state; false if it cannot happen there; then there is no {@link #result()}. */
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
            case DROP_PACKET -> config.mayLose() && packets.tryTake();
            case DROP_ANSWER -> config.mayLose() && answers.tryTake();
            case REPEAT_PACKET -> config.mayLose() && packets.tryRepeat();
            case REPEAT_ANSWER -> config.mayLose() && answers.tryRepeat();
        };
        if (isDone && fault == null)
        {
            final int base = senders.key(sender).base();
            fault = base > handledCount ? "the sender believes that " + base + " messages were " +
                (config.mayDeny() ? "settled" : "accepted") + ", of which " + handledCount + " were " +
                (config.mayDeny() ? "delivered or denied" : "delivered") : senders.fault(sender);
        }
        return isDone;
    }

    /** The state after the last step that was done. */
    long result()
    {
        long state = wires.of(packets.packed(answers.packed(0)));
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
        return packets.count == 0 && answers.count == 0;
    }

    boolean isGoal(final long state)
    {
        return isWireEmpty(state) && handledCount == config.messageCount() &&
            senders.key(sender).base() == config.messageCount();
    }

    /** The last step that was done, and the state after it. */
    String describeStep()
    {
        final StringBuilder text = new StringBuilder(160);
        text.append(lastEvent()).append(" | sender ").append(senders.describe(sender)).append(" | wire [");
        for (int i = 0; i < packets.count; i++)
        {
            final int packet = packets.at(i);
            text.append(i == 0 ? "" : " ").append(WirePackets.ordinal(packet));
            text.append(config.mayDeny() ? "#" + WirePackets.sequence(packet) : "");
        }
        text.append("] | receiver expects sequence ").append(receivers.expected(receiver));
        text.append(config.mayDeny() ? ", delivered or denied " : ", delivered ").append(handledCount);
        text.append(" | answers [");
        for (int i = 0; i < answers.count; i++)
        {
            text.append(i == 0 ? "" : ", ").append(WirePackets.answerText(answers.at(i)));
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
        answers.load(packets.load(wires.value((int)rest)));
    }

    private boolean tryAppend()
    {
        if (senders.key(sender).end() == config.messageCount())
        {
            return false;
        }
        packets.last = WirePackets.packet(senders.key(sender).end(), 0);
        sender = senders.after(sender, SenderMachine.APPEND);
        return true;
    }

    private boolean trySend()
    {
        if (packets.isFull() || !senders.window(sender).canSend())
        {
            return false;
        }
        packets.put(WirePackets.packet(senders.key(sender).next(), senders.window(sender).nextSequence()));
        sender = senders.after(sender, SenderMachine.SEND);
        return true;
    }

    private boolean tryTimeOut()
    {
        if (senders.window(sender).inFlightCount() == 0)
        {
            return false;
        }
        sender = senders.after(sender, SenderMachine.TIME_OUT);
        return true;
    }

    private boolean tryDeliver(final int answerToExpected)
    {
        if (packets.count == 0)
        {
            return false;
        }
        final int packet = packets.at(0);
        final Judgement judgement = receivers.judge(receiver, WirePackets.sequence(packet));
        if (answerToExpected != SenderMachine.ACKNOWLEDGED && judgement != Judgement.EXPECTED)
        {
            return false;
        }
        if (judgement != Judgement.LATER && answers.isFull())
        {
            return false;
        }
        packets.tryTake();
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
        answers.put(WirePackets.answer(kind, WirePackets.sequence(packet)));
        return true;
    }

    private void handle(final int packet, final boolean isDenied)
    {
        final int ordinal = WirePackets.ordinal(packet);
        if (ordinal != handledCount)
        {
            fault = "message " + ordinal + " was " + (isDenied ? "denied" : "delivered") + " when message " +
                handledCount + " was due";
        }
        handledCount++;
        if (isDenied)
        {
            denied |= 1 << ordinal;
            receiver = receivers.deny(receiver, WirePackets.sequence(packet));
        }
        else
        {
            receiver = receivers.accept(receiver, WirePackets.sequence(packet));
        }
    }

    private boolean tryAnswer()
    {
        if (!answers.tryTake())
        {
            return false;
        }
        final int base = senders.key(sender).base();
        final int kind = WirePackets.kind(answers.last);
        sender = senders.after(sender, senders.answerInput(kind, WirePackets.sequence(answers.last)));
        settle(base, kind == SenderMachine.DENIED);
        return true;
    }

    /** Compares what the sender believes of the messages that it has just settled with what became of them. */
    private void settle(final int from, final boolean isLastDenied)
    {
        final int end = senders.key(sender).base();
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

    private String lastEvent()
    {
        return switch (lastAction)
        {
            case ANSWER -> "sender takes " + WirePackets.answerText(answers.last);
            case DELIVER, REFUSE, DENY -> "receiver takes " + WirePackets.packetText(packets.last) + ", which is " +
                lastJudgement + (lastJudgement == Judgement.LATER ? "" : ": " + WirePackets.answerText(answers.last));
            case APPEND -> "append message " + WirePackets.ordinal(packets.last);
            case SEND -> "send " + WirePackets.packetText(packets.last);
            case TIME_OUT -> "time-out";
            case DROP_PACKET -> "wire loses " + WirePackets.packetText(packets.last);
            case DROP_ANSWER -> "wire loses " + WirePackets.answerText(answers.last);
            case REPEAT_PACKET -> "wire repeats " + WirePackets.packetText(packets.last);
            case REPEAT_ANSWER -> "wire repeats " + WirePackets.answerText(answers.last);
        };
    }

    private static int mask(final int bits)
    {
        return (1 << bits) - 1;
    }
}
