// SPDX-License-Identifier: Apache-2.0
package org.grim;

import org.agrona.concurrent.Agent;

/**
 * The loop of an endpoint as an agent: checks ownership, as every other way of polling does.
 *
 * @param endpoint that is polled.
 * @param name     of the loop.
 */
record PollingAgent(Endpoint endpoint, String name) implements Agent
{
    @Override
    public int doWork()
    {
        return endpoint.poll();
    }

    @Override
    public String roleName()
    {
        return name;
    }
}
