// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Settings that must be equal at all members of a group, as lines of {@code key=value}: a node whose values are
 * different is not let in.
 * <p>Thread: any; immutable.
 */
final class Agreement
{
    private final Map<String, String> values;
    private final String text;

    Agreement(final Map<String, ?> values)
    {
        this.values = new LinkedHashMap<>();
        final StringBuilder lines = new StringBuilder();
        values.forEach((key, value) ->
        {
            this.values.put(key, value.toString());
            lines.append(key).append('=').append(value).append('\n');
        });
        text = lines.toString();
    }

    /** For a message. */
    String text()
    {
        return text;
    }

    /**
     * Compares the values of a node that wants to join with those of this node.
     *
     * @param node   that wants to join.
     * @param theirs {@link #text()} of it.
     * @param self   this node.
     * @return the reason why it cannot; null if all are equal.
     */
    String refusal(final int node, final String theirs, final int self)
    {
        if (text.equals(theirs))
        {
            return null;
        }
        final Map<String, String> others = new LinkedHashMap<>();
        theirs.lines().forEach(line ->
        {
            final int end = line.indexOf('=');
            if (end > 0)
            {
                others.put(line.substring(0, end), line.substring(end + 1));
            }
        });
        final StringBuilder reason = new StringBuilder();
        values.forEach((key, value) ->
        {
            final String other = others.remove(key);
            if (!value.equals(other))
            {
                append(reason, key, node, other, self, value);
            }
        });
        others.forEach((key, other) -> append(reason, key, node, other, self, null));
        return reason.toString();
    }

    private static void append(
        final StringBuilder reason, final String key, final int node, final String theirs, final int self,
        final String ours)
    {
        reason.append(reason.isEmpty() ? "" : "; ").append(key).append('=').append(theirs).append(" at node=")
            .append(node).append(", but ").append(key).append('=').append(ours).append(" at node=").append(self)
            .append(", which owns the group");
    }
}
