// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import org.grim.sockets.node.Awaited;
import org.grim.sockets.node.Sleeper;
import org.grim.sockets.node.SpinTime;

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
    default void waiting(final boolean isWriter, final Sleeper sleeper)
    {
        keys().waiting(isWriter, sleeper);
    }
}
