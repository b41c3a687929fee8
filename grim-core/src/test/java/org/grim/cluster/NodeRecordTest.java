// SPDX-License-Identifier: Apache-2.0
package org.grim.cluster;

import java.util.List;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.DeviceInfo;
import org.grim.EndpointId;
import org.grim.NodeInfo;
import org.grim.buffer.Buffers;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class NodeRecordTest
{
    @Test
    void shouldKeepWhyTheLastIncarnationsEnded()
    {
        final AtomicBuffer buffer = Buffers.allocate(512);
        final NodeRecord nodeRecord = new NodeRecord(buffer, 0);
        final NodeDescription description = new NodeDescription("local", "metz", 1, List.of());
        final List<NodeInfo.GoneReason> reasons = List.of(NodeInfo.GoneReason.LEFT, NodeInfo.GoneReason.DIED,
            NodeInfo.GoneReason.UNREACHABLE, NodeInfo.GoneReason.FENCED, NodeInfo.GoneReason.LEFT);

        for (int incarnation = 1; incarnation <= reasons.size(); incarnation++)
        {
            nodeRecord.describe(description, ProcessIdentity.own(), 0);
            nodeRecord.up(incarnation);
            assertEquals(NodeInfo.GoneReason.NONE, nodeRecord.info(0).goneReason());
            assertTrue(nodeRecord.tryConvict(nodeRecord.status(), reasons.get(incarnation - 1)));
            nodeRecord.leave(incarnation);              // Too late: it was convicted.
            assertEquals(reasons.get(incarnation - 1), nodeRecord.info(0).goneReason());
        }
        nodeRecord.describe(description, ProcessIdentity.own(), 0);
        nodeRecord.up(6);
        nodeRecord.leave(5);

        assertEquals(NodeInfo.GoneReason.NONE, nodeRecord.goneReason(6));
        assertEquals(NodeInfo.GoneReason.UNKNOWN, nodeRecord.goneReason(1));
        for (int incarnation = 2; incarnation <= reasons.size(); incarnation++)
        {
            assertEquals(reasons.get(incarnation - 1), nodeRecord.goneReason(incarnation));
        }
        assertEquals(5 << 4 | 4, buffer.getInt(40 + (5 & 3) * 4));
        assertEquals(2 << 4 | 3, buffer.getInt(40 + (2 & 3) * 4));
        buffer.putInt(40 + (5 & 3) * 4, 5 << 4 | 15);    // A reason that means nothing.
        assertEquals(NodeInfo.GoneReason.UNKNOWN, nodeRecord.goneReason(5));
    }

    /** Another node reads the status first, and all else a moment later. */
    @Test
    void shouldNotTakeAnIncarnationThatComesForOneThatHasGone()
    {
        final NodeRecord nodeRecord = new NodeRecord(Buffers.allocate(512), 0);
        final int joining = NodeRecord.status(3, NodeInfo.State.JOINING);
        nodeRecord.statusRelease(joining);
        assertEquals(0, nodeRecord.latestUpBefore(joining));

        nodeRecord.up(3);

        assertEquals(0, nodeRecord.latestUpBefore(joining));
        assertEquals(0, nodeRecord.latestUpBefore(nodeRecord.status()));
        nodeRecord.leave(3);
        final int left = nodeRecord.status();
        assertEquals(3, nodeRecord.latestUpBefore(left));

        nodeRecord.statusRelease(NodeRecord.status(4, NodeInfo.State.JOINING));
        assertEquals(3, nodeRecord.latestUpBefore(nodeRecord.status()));
        nodeRecord.up(4);

        assertEquals(3, nodeRecord.latestUpBefore(left));
        assertEquals(3, nodeRecord.latestUpBefore(nodeRecord.status()));
        assertEquals(0, nodeRecord.latestUpBefore(joining));
        nodeRecord.leave(4);
        assertEquals(4, nodeRecord.latestUpBefore(nodeRecord.status()));
    }

    @Test
    void shouldPinTheNodeRecord()
    {
        final AtomicBuffer buffer = Buffers.allocate(768);
        final NodeRecord nodeRecord = new NodeRecord(buffer, 256);
        nodeRecord.describe(new NodeDescription("local", "metz", 7, List.of("null", "shmem")),
            new ProcessIdentity(1234, 77_777, 4_026_531_836L), 99);
        nodeRecord.up(5);
        nodeRecord.openDevice(1, NodeInfo.Device.FPGA, 200, 16, DeviceInfo.State.STARTING);
        nodeRecord.deviceState(1, DeviceInfo.State.FAILED);
        final long version = nodeRecord.devicesVersion();
        nodeRecord.area(3).putLong(24, 77);
        nodeRecord.joined(5);

        assertEquals(512, NodeRecord.LENGTH);
        assertEquals((5 << 4) | 2, buffer.getInt(256));
        assertEquals(7, buffer.getInt(260));
        assertEquals(1234, buffer.getLong(264));
        assertEquals(1, buffer.getByte(272));
        assertEquals(4, buffer.getByte(273));
        assertEquals(5, buffer.getInt(288));
        assertEquals((byte)200, buffer.getByte(256 + 97));
        assertEquals((byte)0x20, buffer.getByte(256 + 112));
        assertEquals((byte)0x3F, buffer.getByte(256 + 113));
        final DeviceInfo fpga = new DeviceInfo(
            EndpointId.of(3, 1, 200), NodeInfo.Device.FPGA, DeviceInfo.State.FAILED, 16);
        assertEquals(fpga, nodeRecord.device(3, 1));
        assertEquals(2, nodeRecord.info(3).devices().size());
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
        assertEquals(fpga, nodeRecord.device(3, 1));
        assertEquals(version, nodeRecord.devicesVersion());
        nodeRecord.deviceState(1, DeviceInfo.State.GONE);
        assertNull(nodeRecord.device(3, 1));
        assertNotEquals(version, nodeRecord.devicesVersion());
        buffer.putByte(256 + 114, (byte)0xF0);              // A state and a kind that mean nothing.
        assertNull(nodeRecord.device(3, 2));
        assertEquals("aeron=[::1]:9", nodeRecord.addresses());
        buffer.putInt(256 + 192, Integer.MAX_VALUE);
        assertEquals("metz" + "\\u0000".repeat(56), nodeRecord.name());
        buffer.putInt(256 + 192, -1);
        assertEquals("", nodeRecord.name());
    }
}
