// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.ObjectName;

import org.grim.GrimException;
import org.grim.NodeHealth;
import org.grim.NodeMXBean;
import org.grim.counters.CounterKind;
import org.grim.counters.NodeCounters;

import static org.grim.GrimException.Reason.NAME_TAKEN;
import static org.grim.GrimException.Reason.SYSTEM_REFUSED;

/**
 * This node in the JVM's MBean server.
 * <p>Thread: any. Owns: its name there, until {@link #close()}.
 */
final class NodeBean implements NodeMXBean, AutoCloseable
{
    private final int number;
    private final int incarnation;
    private final NodeCounters counters;
    private final Supplier<NodeHealth> health;
    private final ObjectName name;

    private NodeBean(
        final int number, final int incarnation, final NodeCounters counters, final Supplier<NodeHealth> health,
        final ObjectName name)
    {
        this.number = number;
        this.incarnation = incarnation;
        this.counters = counters;
        this.health = health;
        this.name = name;
    }

    /**
     * Registers a node.
     *
     * @throws GrimException if a node of this JVM has the same cluster and name, in another directory.
     */
    static NodeBean register(
        final NodeKeys keys, final String node, final int number, final int incarnation, final NodeCounters counters,
        final Supplier<NodeHealth> health)
    {
        try
        {
            final ObjectName name =
                new ObjectName("org.grim:type=Node,cluster=" + keys.cluster() + ",node=" + quoted(node));
            final NodeBean bean = new NodeBean(number, incarnation, counters, health, name);
            ManagementFactory.getPlatformMBeanServer().registerMBean(bean, name);
            return bean;
        }
        catch (final InstanceAlreadyExistsException ex)
        {
            throw new GrimException(NAME_TAKEN, "an MXBean is registered for cluster=" + keys.cluster() + " node=" +
                node + " in this JVM, by a node in another directory: choose other names, or set no grim.node.mxbean",
                ex);
        }
        catch (final JMException ex)
        {
            throw new GrimException(SYSTEM_REFUSED, "the MXBean of node=" + node + " cannot be registered: " + ex, ex);
        }
    }

    /** Names with letters of JMX's own syntax are quoted. */
    private static String quoted(final String node)
    {
        return node.matches("[^,=:\"*?\\\\\\s]+") ? node : ObjectName.quote(node);
    }

    @Override
    public void close() throws JMException
    {
        try
        {
            ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
        }
        catch (final InstanceNotFoundException ex)
        {
            return;                             // The application has done it.
        }
    }

    @Override
    public int getNumber()
    {
        return number;
    }

    @Override
    public int getIncarnation()
    {
        return incarnation;
    }

    @Override
    public String getStatus()
    {
        return health.get().status().name();
    }

    @Override
    public String getProblem()
    {
        return health.get().problem();
    }

    @Override
    public long getPollAgeMs()
    {
        return health.get().pollAgeMs();
    }

    @Override
    public int getNodeCount()
    {
        return health.get().nodeCount();
    }

    @Override
    public long getBacklogCount()
    {
        return counters.total(CounterKind.OVERFLOW_DEPTH);
    }

    @Override
    public long getBacklogLength()
    {
        return counters.total(CounterKind.OVERFLOW_LENGTH);
    }

    @Override
    public long getBacklogLengthMax()
    {
        return counters.total(CounterKind.OVERFLOW_CEILING);
    }

    @Override
    public long getMessagesSent()
    {
        return counters.total(CounterKind.MESSAGES_SENT);
    }

    @Override
    public long getBytesSent()
    {
        return counters.total(CounterKind.BYTES_SENT);
    }

    @Override
    public long getMessagesReceived()
    {
        return counters.total(CounterKind.MESSAGES_RECEIVED);
    }

    @Override
    public long getBytesReceived()
    {
        return counters.total(CounterKind.BYTES_RECEIVED);
    }

    @Override
    public long getBackPressured()
    {
        return counters.total(CounterKind.BACK_PRESSURED);
    }

    @Override
    public long getUndelivered()
    {
        return counters.total(CounterKind.UNDELIVERED);
    }

    @Override
    public long getHandlerErrors()
    {
        return counters.total(CounterKind.HANDLER_ERRORS);
    }

    @Override
    public long getNodesGone()
    {
        return counters.total(CounterKind.NODES_GONE);
    }

    @Override
    public long getRejected()
    {
        return counters.total(CounterKind.REJECTED);
    }

    @Override
    public Map<String, Long> getCounters()
    {
        final Map<String, Long> values = new TreeMap<>();
        counters.reader().forEach((value, counterId, label) ->
        {
            if (value != 0)
            {
                values.put(label, value);
            }
        });
        return values;
    }
}
