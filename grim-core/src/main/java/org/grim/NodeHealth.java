// SPDX-License-Identifier: Apache-2.0
package org.grim;

/**
 * Health of this node at one moment: {@link Grim#health()}.
 *
 * @param status           for programs that route traffic, such as probes.
 * @param problem          one sentence with value and limit; empty if the status is {@link Status#UP}.
 * @param pollAgeMs        since the host endpoint last did its housekeeping, or joined; 0 if it has left.
 * @param nodeCount        nodes that are up, this one included.
 * @param backlogCount     messages and remote-memory operations that wait in overflow queues.
 * @param backlogLength    bytes that they take.
 * @param backlogLengthMax bytes that they may take, of all endpoints together.
 */
public record NodeHealth(
    NodeHealth.Status status,
    String problem,
    long pollAgeMs,
    int nodeCount,
    long backlogCount,
    long backlogLength,
    long backlogLengthMax)
{
    /** Verdict, in one word. */
    public enum Status
    {
        /** The node is in its cluster, polls, and has room for what its handlers send. */
        UP,
        /** It is in its cluster, but does not poll, or its overflow queues are nearly full. */
        LIMITED,
        /** It has left, or was fenced: close it and join again. */
        DOWN
    }
}
