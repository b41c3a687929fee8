// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.scale;

/**
 * Result of one run. Rates are payload bytes, 10^6 a second.
 *
 * @param options  of the run.
 * @param stop     null if everything was settled; otherwise one sentence that says what stopped it.
 * @param goodput  what arrived.
 * @param packets  what it took.
 * @param fairness over those who sent.
 * @param memory   of an NI.
 * @param cost     of the run.
 */
public record ScaleResult(
    ScaleOptions options, String stop, Goodput goodput, Packets packets, Fairness fairness, Memory memory, Cost cost)
{
    /**
     * Traffic that arrived.
     *
     * @param deliveredCount messages that hosts have read.
     * @param total          all NIs together, from the first message's offer to the last one's being read.
     * @param perNi          the same for each.
     * @param middle         all together while the middle half of the messages was read.
     * @param share          of an NI's link that is used, headers included: the average during that half; of a hot
     *                       spot its own, from its first message to its last.
     */
    public record Goodput(long deliveredCount, double total, double perNi, double middle, double share)
    {
    }

    /**
     * Cost of the run.
     *
     * @param data        transmissions of messages.
     * @param repeated    of them that were not the first of their message.
     * @param share       repeated of data.
     * @param nacks       that senders have taken.
     * @param convictions of NIs that had not answered ten questions.
     * @param lost        messages that were reported as undelivered or unknown.
     */
    public record Packets(long data, long repeated, double share, long nacks, long convictions, long lost)
    {
    }

    /**
     * Jain's index of the rates; 1 if all are the same.
     *
     * @param senders of everything that they sent.
     * @param hotSpot of what they sent to NI 0; null if that is no hot spot.
     */
    public record Fairness(double senders, Double hotSpot)
    {
    }

    /**
     * Of an NI.
     *
     * @param peerCount    most that an NI has had to do with.
     * @param tripleCount  most triples, both directions.
     * @param sramBytes    of its board, as simulated: registers and queue.
     * @param tableBytes   of its peers and triples, packed ({@link PackedState}); the most.
     * @param heapBytes    of the firmware and its host before the first message, board and buffers included.
     * @param peerHeapBytes how much more for each peer.
     */
    public record Memory(
        int peerCount, int tripleCount, int sramBytes, long tableBytes, long heapBytes, long peerHeapBytes)
    {
    }

    /**
     * Of the run.
     *
     * @param hopCount   most links of a route.
     * @param virtualMs  time of the boards.
     * @param seconds    real time.
     * @param cpuSeconds of the whole process, its compiler and collector included; 0 if the system does not say.
     * @param eventCount events of virtual time.
     * @param heapBytes  the most that was seen in use.
     */
    public record Cost(
        int hopCount, double virtualMs, double seconds, double cpuSeconds, long eventCount, long heapBytes)
    {
    }
}
