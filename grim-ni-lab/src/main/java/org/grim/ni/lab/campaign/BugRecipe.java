// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.lab.campaign;

import org.grim.ni.guard.Guard;
import org.grim.ni.simulation.scenario.SimulationParameters;

/** Parameters under which a missing guard shows soon. */
@FunctionalInterface
interface BugRecipe
{
    SimulationParameters parameters(Guard guard, long seed);
}
