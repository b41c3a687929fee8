// SPDX-License-Identifier: Apache-2.0
package org.grim.network.launcher;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lists of hosts as Slurm writes them: {@code login,n[01-03,7]-ib}. Any thread; no state. */
final class HostList
{
    static final int HOST_COUNT_MAX = 1000;

    /** A host, or several: text, then ranges in brackets, then a rest that may have further brackets. */
    private static final Pattern ENTRY = Pattern.compile("(([^\\[\\],]|\\[[^\\[\\]]*])+)(,|$)");
    private static final Pattern BRACKETS = Pattern.compile("([^\\[\\]]*)\\[([^\\[\\]]+)](.*)");
    private static final Pattern RANGE = Pattern.compile("([0-9]{1,9})(-([0-9]{1,9}))?");

    private HostList()
    {
    }

    /**
     * Expands a list.
     *
     * @return the hosts in their order.
     * @throws IllegalArgumentException if it is not such a list, or has more than {@link #HOST_COUNT_MAX} hosts.
     */
    static List<String> expand(final String list)
    {
        final List<String> hosts = new ArrayList<>();
        final Matcher entries = ENTRY.matcher(list);
        int end = 0;
        while (end < list.length())
        {
            require(entries.find() && entries.start() == end, "does not go on at character=" + end);
            end = entries.end();
            expand("", entries.group(1), hosts);
        }
        require(!hosts.isEmpty() && !list.endsWith(","), "has an empty entry");
        return hosts;
    }

    private static void expand(final String prefix, final String rest, final List<String> hosts)
    {
        final Matcher matcher = BRACKETS.matcher(rest);
        if (!matcher.matches())
        {
            require(rest.indexOf('[') < 0 && rest.indexOf(']') < 0, "has empty brackets");
            require(hosts.size() < HOST_COUNT_MAX, "has more hosts than max=" + HOST_COUNT_MAX);
            hosts.add(prefix + rest);
            return;
        }
        for (final String part : matcher.group(2).split(",", -1))
        {
            final Matcher range = RANGE.matcher(part);
            require(range.matches(), "has a range=" + part);
            final String first = range.group(1);
            final int from = Integer.parseInt(first);
            final int to = range.group(3) == null ? from : Integer.parseInt(range.group(3));
            require(from <= to, "has a range=" + part);
            for (int i = from; i <= to; i++)
            {
                final String digits = String.valueOf(i);
                final String zeros = "0".repeat(Math.max(0, first.length() - digits.length()));
                expand(prefix + matcher.group(1) + zeros + digits, matcher.group(3), hosts);
            }
        }
    }

    private static void require(final boolean isSo, final String otherwise)
    {
        if (!isSo)
        {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
