// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.death;

/** Types of the records that a host's history consists of, besides {@link org.grim.death.History}'s own. */
final class HostRecord
{
    /** first: stream, second: sequence, third: bytes of payload. The send has returned. */
    static final int ACCEPTED = 20;
    /** first: key of the sender, second: stream, third: sequence. Its payload was as it should be. */
    static final int DELIVERED = 21;
    /** first: undelivered, second: unknown, third: number of the node that it was sent to. */
    static final int PATH_LOST = 22;
    /** As {@link #PATH_LOST}, of a node that is gone. */
    static final int NODE_GONE = 23;
    /** first and second: nanoseconds of the machine's clock when a send said PEER_GONE; third: number of the node. */
    static final int PEER_GONE = 24;
    /** Answer to a command. */
    static final int DONE = 25;
    /** first: key that a message was for, second: key of its sender. */
    static final int FAULT_CORRUPT = 26;
    /** It failed. */
    static final int FAULT_FAILED = 27;

    private HostRecord()
    {
    }
}
