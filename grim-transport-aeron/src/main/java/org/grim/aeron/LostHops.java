// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.util.Arrays;

import org.agrona.collections.Long2ObjectHashMap;

/**
 * Numbers of hops that were lost, by source channel and destination: the next hop between the same two names them, so
 * that the receiver delivers nothing of them after it.
 * <p>Thread: any.
 */
final class LostHops
{
    static final int[] NONE = {};

    private final Long2ObjectHashMap<Flow> flows = new Long2ObjectHashMap<>();

    /** Notes a hop, and the one before, of which something may still be there. */
    synchronized void add(final AeronHop hop)
    {
        if (hop.precedingNumber() != 0)
        {
            add(hop, hop.precedingNumber());
        }
        add(hop, hop.number());
    }

    /** The oldest is forgotten where there are more than a hello can name. */
    private void add(final AeronHop hop, final int number)
    {
        final int[] before = of(hop.flowKey(), hop.destination().incarnation());
        final int first = Math.max(0, before.length + 1 - HelloDescriptor.LOST_COUNT_MAX);
        final int[] numbers = Arrays.copyOfRange(before, first, before.length + 1);
        numbers[numbers.length - 1] = number;
        flows.put(hop.flowKey(), new Flow(hop.destination().incarnation(), numbers));
    }

    /** {@return the lost hops of a flow, the oldest first} */
    synchronized int[] of(final long flowKey, final int incarnation)
    {
        final Flow flow = flows.get(flowKey);
        return flow == null || flow.incarnation != incarnation ? NONE : flow.numbers;
    }

    /** The lost hops to one incarnation of a destination. */
    private static final class Flow
    {
        private final int incarnation;
        private final int[] numbers;

        Flow(final int incarnation, final int[] numbers)
        {
            this.incarnation = incarnation;
            this.numbers = numbers;
        }
    }
}
