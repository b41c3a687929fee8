// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.guard;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardGeometry;
import org.grim.board.ContextRegisters;
import org.grim.board.PhysicalAddress;
import org.grim.ni.board.HostMemory;
import org.grim.ni.delivery.EpochRule;
import org.grim.ni.delivery.MessageRecord;
import org.grim.ni.delivery.Scoreboard;
import org.grim.ni.firmware.ControlParts;
import org.grim.ni.memory.ActiveMessageDelivery;
import org.grim.ni.memory.HostAccess;
import org.grim.ni.memory.RefuseCounters;
import org.grim.ni.memory.RegisteredParts;
import org.grim.ni.memory.TranslationCache;
import org.grim.ni.multicast.TreeRule;
import org.grim.ni.window.ReceiveWindow;
import org.grim.ni.window.SendWindow;
import org.grim.ni.window.SequenceSpace;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;

import static org.grim.board.ContextRegisters.REGISTERED_LENGTH;
import static org.grim.board.ContextRegisters.REGISTERED_START;

/** Parts of a control program, one of which breaks a guard. */
final class PlantedParts extends ControlParts
{
    private static final int TICKETS_BETWEEN_ERRORS = 8;

    private final Guard missing;

    PlantedParts(final Guard missing)
    {
        this.missing = missing;
    }

    @Override
    public SequenceSpace sequenceSpace(final int bits, final int window, final boolean isLossy)
    {
        return switch (missing)
        {
            case WINDOW_LIMIT -> new Space(bits, window);
            case DUPLICATE_CHECK, ORDER_CHECK, SEQUENCE_WRAP, TIMEOUT_RESEND, ROLLBACK_REFUSED, REFUSAL_KEPT ->
                new Space(bits, isLossy ? Math.min(window, SequenceSpace.lossyWindowMax(bits)) : window);
            default -> super.sequenceSpace(bits, window, isLossy);
        };
    }

    @Override
    public Scoreboard scoreboard(final int tokenCount)
    {
        return switch (missing)
        {
            case TOKEN_QUARANTINE, ANSWER_SEQUENCE, ANSWER_SOURCE, ROLLBACK_TRIPLE -> new Tokens(tokenCount);
            default -> super.scoreboard(tokenCount);
        };
    }

    @Override
    public EpochRule epochs()
    {
        return new EpochRule()
        {
            @Override
            public boolean isStale(final long epoch, final long known)
            {
                return missing != Guard.EPOCH_ORDER && super.isStale(epoch, known);
            }

            @Override
            public boolean isTaken(final boolean isConfirmed)
            {
                return missing == Guard.EPOCH_CONFIRMED || super.isTaken(isConfirmed);
            }

            @Override
            public boolean isDiscarded(final boolean isUsed)
            {
                return missing != Guard.EPOCH_DISCARD && super.isDiscarded(isUsed);
            }
        };
    }

    @Override
    public TreeRule trees()
    {
        return new TreeRule()
        {
            @Override
            public int ticket(final int following)
            {
                return missing == Guard.TICKET_ORDER && following % TICKETS_BETWEEN_ERRORS == 0 ? following + 1 :
                    super.ticket(following);
            }

            @Override
            public int position(final int rank, final int count)
            {
                return missing == Guard.TREE_DIRECTION && rank > 0 ? count - rank : super.position(rank, count);
            }

            @Override
            public boolean isForwardedByUpdate()
            {
                return missing != Guard.TREE_FORWARDING && super.isForwardedByUpdate();
            }

            @Override
            public int frontAfterFirst(final int position, final int endPosition)
            {
                return missing == Guard.RECYCLED_KEPT ? endPosition : super.frontAfterFirst(position, endPosition);
            }
        };
    }

    @Override
    public ActiveMessageDelivery activeMessages(
        final AtomicBuffer sram, final BoardGeometry geometry, final HostAccess host, final RefuseCounters refusals)
    {
        return new ActiveMessageDelivery(sram, geometry, host, refusals)
        {
            @Override
            protected boolean hasRoom(final int channel, final int length)
            {
                return missing == Guard.ARRIVAL_ROOM || super.hasRoom(channel, length);
            }
        };
    }

    @Override
    public RegisteredParts registeredParts(
        final AtomicBuffer sram, final BoardGeometry geometry, final HostMemory memory)
    {
        return missing == Guard.ADDRESS_CHECK || missing == Guard.REGISTERED_PART ?
            new Regions(sram, geometry, memory) : super.registeredParts(sram, geometry, memory);
    }

    @Override
    public TranslationCache translationCache(
        final AtomicBuffer sram, final BoardGeometry geometry, final HostAccess host, final int capacity)
    {
        return switch (missing)
        {
            case TRANSLATION_CONTEXT, RIGHT_CHECK, FORGET -> new Pages(sram, geometry, host, capacity);
            default -> super.translationCache(sram, geometry, host, capacity);
        };
    }

    private final class Space extends SequenceSpace
    {
        private final int mask;

        Space(final int bits, final int window)
        {
            super(bits, window, missing == Guard.WINDOW_LIMIT ? Integer.MAX_VALUE : ((1 << bits) + 1) >>> 1);
            mask = (1 << bits) - 1;
        }

        @Override
        protected int distance(final int from, final int sequence)
        {
            return missing != Guard.SEQUENCE_WRAP ? super.distance(from, sequence) :
                sequence < from ? mask : sequence - from;
        }

        @Override
        protected int following(final int sequence)
        {
            return missing == Guard.SEQUENCE_WRAP ? sequence + 1 : super.following(sequence);
        }

        @Override
        protected int skippedByDenial()
        {
            return missing == Guard.REFUSAL_KEPT ? 0 : super.skippedByDenial();
        }

        @Override
        public SendWindow sendWindow()
        {
            return new Sending(this);
        }

        @Override
        public ReceiveWindow receiveWindow()
        {
            return new Receiving(this);
        }
    }

    private final class Sending extends SendWindow
    {
        Sending(final SequenceSpace space)
        {
            super(space);
        }

        @Override
        public int refuse(final int sequence)
        {
            final int settledCount = super.refuse(sequence);
            if (missing == Guard.ROLLBACK_REFUSED && settledCount != STALE)
            {
                sent();
            }
            return settledCount;
        }

        @Override
        public int deny(final int sequence)
        {
            return missing == Guard.REFUSAL_KEPT ? acknowledge(sequence) : super.deny(sequence);
        }

        @Override
        public void timeOut()
        {
            if (missing != Guard.TIMEOUT_RESEND)
            {
                super.timeOut();
            }
        }
    }

    private final class Receiving extends ReceiveWindow
    {
        Receiving(final SequenceSpace space)
        {
            super(space);
        }

        @Override
        public Judgement judge(final int sequence)
        {
            final Judgement judgement = super.judge(sequence);
            final boolean isMistaken = (missing == Guard.ORDER_CHECK && judgement == Judgement.LATER) ||
                (missing == Guard.DUPLICATE_CHECK && judgement == Judgement.EARLIER);
            return isMistaken ? Judgement.EXPECTED : judgement;
        }

        @Override
        public void deny(final int sequence)
        {
            if (missing == Guard.REFUSAL_KEPT)
            {
                accept(sequence);
            }
            else
            {
                super.deny(sequence);
            }
        }
    }

    private final class Tokens extends Scoreboard
    {
        private final int tokenCount;

        Tokens(final int tokenCount)
        {
            super(tokenCount);
            this.tokenCount = tokenCount;
        }

        @Override
        protected boolean isAwaited(final MessageRecord record)
        {
            return missing != Guard.TOKEN_QUARANTINE && super.isAwaited(record);
        }

        @Override
        protected MessageRecord answered(final long words, final int fromNi)
        {
            final MessageRecord record = holder(MessageHeader.token(words));
            if (record == null)
            {
                return null;
            }
            return switch (missing)
            {
                case ANSWER_SEQUENCE -> record.destinationNi() == fromNi ? record : null;
                case ANSWER_SOURCE -> record.sequence() == MessageHeader.sequence(words) ? record : null;
                case ROLLBACK_TRIPLE -> MessageHeader.typeCode(words) == MessageType.NACK.code() ?
                    other(super.answered(words, fromNi)) : super.answered(words, fromNi);
                default -> super.answered(words, fromNi);
            };
        }

        /** A message of another channel to the same NI, if there is one in flight. */
        private MessageRecord other(final MessageRecord record)
        {
            MessageRecord found = record;
            for (int token = 0; token < tokenCount && record != null; token++)
            {
                final MessageRecord holder = holder(token);
                if (holder != null && holder.destinationNi() == record.destinationNi() &&
                    holder.channel() != record.channel())
                {
                    found = holder;
                }
            }
            return found;
        }
    }

    /** Of the two checks, one is not made: that bytes lie in the published part, or that they lie in the region. */
    private final class Regions extends RegisteredParts
    {
        private final AtomicBuffer sram;
        private final BoardGeometry geometry;
        private final HostMemory memory;

        Regions(final AtomicBuffer sram, final BoardGeometry geometry, final HostMemory memory)
        {
            super(sram, geometry, memory);
            this.sram = sram;
            this.geometry = geometry;
            this.memory = memory;
        }

        @Override
        public long locate(final int context, final long address, final int length)
        {
            final ContextRegisters registers = new ContextRegisters(sram, geometry, context);
            final long partLength = registers.getAcquire(REGISTERED_LENGTH);
            final long offset = PhysicalAddress.registeredOffset(address);
            final long physical = HostMemory.address(context, registers.get(REGISTERED_START) + offset);
            final boolean isFound = missing == Guard.REGISTERED_PART ? memory.isReachable(context, physical, length) :
                offset >= 0 && partLength >= length && offset <= partLength - length;
            return isFound ? physical : NOWHERE;
        }
    }

    private final class Pages extends TranslationCache
    {
        Pages(final AtomicBuffer sram, final BoardGeometry geometry, final HostAccess host, final int capacity)
        {
            super(sram, geometry, host, capacity);
        }

        @Override
        public long translateRange(final int context, final long virtualAddress, final int length, final int right)
        {
            final long physical = super.translateRange(owner(context), virtualAddress, length, needed(right));
            return physical != MISS || owner(context) == context ? physical :
                super.translateRange(context, virtualAddress, length, right);
        }

        @Override
        public long translatePage(final int context, final long virtualAddress, final int right)
        {
            return super.translatePage(owner(context), virtualAddress, needed(right));
        }

        @Override
        protected void fillPinned(final int context, final long virtualPage, final long pageWord)
        {
            super.fillPinned(owner(context), virtualPage, pageWord);
        }

        @Override
        public void forget(final int context)
        {
            if (missing != Guard.FORGET)
            {
                super.forget(owner(context));
            }
        }

        private int owner(final int context)
        {
            return missing == Guard.TRANSLATION_CONTEXT ? 0 : context;
        }

        private int needed(final int right)
        {
            return missing == Guard.RIGHT_CHECK ? 0 : right;
        }
    }
}
