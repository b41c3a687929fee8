// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

/** The host of senders whose receiver never sleeps, over an inbox that the test keeps. */
final class SilentHost implements SenderHost
{
    @Override
    public void ring(final int bell)
    {
        throw new AssertionError("nobody sleeps on doorbell=" + bell);
    }

    @Override
    public void closed()
    {
        // The inbox belongs to the test.
    }
}
