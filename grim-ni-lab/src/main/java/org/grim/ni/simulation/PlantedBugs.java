// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation;

import java.util.Arrays;
import java.util.stream.Stream;

import org.grim.ni.guard.Guard;
import org.grim.ni.simulation.scenario.SimulationParameters;

/**
 * For each guard of the protocol, the settings under which its absence should show soon. A simulation that does not
 * notice that a guard is missing would not notice either that it is wrong.
 * <p>Thread: any; no state.
 */
public final class PlantedBugs
{
    private static final String ALL = "message-count=1500 ";
    private static final String LOSSY =
        "lossy-wire=1 bad-address-permille=0 drop-ppm=50000 repeat-ppm=50000 reorder-ppm=50000 ";
    private static final String CROWDED = "frame-count=2 receive-delay-ns=20000 send-gap-ns=2000 workload=1 " +
        "node-count=4 token-count=64 channel-quota=8 ";
    private static final String RESTARTING =
        LOSSY + "ni-restart-count=8 node-count=3 disturbance-ns-max=200000 workload=1 ";
    private static final String MULTICAST = "lossy-wire=0 tree-count=2 multicast-permille=900 node-count=5 " +
        "subscriber-permille=600 tree-change-ns=200000 ";
    private static final String REMOTE = "lossy-wire=0 channel-count=2 context-count=2 write-permille=700 " +
        "read-permille=100 bad-address-permille=0 ";

    private PlantedBugs()
    {
    }

    /** The settings that make a missing guard likely to show; the seed draws everything else. */
    public static SimulationParameters parameters(final Guard guard, final long seed)
    {
        return SimulationParameters.parse(Stream.concat(
            Stream.of("seed=" + seed), Arrays.stream((ALL + recipe(guard)).split(" "))).toList());
    }

    /** Of two values of one setting the later one counts. */
    private static String recipe(final Guard guard)
    {
        return switch (guard)
        {
            case WINDOW_LIMIT -> LOSSY + "sequence-bits=2 window=4 token-count=64 channel-quota=32";
            case DUPLICATE_CHECK, ORDER_CHECK, TIMEOUT_RESEND -> LOSSY;
            case SEQUENCE_WRAP -> "sequence-bits=2 window=2";
            case TOKEN_QUARANTINE -> LOSSY + "token-count=2 time-out-ns-min=20000 sequence-bits=2 window=2";
            case ANSWER_SEQUENCE -> LOSSY + "time-out-ns-min=20000";
            case ANSWER_SOURCE -> LOSSY +
                "node-count=5 workload=1 token-count=3 sequence-bits=2 window=2 time-out-ns-min=20000";
            case ACK_AFTER_COPY, NACK_SENT, ROLLBACK_TRIPLE, ROLLBACK_REFUSED, ARRIVAL_ROOM, FRONT_IN_ORDER,
                CHANNEL_QUOTA -> CROWDED;
            case DOORBELL_BEFORE_BACK -> "send-gap-ns=2000 burst-count=1";
            case CUT_PACKET -> "lossy-wire=0 ni-restart-count=8 segments-permille=1000 large-permille=800 " +
                "cut-through=1 payload-length-max=4096 frame-length=2048 queue-length=4096 send-gap-ns=20000";
            case EPOCH_ORDER, EPOCH_CONFIRMED, EPOCH_DISCARD, LOSS_REPORTED -> RESTARTING;
            case PEER_GONE -> RESTARTING + "ni-kill-count=1";
            case PACKET_NUMBER -> RESTARTING + "ni-restart-count=0";
            case PACKET_CHECKSUM -> LOSSY + "corrupt-ppm=50000";
            case REFUSAL_KEPT -> REMOTE + "bad-address-permille=300 window=2 sequence-bits=8 token-count=64 " +
                "link-bytes-per-second=20000000";
            case ADDRESS_CHECK, REGISTERED_PART, RIGHT_CHECK -> REMOTE + "bad-address-permille=300";
            case NOTIFICATION_LAST, TRANSLATION_CONTEXT -> REMOTE;
            case TICKET_ORDER, TREE_DIRECTION, TREE_FORWARDING -> MULTICAST;
            case RECYCLED_KEPT -> MULTICAST + "queue-length=1024 burst-count=32 send-gap-ns=2000 node-count=3 " +
                "receive-delay-ns=20000 slow-receiver-permille=300 tree-change-ns=0";
            case FORGET -> REMOTE + "churn-ns=20000 churn-permille=900";
        };
    }
}
