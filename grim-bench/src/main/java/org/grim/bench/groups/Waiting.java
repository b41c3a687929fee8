// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.groups;

/** How a member waits for the end of an operation. */
public enum Waiting
{
    /** Polls over and over, as Open MPI's processes do on CPUs of their own. */
    POLL,
    /** Polls, and yields when nothing came, as Open MPI's processes do that share a CPU. */
    YIELD,
    /** In {@link org.grim.group.Group.Request#await()}, which polls, then yields, then sleeps. */
    AWAIT
}
