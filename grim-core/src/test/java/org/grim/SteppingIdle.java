// SPDX-License-Identifier: Apache-2.0
package org.grim;

import org.agrona.concurrent.IdleStrategy;

/** Lets the far node advance while the near one waits. */
final class SteppingIdle implements IdleStrategy
{
    private final TransportCluster cluster;
    private int idleCount;

    SteppingIdle(final TransportCluster cluster)
    {
        this.cluster = cluster;
    }

    @Override
    public void idle(final int workCount)
    {
        idleCount = workCount > 0 ? 0 : idleCount + 1;
        idle();
    }

    @Override
    public void idle()
    {
        cluster.stepFar();
        ContractSupport.pause(idleCount);
    }

    @Override
    public void reset()
    {
        idleCount = 0;
    }
}
