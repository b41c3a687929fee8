// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Set;
import javax.management.JMException;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;

import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.NodeMXBean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class NodeBeanTest
{
    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

    @TempDir
    private Path directory;

    @Test
    void shouldShowNodesUntilTheyLeave() throws JMException
    {
        try (Grim metz = join("metz", true); Grim odd = join("a, \"b\"", true); Grim none = join("nancy", false))
        {
            final HandlerId handler = metz.handlers().register("count", message ->
            {
                // Counted by the node.
            });
            metz.start();
            metz.endpoint().link(metz.node().endpoint()).send(handler, "hello");
            metz.endpoint().poll();
            metz.counters();

            final NodeMXBean bean = JMX.newMXBeanProxy(server, name("metz"), NodeMXBean.class);
            assertEquals(1, bean.getMessagesSent());
            assertEquals("hello".length(), bean.getBytesReceived());
            assertEquals(1, bean.getNodeCount());
            assertEquals(metz.node().incarnation(), bean.getIncarnation());
            assertEquals(1L, bean.getCounters().get("messages-sent channel=0"));
            assertTrue(bean.getBacklogLengthMax() > 0 && bean.getBacklogLength() == 0 && bean.getNodesGone() == 0);
            assertEquals(Set.of(name("metz"), name(ObjectName.quote("a, \"b\""))), names());
            assertEquals("nancy", none.node().name());
            assertEquals("a, \"b\"", odd.node().name());
        }
        assertEquals(Set.of(), names());
    }

    @Test
    void shouldRefuseASecondBeanOfOneNameAndLeaveNothing() throws JMException
    {
        try (Grim metz = join("metz", true))
        {
            final String text = assertThrows(GrimException.class, () -> join("metz", true)).getMessage();

            assertTrue(text.contains("an MXBean is registered for cluster=default node=metz"), text);
            assertEquals(Set.of(name("metz")), names(), metz.node().name());
        }
        assertEquals(Set.of(), names());
    }

    @Test
    void shouldLeaveIfTheApplicationHasTakenTheBeanAway() throws JMException
    {
        try (Grim metz = join("metz", true))
        {
            server.unregisterMBean(name(metz.node().name()));
        }
        assertEquals(Set.of(), names());
    }

    /** Without shared memory each is alone in its cluster. */
    private Grim join(final String node, final boolean hasBean)
    {
        return Grim.enable(GrimConfig.builder().transports("null").directory(directory).nodeName(node)
            .set("grim.node.mxbean", hasBean).set("grim.handlers.resolve-timeout", "60s").build());
    }

    private Set<ObjectName> names() throws JMException
    {
        return server.queryNames(new ObjectName("org.grim:*"), null);
    }

    private static ObjectName name(final String node) throws JMException
    {
        return new ObjectName("org.grim:type=Node,cluster=default,node=" + node);
    }
}
