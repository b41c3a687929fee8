// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import org.grim.NodeInfo;

/** Says who of a cluster is there and who is missing. Any thread; no state. */
final class AwaitedNodes
{
    private static final int SHOWN_MAX = 20;
    private static final Pattern NUMBERED = Pattern.compile("(.*-)([0-9]{1,4})");

    private AwaitedNodes()
    {
    }

    /**
     * For the text of an error.
     *
     * @param self   number of this node.
     * @param size   that the cluster is to have; 0 if that is not known.
     * @param joined nodes that have joined.
     * @param live   nodes that are up.
     */
    static String text(final int self, final int size, final List<NodeInfo> joined, final List<NodeInfo> live)
    {
        final List<String> names = names(joined);
        final List<String> waiting = names(live);
        waiting.removeAll(names);
        final StringBuilder text = new StringBuilder("nodes that started=").append(shortened(names));
        if (!waiting.isEmpty())
        {
            text.append(", up without start()=").append(shortened(waiting));
        }
        final String own =
            live.stream().filter(node -> node.number() == self).map(NodeInfo::name).findFirst().orElse("");
        final Matcher numbered = NUMBERED.matcher(own);
        if (size > 0 && numbered.matches() && Integer.parseInt(numbered.group(2)) < size)
        {
            final List<String> missing = new ArrayList<>(
                IntStream.range(0, size).mapToObj(i -> numbered.group(1) + i).toList());
            missing.removeAll(names(live));
            text.append(", missing=").append(shortened(missing));
        }
        return text.toString();
    }

    private static List<String> names(final List<NodeInfo> nodes)
    {
        return new ArrayList<>(nodes.stream().map(NodeInfo::name).toList());
    }

    private static String shortened(final List<String> names)
    {
        return names.size() <= SHOWN_MAX ? names.toString() :
            names.subList(0, SHOWN_MAX) + " and " + (names.size() - SHOWN_MAX) + " more";
    }
}
