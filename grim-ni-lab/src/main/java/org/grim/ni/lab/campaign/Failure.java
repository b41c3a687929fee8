// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.lab.campaign;

import org.grim.ni.simulation.SimulationResult;

/**
 * A run that did not go as it must.
 *
 * @param text   what is wrong with it.
 * @param result of the run.
 */
record Failure(String text, SimulationResult result)
{
    long seed()
    {
        return result.parameters().seed();
    }
}
