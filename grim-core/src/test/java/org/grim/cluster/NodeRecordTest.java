// SPDX-License-Identifier: Apache-2.0
package org.grim.cluster;

import java.util.List;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.NodeInfo;
import org.grim.buffer.Buffers;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

final class NodeRecordTest
{
    @Test
    void shouldPinTheNodeRecord()
    {
        final AtomicBuffer buffer = Buffers.allocate(768);
        final NodeRecord nodeRecord = new NodeRecord(buffer, 256);
        nodeRecord.describe(new NodeDescription("local", "metz", 7, List.of("null", "shmem"),
            List.of(NodeInfo.Device.HOST_CPU, NodeInfo.Device.FPGA)),
            new ProcessIdentity(1234, 77_777, 4_026_531_836L), 99);
        nodeRecord.up(5);
        nodeRecord.area(3).putLong(24, 77);
        nodeRecord.joined(5);

        assertEquals(512, NodeRecord.LENGTH);
        assertEquals((5 << 4) | 2, buffer.getInt(256));
        assertEquals(7, buffer.getInt(260));
        assertEquals(1234, buffer.getLong(264));
        assertEquals(1, buffer.getByte(272));
        assertEquals(4, buffer.getByte(273));
        assertEquals(5, buffer.getInt(288));
        assertEquals(77, buffer.getLong(256 + 504));
        assertEquals(99, buffer.getLong(256 + 64));
        assertEquals(5, buffer.getInt(256 + 72));
        assertEquals(77_777, buffer.getLong(256 + 80));
        assertEquals(4_026_531_836L, buffer.getLong(256 + 88));
        assertEquals(10, buffer.getInt(256 + 128));
        assertEquals(4, buffer.getInt(256 + 192));
        assertEquals('m', buffer.getByte(256 + 196));
        assertEquals(5, buffer.getInt(256 + 256));
        assertEquals('l', buffer.getByte(256 + 260));
        nodeRecord.addresses("aeron=[::1]:9");
        assertEquals(13, buffer.getInt(256 + 320));
        assertEquals('a', buffer.getByte(256 + 324));
        assertEquals(0, buffer.getInt(256 + 76));
        nodeRecord.describe(nodeRecord.report(3));
        assertEquals(0, buffer.getLong(256 + 504));
        assertEquals(1, buffer.getInt(256 + 76));
        assertEquals("aeron=[::1]:9", nodeRecord.addresses());
        buffer.putInt(256 + 192, Integer.MAX_VALUE);
        assertEquals("metz" + "\\u0000".repeat(56), nodeRecord.name());
        buffer.putInt(256 + 192, -1);
        assertEquals("", nodeRecord.name());
    }
}
