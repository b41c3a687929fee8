// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.lab.campaign;

import org.grim.ni.guard.Guards;
import org.grim.ni.simulation.SimulationResult;
import org.grim.ni.simulation.scenario.SimulationParameters;

/** Makes one run. A seam: tests of a campaign put in runs that fail as they please. */
@FunctionalInterface
interface Simulator
{
    SimulationResult run(SimulationParameters parameters, Guards guards);
}
