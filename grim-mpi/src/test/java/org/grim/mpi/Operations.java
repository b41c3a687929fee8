// SPDX-License-Identifier: Apache-2.0
package org.grim.mpi;

/** Begins and ends operations for tests that have no engine. */
public final class Operations
{
    private Operations()
    {
        // Static methods only.
    }

    /** {@return a receive in progress} */
    public static Operation pending()
    {
        final Receive receive = new Receive();
        receive.begin();
        return receive;
    }

    /** {@return a probe that has found a message of a length} */
    public static Operation found(final long length)
    {
        final Probe probe = new Probe();
        probe.result(0, 0, length);
        return probe;
    }

    /** Ends an operation as the death of its peer does. */
    public static void fail(final Operation operation)
    {
        operation.end(Operation.Outcome.PEER_FAILED);
    }
}
