// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.util.function.Consumer;

import org.grim.board.AttachRefusal;
import org.grim.board.BoardDescriptor;
import org.grim.board.ChannelRegisters;
import org.grim.board.ContextRegisters;
import org.grim.board.StopReason;
import org.grim.wire.MessageType;

import static org.grim.board.ChannelRegisters.CONTEXT;
import static org.grim.board.ChannelRegisters.FRONT;
import static org.grim.board.ChannelRegisters.OWNER_ADDRESS;
import static org.grim.board.ChannelRegisters.PULL_REFUSED;
import static org.grim.board.ChannelRegisters.STATUS;
import static org.grim.board.ContextRegisters.REQUEST;
import static org.grim.board.ContextRegisters.REQUEST_DETACH;
import static org.grim.board.ContextRegisters.STATE;
import static org.grim.board.ContextRegisters.STATE_DRAINING;

/** Attack of a hostile process in its own part of a board, and the board's reaction. */
enum Attack
{
    SOURCE_ADDRESS(Result.STOPPED, StopReason.BAD_HEADER,
        party -> party.send(party.honestAddress, party.channel, party.boardAddress, party.boardChannel)),
    SOURCE_CHANNEL(Result.STOPPED, StopReason.BAD_HEADER,
        party -> party.send(party.address, party.honestChannel, party.boardAddress, party.boardChannel)),
    OWNER_REGISTER(Result.STOPPED, StopReason.BAD_HEADER, party ->
    {
        party.registers.put(OWNER_ADDRESS, party.honestAddress);
        party.send(party.honestAddress, party.channel, party.boardAddress, party.boardChannel);
    }),
    /** To be found under the honest node's address. */
    OWNER_REGISTER_OF_RECEIVER(Result.STOPPED, StopReason.BAD_HEADER, party ->
    {
        party.registers.put(OWNER_ADDRESS, party.honestAddress);
        party.send(party.address, party.channel, party.honestAddress, party.channel);
    }),
    DESTINATION_CHANNEL(Result.REFUSED, null,
        party -> party.send(party.address, party.channel, party.boardAddress, 0xFE)),
    DESTINATION_OWNER(Result.REFUSED, null,
        party -> party.send(party.address, party.channel, party.boardAddress, party.honestChannel)),
    REPLY_CHANNEL(Result.REFUSED, null, party ->
        party.send(party.address, party.channel, party.boardAddress, party.geometry.channelCount() - 1)),
    NO_SUCH_NODE(Result.UNDELIVERED, null, party -> party.send(party.address, party.channel, 0xFFF0, 0)),

    PHYSICAL_WRITE(Result.REFUSED, null, party -> party.remote(
        MessageType.REMOTE_WRITE_PHYSICAL, party.address, party.channel, party.honest(), 0, 8)),
    PHYSICAL_WRITE_BEYOND(Result.REFUSED, null, party -> party.remote(
        MessageType.REMOTE_WRITE_PHYSICAL, party.address, party.channel, party.own() + (1L << 31), 0, 8)),
    PHYSICAL_WRITE_BEHIND_WHAT_IS_REGISTERED(Result.REFUSED, null, party -> party.remote(
        MessageType.REMOTE_WRITE_PHYSICAL, party.honestAddress, party.honestChannel, party.registeredLength(), 0, 8)),
    PHYSICAL_WRITE_BEFORE_WHAT_IS_REGISTERED(Result.REFUSED, null, party -> party.remote(
        MessageType.REMOTE_WRITE_PHYSICAL, party.honestAddress, party.honestChannel, -8, 0, 8)),
    PHYSICAL_WRITE_OVER_THE_END(Result.REFUSED, null, party -> party.remote(MessageType.REMOTE_WRITE_PHYSICAL,
        party.honestAddress, party.honestChannel, party.registeredLength() - 4, 0, 8)),
    PHYSICAL_NOTIFICATION(Result.REFUSED, null, party -> party.remote(
        MessageType.REMOTE_WRITE_PHYSICAL, party.address, party.channel, 0, party.honest(), 8)),
    PHYSICAL_NOTIFICATION_IN_AN_ARRIVAL_QUEUE(Result.REFUSED, null, party -> party.remote(
        MessageType.REMOTE_WRITE_PHYSICAL, party.honestAddress, party.honestChannel, -4096, 4, 8)),
    REGISTERED_PART(Result.REFUSED, null, party ->
    {
        party.contextRegisters.registered(party.own(), 1L << 38);
        party.remote(MessageType.REMOTE_WRITE_PHYSICAL, party.address, party.channel, 0, 0, 8);
    }),
    REGISTERED_PART_BEYOND(Result.REFUSED, null, party ->
    {
        party.contextRegisters.registered(0, 1L << 38);
        party.remote(MessageType.REMOTE_WRITE_PHYSICAL, party.address, party.channel, 1L << 37, 0, 8);
    }),
    REGISTERED_PART_OF_NOISE(Result.REFUSED, null, party ->
    {
        party.contextRegisters.registered(Long.MIN_VALUE, Long.MAX_VALUE);
        party.remote(MessageType.REMOTE_WRITE_PHYSICAL, party.address, party.channel, 64, 0, 8);
    }),
    READ_REPLY(Result.STOPPED, StopReason.BAD_HEADER, party -> party.remote(
        MessageType.REMOTE_READ_REPLY, party.honestAddress, party.honestChannel, 1L << 40, 0, 8)),
    VIRTUAL_WRITE_OF_NOTHING(Result.REFUSED, null, party -> party.remote(
        MessageType.REMOTE_WRITE_VIRTUAL, party.honestAddress, party.honestChannel, 1L << 20, 0, 8)),
    FORGET_COUNT(Result.IGNORED, null, party -> party.contextRegisters.putRelease(ContextRegisters.FORGET_COUNT,
    Integer.MIN_VALUE)),
    FORGOTTEN_COUNT(Result.IGNORED, null, party -> party.contextRegisters.putRelease(ContextRegisters.FORGOTTEN_COUNT,
    77)),
    PHYSICAL_WRITE_THROUGH_ANOTHER(Result.REFUSED, null, party -> party.remote(
        MessageType.REMOTE_WRITE_PHYSICAL, party.boardAddress, party.boardChannel, party.honest(), 0, 8)),
    PHYSICAL_COUNT(Result.REFUSED, null, party -> party.remote(
        MessageType.REMOTE_WRITE_PHYSICAL, party.address, party.channel, 0, 0, -1)),
    VIRTUAL_WRITE(Result.REFUSED, null, party ->
    {
        party.staticEntry(1 << 20, party.honest());
        party.contextRegisters.disable();
        party.remote(MessageType.REMOTE_WRITE_VIRTUAL, party.address, party.channel, 1 << 20, 0, 8);
    }),
    VIRTUAL_READ(Result.REFUSED, null, party ->
    {
        party.staticEntry(1 << 20, party.honest());
        party.contextRegisters.disable();
        party.remote(MessageType.REMOTE_READ, party.address, party.channel, 1 << 20, 0, 8);
    }),
    TRANSLATION_REQUEST(Result.REFUSED, null, party ->
    {
        party.contextRegisters.enable(party.honest(), 1 << 20);
        party.remote(MessageType.REMOTE_WRITE_VIRTUAL, party.address, party.channel, 1 << 20, 0, 8);
    }),

    CONTEXT_REGISTER_FOR_WRITE(Result.REFUSED, null, party ->
    {
        party.registers.put(CONTEXT, party.honestContext);
        party.remote(MessageType.REMOTE_WRITE_PHYSICAL, party.address, party.channel, party.honest(), 0, 8);
    }),
    CONTEXT_REGISTER_FOR_PULL(Result.STOPPED, StopReason.BAD_PULL, party ->
    {
        party.registers.put(CONTEXT, party.honestContext);
        party.pull(party.honest(), 0, 4 * HostileParty.PAYLOAD_LENGTH);
    }),
    CONTEXT_REGISTER_FOR_ARRIVALS(Result.REFUSED, null, party -> party.setUpAgain(
        () -> party.registers.put(CONTEXT, party.honestContext).put(ChannelRegisters.ARRIVAL_ADDRESS, party.honest()))),
    CONTEXT_REGISTER_BEYOND(Result.REFUSED, null,
        party -> party.setUpAgain(() -> party.registers.put(CONTEXT, Integer.MIN_VALUE))),

    PULL_SOURCE(Result.STOPPED, StopReason.BAD_PULL,
        party -> party.pull(party.honest(), 0, 4 * HostileParty.PAYLOAD_LENGTH)),
    PULL_BEYOND_THE_REGION(Result.STOPPED, StopReason.BAD_PULL, party -> party.pull(party.own() + (1L << 31), 0, 64)),
    PULL_POSITION(Result.STOPPED, StopReason.BAD_PULL,
        party -> party.pull(party.own(), party.geometry.queueLength() - 32, 64)),
    PULL_BEHIND_THE_FRONT(Result.STOPPED, StopReason.BAD_PULL, party -> party.pull(party.own(), -64, 64)),
    PULL_LENGTH(Result.STOPPED, StopReason.BAD_PULL, party -> party.pull(party.own(), 0, Integer.MIN_VALUE)),
    PULL_COUNT(Result.STOPPED, StopReason.BAD_PULL, party ->
    {
        party.registers.askPull(1_000, party.own(), party.registers.getAcquire(FRONT), 64);
        party.ring();
    }),

    ARRIVAL_ADDRESS(Result.STOPPED, StopReason.BAD_ARRIVAL_QUEUE,
        party -> party.setUpAgain(() -> party.registers.put(ChannelRegisters.ARRIVAL_ADDRESS, party.honest()))),
    POINTER_ADDRESS(Result.STOPPED, StopReason.BAD_ARRIVAL_QUEUE, party -> party.setUpAgain(() -> party.registers
        .put(ChannelRegisters.ARRIVAL_MODE, ChannelRegisters.ARRIVAL_QUEUE_POINTER)
        .put(ChannelRegisters.FRAME_LENGTH, 4096).put(ChannelRegisters.POINTER_ADDRESS, party.honest()))),
    ARRIVAL_MODE(Result.STOPPED, StopReason.BAD_ARRIVAL_QUEUE,
        party -> party.setUpAgain(() -> party.registers.put(ChannelRegisters.ARRIVAL_MODE, 77))),
    FRAME_LENGTH(Result.STOPPED, StopReason.BAD_ARRIVAL_QUEUE,
        party -> party.setUpAgain(() -> party.registers.put(ChannelRegisters.FRAME_LENGTH, 100))),
    FRAME_LENGTH_BEYOND(Result.STOPPED, StopReason.BAD_ARRIVAL_QUEUE,
        party -> party.setUpAgain(() -> party.registers.put(ChannelRegisters.FRAME_LENGTH, 1 << 26))),
    FRAME_COUNT(Result.STOPPED, StopReason.BAD_ARRIVAL_QUEUE,
        party -> party.setUpAgain(() -> party.registers.put(ChannelRegisters.FRAME_COUNT, -1))),
    FRAME_COUNT_BEYOND(Result.STOPPED, StopReason.BAD_ARRIVAL_QUEUE,
        party -> party.setUpAgain(() -> party.registers.put(ChannelRegisters.FRAME_COUNT, 1 << 30))),

    PAYLOAD_LENGTH(Result.STOPPED, StopReason.BAD_HEADER, party -> party.sendLength(65_504)),
    PAYLOAD_LENGTH_OF_MORE(Result.STOPPED, StopReason.BAD_HEADER,
        party -> party.sendLength(HostileParty.PAYLOAD_LENGTH + 4)),
    BACK(Result.STOPPED, StopReason.BAD_BACK, party -> party.back(party.geometry.queueLength() + 4)),
    BACK_BEHIND_THE_FRONT(Result.STOPPED, StopReason.BAD_BACK, party -> party.back(-64)),
    FILLED(Result.STOPPED, StopReason.BAD_FILLED, party ->
    {
        party.sendToItself();
        party.sendFilled(Integer.MAX_VALUE & -4);
    }),
    CHANNEL_OF_NOISE(Result.STOPPED, StopReason.BAD_BACK, party -> party.sram.setMemory(
        party.geometry.channelOffset(party.channel) + 128, 64, (byte)0x5A)),

    CONTEXT_CHANNEL_COUNT(Result.IGNORED, null,
        party -> party.contextRegisters.requestAttach(Integer.MAX_VALUE, Integer.MIN_VALUE)),
    CONTEXT_REASON(Result.IGNORED, null,
        party -> party.contextRegisters.refused(AttachRefusal.BAD_OWNER)),
    CONTEXT_STATE(Result.IGNORED, null, party -> party.contextRegisters.putRelease(STATE, STATE_DRAINING)),
    CONTEXT_FIRST_CHANNEL(Result.IGNORED, null, party -> party.contextRegisters.attached(party.honestChannel)),
    CONTEXT_OF_NOISE(Result.IGNORED, null, party -> party.sram.setMemory(
        party.geometry.contextOffset(party.context), BoardDescriptor.CONTEXT_LENGTH, (byte)0x5A)),
    /** Its own context ends, and nothing else. */
    CONTEXT_REQUEST(Result.IGNORED, null, party -> party.contextRegisters.putRelease(REQUEST, REQUEST_DETACH));

    /** Result of an attack. */
    enum Result
    {
        /** The channel's status register says why it is served no more. */
        STOPPED,
        /** The message was refused for good, and counted by channel and board. */
        REFUSED,
        /** The message has no destination, and was counted by the channel. */
        UNDELIVERED,
        /** The written word means nothing there, or concerns no other process. */
        IGNORED
    }

    private final Result result;
    private final StopReason stopReason;
    @SuppressWarnings("ImmutableEnumChecker")       // A lambda without captures.
    private final Consumer<HostileParty> action;

    Attack(final Result result, final StopReason stopReason, final Consumer<HostileParty> action)
    {
        this.result = result;
        this.stopReason = stopReason;
        this.action = action;
    }

    Result result()
    {
        return result;
    }

    void run(final HostileParty party)
    {
        action.accept(party);
        party.ring();
    }

    /** Whether it was counted as it should be. */
    boolean isCounted(final HostileParty party)
    {
        final ChannelRegisters registers = party.registers;
        final boolean isStopped = stopReason != null && registers.getAcquire(STATUS) == stopReason.code();
        return switch (result)
        {
            case STOPPED -> isStopped && (stopReason != StopReason.BAD_PULL ||
                party.registers.getAcquire(PULL_REFUSED) == 1);
            case REFUSED -> registers.getAcquire(ChannelRegisters.REFUSED) == 1;
            case UNDELIVERED -> registers.getAcquire(ChannelRegisters.UNDELIVERED) == 1;
            case IGNORED -> true;
        };
    }
}
