// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import org.grim.shared.Awaited;
import org.grim.shared.Sleeper;
import org.grim.shared.SpinTime;

/** A channel that a {@link GrimSelector} asks what it is ready for. */
interface KeyedChannel extends Awaited
{
    /** {@return who waits for it} */
    ChannelKeys keys();

    @Override
    default SpinTime spinTime()
    {
        return keys().spinTime();
    }

    @Override
    default void waiting(final int operations, final Sleeper sleeper)
    {
        keys().waiting(operations, sleeper);
    }
}
