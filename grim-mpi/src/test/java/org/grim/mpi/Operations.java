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

    /** Ends an operation as the death of its peer does. */
    public static void fail(final Operation operation)
    {
        operation.end(Operation.Outcome.PEER_FAILED);
    }
}
