// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.util.List;
import java.util.stream.IntStream;

import org.grim.NodeInfo;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Texts of a time-out about present and missing nodes. */
final class AwaitedNodesTest
{
    @Test
    void shouldNameWhoIsThereAndWhoIsMissing()
    {
        final List<NodeInfo> live = List.of(node(0, "node-1"), node(1, "node-0"));

        assertEquals("nodes that started=[node-1], up without start()=[node-0], missing=[node-2, node-3]",
            AwaitedNodes.text(0, 4, live.subList(0, 1), live));
    }

    @Test
    void shouldNotGuessNames()
    {
        final List<NodeInfo> live = List.of(node(0, "left"), node(1, "node-77"));

        assertEquals("nodes that started=[left, node-77]", AwaitedNodes.text(0, 4, live, live));
        assertEquals("nodes that started=[left, node-77]", AwaitedNodes.text(1, 4, live, live));
        assertEquals("nodes that started=[left, node-77]", AwaitedNodes.text(1, 0, live, live));
    }

    @Test
    void shouldShortenLongLists()
    {
        final List<NodeInfo> live = IntStream.range(0, 22).mapToObj(i -> node(i, "n-" + i)).toList();

        final String text = AwaitedNodes.text(0, 100, live, live);

        assertEquals("nodes that started=[n-0, n-1, n-2, n-3, n-4, n-5, n-6, n-7, n-8, n-9, n-10, n-11, n-12, n-13, " +
            "n-14, n-15, n-16, n-17, n-18, n-19] and 2 more, missing=[n-22, n-23, n-24, n-25, n-26, n-27, n-28, " +
            "n-29, n-30, n-31, n-32, n-33, n-34, n-35, n-36, n-37, n-38, n-39, n-40, n-41] and 58 more", text);
    }

    private static NodeInfo node(final int number, final String name)
    {
        return new NodeInfo(number, name, NodeInfo.State.UP, 1, 1, 1, List.of("null"),
            List.of(), 0, "local", NodeInfo.GoneReason.NONE);
    }
}
