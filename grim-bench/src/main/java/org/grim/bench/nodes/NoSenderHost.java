// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.nodes;

import org.grim.queue.SenderHost;

/** Nobody sleeps, and the inbox outlives its senders. */
public final class NoSenderHost implements SenderHost
{
    @Override
    public void ring(final int bell)
    {
        throw new IllegalStateException("nobody sleeps on doorbell=" + bell);
    }

    @Override
    public void closed()
    {
        // The benchmark owns the inbox.
    }
}
