// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import org.grim.TransportContractTest;

/** The contract suite over UDP on loopback. */
abstract class AeronContract extends TransportContractTest
{
    /** A little less than the large messages of the suite have. */
    private static final int PAYLOAD_LENGTH = 7_000;

    @Override
    protected int smallCapacity()
    {
        return AeronSettings.capacity(AeronSettings.SMALL_FRAME_LENGTH);
    }

    @Override
    protected int largeCapacity()
    {
        return AeronSettings.capacity(PAYLOAD_LENGTH);
    }

    @Override
    protected boolean hasRoomOfItsOwnForSmall()
    {
        return false;
    }

    @Override
    protected boolean isDeliveredWithoutTheReceiver()
    {
        return false;
    }

    @Override
    protected long quietNs()
    {
        return AeronSettings.QUIET_NS;
    }

    @Override
    protected Object[] settingsForAnOrderlyLeave()
    {
        return new Object[]{"grim.liveness.interval", "1ms", "grim.aeron.linger", "30s"};
    }

    @Override
    protected Object[] settingsForTheLargestMessage()
    {
        return new Object[]{"grim.aeron.term-length", "1MiB"};
    }

}
