// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.aeron.observe.Party;
import org.grim.buffer.Buffers;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class ReportDescriptorTest
{
    private static final Party SOURCE = new Party(3, 7);
    private static final Party DESTINATION = new Party(5, 9);

    private final AtomicBuffer buffer = Buffers.allocate(ReportDescriptor.LENGTH);

    @Test
    void shouldLieWhereTheLayoutSays()
    {
        assertEquals(0, ReportDescriptor.MAGIC_OFFSET);
        assertEquals(4, ReportDescriptor.NUMBER_OFFSET);
        assertEquals(8, ReportDescriptor.SOURCE_NODE_OFFSET);
        assertEquals(12, ReportDescriptor.SOURCE_INCARNATION_OFFSET);
        assertEquals(16, ReportDescriptor.NODE_OFFSET);
        assertEquals(20, ReportDescriptor.INCARNATION_OFFSET);
        assertEquals(24, ReportDescriptor.CONSUMED_OFFSET);
        assertEquals(32, ReportDescriptor.LENGTH);
    }

    @Test
    void shouldSayWhetherItIsTheLast()
    {
        ReportDescriptor.write(buffer, 4, SOURCE, DESTINATION, 0);
        assertFalse(ReportDescriptor.isLast(buffer, 0));

        ReportDescriptor.write(buffer, 4, SOURCE, DESTINATION, ReportDescriptor.last(0));
        assertTrue(ReportDescriptor.isLast(buffer, 0));
        assertEquals(0, ReportDescriptor.consumedCount(buffer, 0));

        ReportDescriptor.write(buffer, 4, SOURCE, DESTINATION, ReportDescriptor.last(1L << 40));
        assertEquals(1L << 40, ReportDescriptor.consumedCount(buffer, 0));
    }

    @Test
    void shouldSayWhatWasWrittenToItsSourceAlone()
    {
        ReportDescriptor.write(buffer, 4, SOURCE, DESTINATION, 1L << 40);

        assertTrue(ReportDescriptor.isValid(buffer, 0, ReportDescriptor.LENGTH, SOURCE));
        assertEquals(4, ReportDescriptor.number(buffer, 0));
        assertEquals(DESTINATION.node(), ReportDescriptor.node(buffer, 0));
        assertEquals(DESTINATION.incarnation(), ReportDescriptor.incarnation(buffer, 0));
        assertEquals(1L << 40, ReportDescriptor.consumedCount(buffer, 0));
        assertFalse(ReportDescriptor.isValid(buffer, 0, ReportDescriptor.LENGTH, new Party(3, 8)));
        assertFalse(ReportDescriptor.isValid(buffer, 0, ReportDescriptor.LENGTH, new Party(4, 7)));
        assertFalse(ReportDescriptor.isValid(buffer, 0, ReportDescriptor.LENGTH - 1, SOURCE));
        buffer.putByte(ReportDescriptor.MAGIC_OFFSET, (byte)0);
        assertFalse(ReportDescriptor.isValid(buffer, 0, ReportDescriptor.LENGTH, SOURCE));
    }
}
