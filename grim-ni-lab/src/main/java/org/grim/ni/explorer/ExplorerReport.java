// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.explorer;

import java.util.List;

/**
 * Result of a search. Immutable.
 *
 * @param config          that was searched.
 * @param stateCount      states that were reached.
 * @param transitionCount steps between them.
 * @param depth           actions to the farthest state.
 * @param goalCount       states where everything is delivered or denied, and settled, and the wire is empty.
 * @param restStepCount   most actions that the fair schedule took to a goal, from any state; 0 if it was not run.
 * @param violations      that were found; a search ends with the first safety violation.
 */
public record ExplorerReport(
    ExplorerConfig config,
    int stateCount,
    long transitionCount,
    int depth,
    int goalCount,
    int restStepCount,
    List<Violation> violations)
{
    /** {@return the report as text: a line of numbers, and the violations} */
    public String describe()
    {
        final StringBuilder text = new StringBuilder(160);
        text.append("bits=").append(config.bits()).append(" window=").append(config.window());
        text.append(" messages=").append(config.messageCount());
        text.append(" wire=").append(config.forwardCapacity()).append('/').append(config.backwardCapacity());
        text.append(config.mayLose() ? " lossy" : "").append(config.mayDeny() ? " denials" : "");
        text.append(": states=").append(stateCount).append(" transitions=").append(transitionCount);
        text.append(" depth=").append(depth).append(" goals=").append(goalCount);
        text.append(" restSteps=").append(restStepCount).append(" of ").append(config.restStepCountMax());
        text.append(" violations=").append(violations.size());
        for (final Violation violation : violations)
        {
            text.append('\n').append(violation.describe());
        }
        return text.toString();
    }
}
