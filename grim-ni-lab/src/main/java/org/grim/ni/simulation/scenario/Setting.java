// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation.scenario;

import java.util.Locale;

/** Setting of a run. Each one is drawn from the seed and can be set instead. Times in nanoseconds. */
public enum Setting
{
    /** NIs, each with one host. */
    NODE_COUNT(1, 4096),
    /** Channels of each board. */
    CHANNEL_COUNT(1, 256),
    /** Host processes of each board; channels belong to them in turn. */
    CONTEXT_COUNT(1, 8),
    /** NIs of one switch; 0 for a single crossbar. */
    LEAF_PORT_COUNT(0, 256),
    /** Packets that a link's far end can hold. */
    LINK_PACKET_COUNT(1, 1024),
    /** Flight time of a link. */
    LINK_LATENCY_NS(1, 1_000_000),
    /** Bandwidth of a link. */
    LINK_BYTES_PER_SECOND(1_000_000, 100_000_000_000L),
    /** 0 for a wire that loses nothing, 1 for one that may lose, repeat, reorder and corrupt. */
    LOSSY_WIRE(0, 1),
    /** Bytes of a channel's queue in SRAM. */
    QUEUE_LENGTH(1024, 1 << 20),
    /** 1 for tail flags, 2 for queue pointers, 3 for both in turn. */
    ARRIVAL_MODE(1, 3),
    /** Bytes of an arrival frame. */
    FRAME_LENGTH(128, 1 << 17),
    /** Arrival frames of a channel. */
    FRAME_COUNT(1, 4096),
    /** Bits of a sequence number. */
    SEQUENCE_BITS(1, 8),
    /** Messages of one triple in flight. */
    WINDOW(1, 127),
    /** Messages of one NI in flight. */
    TOKEN_COUNT(1, 256),
    /** Messages of a channel taken and not settled. */
    CHANNEL_QUOTA(1, 1024),
    /** Bytes that a channel may send in its turn. */
    QUANTUM_LENGTH(64, 1 << 20),
    /** 1 if a message may leave before its host has written all of it. */
    CUT_THROUGH(0, 1),
    /** Pages that the translation cache holds. */
    TRANSLATION_PAGE_COUNT(4, 65_536),
    /** First wait of a refused message. */
    RETRY_NS_MIN(1, 1_000_000_000),
    /** Longest wait of a refused message. */
    RETRY_NS_MAX(1, 1_000_000_000),
    /** Least wait for an answer. */
    TIME_OUT_NS_MIN(1, 1_000_000_000),
    /** Longest wait for an answer. */
    TIME_OUT_NS_MAX(1, 1_000_000_000),
    /** Time-outs in a row until a peer is gone. */
    TIME_OUT_COUNT_MAX(1, 1000),
    /** Time in which a gone peer is not called. */
    GONE_NS(0, 1_000_000_000),
    /** 4 or 9 for that LANai's costs, 0 for the same small cost of every action. */
    TIMING(0, 9),
    /** 1 if channels are found by their doorbell bits, 0 if by a scan. */
    DOORBELL_DETECTION(0, 1),
    /** Cost of an action when {@link #TIMING} is 0. */
    ACTION_NS(1, 1_000_000),
    /** Traffic pattern: 0 pairs, 1 all to all, 2 hot spot, 3 ring, 4 self, 5 anything. */
    WORKLOAD(0, 5),
    /** Messages of all hosts together. */
    MESSAGE_COUNT(0, 1_000_000_000),
    /** Mean pause of a sending channel between bursts. */
    SEND_GAP_NS(1, 1_000_000_000),
    /** Messages of a burst. */
    BURST_COUNT(1, 1000),
    /** Most payload bytes of a message. */
    PAYLOAD_LENGTH_MAX(0, 65_504),
    /** Of 1,000 messages, those of any size up to the largest; the others are small. */
    LARGE_PERMILLE(0, 1000),
    /** Of 1,000 active messages, those injected in segments. */
    SEGMENTS_PERMILLE(0, 1000),
    /** Of 1,000 messages, those that write remote memory. */
    WRITE_PERMILLE(0, 1000),
    /** Of 1,000 messages, those that read remote memory. */
    READ_PERMILLE(0, 1000),
    /** Of 1,000 remote-memory operations, those with a wrong address. */
    BAD_ADDRESS_PERMILLE(0, 1000),
    /** Of 1,000 messages, those to a node that does not exist. */
    UNKNOWN_NODE_PERMILLE(0, 1000),
    /** Delay until a receiver looks at arrived messages. */
    RECEIVE_DELAY_NS(1, 1_000_000_000),
    /** Of 1,000 channels, those whose receiver is a hundred times slower. */
    SLOW_RECEIVER_PERMILLE(0, 1000),
    /** Of a million packets on a link, those dropped. */
    DROP_PPM(0, 500_000),
    /** Of a million packets on a link, those repeated. */
    REPEAT_PPM(0, 500_000),
    /** Of a million packets on a link, those overtaken. */
    REORDER_PPM(0, 500_000),
    /** Of a million packets on a link, those with flipped bits. */
    CORRUPT_PPM(0, 500_000),
    /** Of a million packets on a link, those cut. */
    TRUNCATE_PPM(0, 500_000),
    /** Of a million packets on a link, those much delayed. */
    DELAY_PPM(0, 500_000),
    /** Links that stall for a while. */
    STALL_COUNT(0, 1000),
    /** Partitions of some NI's link, both ways or one way. */
    PARTITION_COUNT(0, 1000),
    /** Receivers that stop for a while. */
    RECEIVER_STOP_COUNT(0, 1000),
    /** Host processes that restart. */
    HOST_RESTART_COUNT(0, 1000),
    /** NIs that restart. */
    NI_RESTART_COUNT(0, 1000),
    /** NIs that stop for a while. */
    NI_PAUSE_COUNT(0, 1000),
    /** NIs that stop for good. */
    NI_KILL_COUNT(0, 1000),
    /** Longest stop, stall or partition. */
    DISTURBANCE_NS_MAX(1, 1_000_000_000L),
    /** When faults cease at the latest. */
    PHASE_NS(1, 1_000_000_000_000L),
    /** Most time after that until everything is at rest. */
    LIVENESS_NS(1, 1_000_000_000_000L),
    /** Steps of boards between two thorough checks. */
    CHECK_STEP_COUNT(1, 1_000_000_000),
    /** Deliberate mistake of the simulation: 0 none, 1 flips a delivered byte, 2 reports a false outcome. */
    CANARY(0, 2),
    /** Time that an NI waits for a host's next segment of a message, before it cuts the message. */
    INJECTION_TIME_OUT_NS(1, 1_000_000_000_000L),
    /** Of 1,000 active messages that are written whole, those that the board pulls from host memory. */
    PULL_PERMILLE(0, 1000),
    /** Mean time until a host registers or frees a page of memory; 0 for never. */
    CHURN_NS(0, 1_000_000_000),
    /** Of 1,000 remote writes, those to memory that is registered and freed at random. */
    CHURN_PERMILLE(0, 1000),
    /** Trees of multicasts; 0 for none. */
    TREE_COUNT(0, 8),
    /** Of 1,000 messages, those that are multicast. */
    MULTICAST_PERMILLE(0, 1000),
    /** Mean pause until a tree's subscribers change; 0 for never. */
    TREE_CHANGE_NS(0, 1_000_000_000),
    /** Of 1,000 channels, those that subscribe to a tree. */
    SUBSCRIBER_PERMILLE(0, 1000),
    /** Time that an owner waits for its subscribers, where NIs may be lost. */
    TREE_TIME_OUT_NS(1, 1_000_000_000);

    private final long least;
    private final long most;

    Setting(final long least, final long most)
    {
        this.least = least;
        this.most = most;
    }

    /** {@return how it is written: its name in lower case with dashes} */
    public String key()
    {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    long checked(final long value)
    {
        if (value < least || value > most)
        {
            throw new IllegalArgumentException(key() + "=" + value + " is outside " + least + " to " + most);
        }
        return value;
    }
}
