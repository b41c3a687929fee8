// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation.check;

/** Kind of message of a simulated host, with its outcome if nothing is disturbed. */
public enum MessageKind
{
    /** Active message that must arrive. */
    ACTIVE,
    /** Remote write that must be executed. */
    WRITE,
    /** Remote read that must be executed. */
    READ,
    /** Remote write or read of a wrong address: must be refused. */
    MISGUIDED,
    /** Active message to a node that does not exist: must be undelivered. */
    LOST,
    /** Remote write to memory that may have been freed, or not grant it: may be executed or refused. */
    CHURN,
    /** Multicast or tree update: must get a ticket, or be refused because the tree has changed. */
    MULTICAST;

    /** Whether a receiver reads it from its arrival queue. */
    boolean isArriving()
    {
        return this == ACTIVE;
    }
}
