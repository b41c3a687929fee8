// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.lab.campaign;

import org.grim.ni.simulation.scenario.Setting;
import org.grim.ni.simulation.scenario.SimulationParameters;

/** The command that repeats a run. */
final class Replay
{
    private Replay()
    {
    }

    static String command(final SimulationParameters parameters)
    {
        final StringBuilder command = new StringBuilder("./grim simulate --seed ").append(parameters.seed());
        final SimulationParameters drawn = SimulationParameters.draw(parameters.seed());
        for (final Setting setting : Setting.values())
        {
            if (parameters.get(setting) != drawn.get(setting))
            {
                command.append(" --set ").append(setting.key()).append('=').append(parameters.get(setting));
            }
        }
        return command.append(" --trace").toString();
    }
}
