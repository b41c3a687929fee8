// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import java.util.List;
import java.util.Map;

import org.grim.tools.observe.ni.NiReport;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * Result of the command {@code stat}; its components are the JSON.
 *
 * @param command   always {@code stat}.
 * @param directory of the cluster.
 * @param epochMs   when it was read, ms since the epoch.
 * @param nodes     by number; those that are gone and left no files included.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record StatReport(String command, String directory, long epochMs, List<Node> nodes)
{
    /**
     * One node.
     *
     * @param number      virtual node number.
     * @param name        of the node.
     * @param state       as the directory says.
     * @param isAlive     whether its process exists.
     * @param incarnation which life of this number.
     * @param endpoints   host and devices, by their kind.
     * @param channels    counters by channel; the one with channel -1 counts for all shared links.
     * @param counters    of the node as a whole, by name.
     * @param rejected    refused bytes by reason, those that are not zero.
     * @param memoryRefused remote-memory operations of this node that were not executed, by reason, those not zero.
     * @param inbox       its receive queues; null if it has no file of them.
     * @param ni          its network interface; null if it has no board.
     * @param errors      distinct errors.
     * @param missing     what could not be read, in words.
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Node(
        int number, String name, String state, boolean isAlive, int incarnation, List<String> endpoints,
        List<Channel> channels, Map<String, Long> counters, Map<String, Long> rejected, Map<String, Long> memoryRefused,
        Inbox inbox, NiReport ni, List<DistinctError> errors, List<String> missing)
    {
    }

    /**
     * One logical channel.
     *
     * @param channel  its number.
     * @param counters by name.
     */
    public record Channel(int channel, Map<String, Long> counters)
    {
    }

    /**
     * Receive queues of a node.
     *
     * @param lastPollAgeMs since its receiver last did its housekeeping; -1 for never.
     * @param queues        those that have a sender.
     */
    public record Inbox(long lastPollAgeMs, List<Queue> queues)
    {
    }

    /**
     * One receive queue.
     *
     * @param channel       that it belongs to.
     * @param queue         its number within the channel.
     * @param ownerNode     node that sends through it.
     * @param ownerChannel  that it sends from.
     * @param isDetached    whether the sender gave it up.
     * @param unreadCount   messages that stand in it.
     * @param slotCount     messages that it holds.
     * @param isStopped     whether the receiver stopped it after corrupt bytes.
     */
    public record Queue(
        int channel, int queue, int ownerNode, int ownerChannel, boolean isDetached, int unreadCount, int slotCount,
        boolean isStopped)
    {
    }

    /**
     * One distinct error.
     *
     * @param observationCount how often it was seen.
     * @param firstMs          first time, ms since the epoch.
     * @param lastMs           last time, ms since the epoch.
     * @param text             with stack trace.
     */
    public record DistinctError(int observationCount, long firstMs, long lastMs, String text)
    {
    }
}
