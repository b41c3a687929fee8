// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import org.jgroups.Address;
import org.jgroups.Event;
import org.jgroups.PhysicalAddress;
import org.jgroups.protocols.TP;
import org.jgroups.stack.IpAddress;
import org.jgroups.util.DefaultThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transport of a group of agents: JGroups' messages over {@link AgentConnections}, which seal them, and let nothing
 * of strangers through. A member whose connection is closed is suspected at once. A sender does not wait for
 * connections: messages do; if there is none they are dropped, and sent again by who needs them to arrive.
 * <p>Thread: any.
 */
final class AgentTcp extends TP implements AgentConnections.Listener
{
    private static final Logger LOGGER = LoggerFactory.getLogger(AgentTcp.class);
    private static final int CONNECT_MS = 500;
    /** Members say something five times in a silence time-out; a connection that is closed too soon is made again. */
    private static final int SILENCE_FACTOR = 2;
    private static final long SILENCE_NS_MIN = TimeUnit.SECONDS.toNanos(10);

    private final NetworkSettings settings;
    private final String label;
    private volatile AgentConnections connections;
    private volatile String refusal = "";

    /**
     * Makes the transport.
     *
     * @param label of this host, for those who are refused.
     */
    AgentTcp(final NetworkSettings settings, final String label)
    {
        this.settings = settings;
        this.label = label;
        setBindAddr(settings.bind().getAddress());
        setBindPort(settings.bind().getPort());
        setPortRange(0);
        setThreadFactory(new DefaultThreadFactory("grim-agent", true, true));   // A program ends with its own threads.
    }

    @Override
    public boolean supportsMulticasting()
    {
        return false;
    }

    @Override
    public void start() throws Exception
    {
        connections = new AgentConnections(new InetSocketAddress(bind_addr, bind_port), settings.key(), label,
            Math.max(SILENCE_NS_MIN, SILENCE_FACTOR * settings.silenceNs()), CONNECT_MS, this);
        super.start();
    }

    @Override
    protected void handleConnect()
    {
        connections.start();
    }

    @Override
    protected void handleDisconnect()
    {
        closeConnections();
    }

    @Override
    public void stop()
    {
        super.stop();
        closeConnections();
    }

    private void closeConnections()
    {
        final AgentConnections open = connections;
        if (open != null)
        {
            open.close();
        }
    }

    @Override
    public void sendUnicast(final PhysicalAddress target, final byte[] data, final int offset, final int length)
    {
        if (!Objects.equals(target, local_physical_addr))
        {
            connections.send((IpAddress)target, Arrays.copyOfRange(data, offset, offset + length));
        }
    }

    @Override
    public Object down(final Event event)
    {
        final Object result = super.down(event);
        if (event.getType() == Event.VIEW_CHANGE)
        {
            connections.retain(memberAddresses());
        }
        return result;
    }

    private Collection<IpAddress> memberAddresses()
    {
        return members.stream().map(this::getPhysicalAddressFromCache).filter(Objects::nonNull)
            .map(IpAddress.class::cast).collect(Collectors.toSet());
    }

    /** Whether an agent's port accepts a connection, which stays open and is used for messages. */
    boolean canReach(final PhysicalAddress address)
    {
        return connections.reach((IpAddress)address).join();
    }

    /**
     * Waits, for a while, until those whom this agent has tried to reach have answered.
     *
     * @return why one of them refused it; empty if none did.
     */
    String awaitRefusal()
    {
        connections.awaitAnswers(CONNECT_MS + AgentConnections.PROOF_MS);
        return refusal;
    }

    /** {@return how many connections were refused for a reason} */
    long refusedCount(final Refusal reason)
    {
        return connections.refusedCount(reason);
    }

    @Override
    public boolean onFrame(final Inbound from, final byte[] frame)
    {
        try
        {
            final Address sender = MessageGuard.sender(frame);
            from.isMember |= sender != null && members.contains(sender);
        }
        catch (final IOException ex)
        {
            LOGGER.debug("{} sent no message of an agent", from.address, ex);
            return false;
        }
        receive(new IpAddress(from.address, 0), frame, 0, frame.length);
        return true;
    }

    @Override
    public void onClosed(final IpAddress address)
    {
        final List<Address> suspects = members.stream()
            .filter(member -> address.equals(getPhysicalAddressFromCache(member))).toList();
        if (!suspects.isEmpty())
        {
            thread_pool.execute(() -> up_prot.up(new Event(Event.SUSPECT, suspects)));
        }
    }

    @Override
    public void onRefused(final IpAddress address, final String text)
    {
        refusal = text;
        LOGGER.debug("{} at {}", text, address);
    }

    @Override
    public String getInfo()
    {
        return "connections at port " + connections.port();
    }

    @Override
    protected PhysicalAddress getPhysicalAddress()
    {
        return new IpAddress(external_addr == null ? bind_addr : external_addr,
            external_port > 0 ? external_port : bind_port);
    }
}
