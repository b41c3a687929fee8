// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import org.grim.RemoteMemoryContract;

/** The contract of remote memory between nodes of different hosts: operations are messages. */
abstract class AeronMemoryContract extends RemoteMemoryContract
{
    @Override
    protected int smallCapacity()
    {
        return AeronSettings.capacity(AeronSettings.SMALL_FRAME_LENGTH);
    }

    @Override
    protected boolean isDeliveredWithoutTheReceiver()
    {
        return false;
    }

    @Override
    protected int pieceLengthMax()
    {
        return 1_336;                   // A frame of the default MTU without headers.
    }

    @Override
    protected long quietNs()
    {
        return AeronSettings.QUIET_NS;
    }
}
