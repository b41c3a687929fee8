// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.Map;

/**
 * A node as JMX shows it, with {@code grim.node.mxbean=true}: {@code org.grim:type=Node,cluster=NAME,node=NAME}.
 * Counters are sums over the node's channels since it joined.
 * <p>Thread: any. Costs the node nothing while nobody asks.
 */
public interface NodeMXBean
{
    /** {@return number of the node} */
    int getNumber();

    /** {@return incarnation of the number} */
    int getIncarnation();

    /** {@return name of a {@link NodeHealth.Status}} */
    String getStatus();

    /** {@return one sentence; empty if the status is {@code UP}} */
    String getProblem();

    /** {@return ms since the host endpoint did its housekeeping, or joined} */
    long getPollAgeMs();

    /** {@return nodes that are up, this one included} */
    int getNodeCount();

    /** {@return messages and remote-memory operations that wait in overflow queues} */
    long getBacklogCount();

    /** {@return bytes that they take} */
    long getBacklogLength();

    /** {@return bytes that they may take} */
    long getBacklogLengthMax();

    /** {@return messages accepted for sending} */
    long getMessagesSent();

    /** {@return payload bytes accepted for sending} */
    long getBytesSent();

    /** {@return messages handed to handlers} */
    long getMessagesReceived();

    /** {@return payload bytes handed to handlers} */
    long getBytesReceived();

    /** {@return sends that found no room} */
    long getBackPressured();

    /** {@return accepted messages that were given up because the peer went} */
    long getUndelivered();

    /** {@return handlers that threw} */
    long getHandlerErrors();

    /** {@return nodes that left or died while this one polled} */
    long getNodesGone();

    /** {@return refused bytes, of all reasons} */
    long getRejected();

    /** {@return every counter that is not zero, by its label; as {@link Grim#counters()} has them} */
    Map<String, Long> getCounters();
}
