// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.explorer;

import java.util.List;

/**
 * A rule that a model broke, and the shortest path to it.
 *
 * @param kind  of the rule.
 * @param rule  that was broken, in words.
 * @param steps from the beginning, one action and the state after it in each.
 */
public record Violation(Kind kind, String rule, List<String> steps)
{
    /** Description of the fault. */
    public enum Kind
    {
        /** Something happened that never may. */
        SAFETY,
        /** From some state the fair schedule does not come to the end in time. */
        SCHEDULE
    }

    /** {@return the violation as text: a line for the rule and one for each step} */
    public String describe()
    {
        final StringBuilder text = new StringBuilder(128);
        text.append(kind).append(": ").append(rule);
        for (int i = 0; i < steps.size(); i++)
        {
            text.append("\n  ").append(i + 1).append(". ").append(steps.get(i));
        }
        return text.toString();
    }
}
