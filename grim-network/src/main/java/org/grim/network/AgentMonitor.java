// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.jgroups.Address;
import org.jgroups.Event;
import org.jgroups.JChannel;
import org.jgroups.PhysicalAddress;
import org.jgroups.protocols.Discovery;
import org.jgroups.protocols.PingData;
import org.jgroups.protocols.TP;
import org.jgroups.stack.IpAddress;
import org.jgroups.util.Responses;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for agents that are up and not in the group. Each agent listens before it looks, and a connection is accepted
 * by the kernel however busy a process is: of two that start at a time, at least one sees the other.
 * <p>Thread: the agent's; looks run on threads of their own.
 */
final class AgentMonitor
{
    private static final Logger LOGGER = LoggerFactory.getLogger(AgentMonitor.class);
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final int THREAD_COUNT_MAX = 16;
    /** An agent that starts may also remove and rewrite files of others in a shared directory. */
    private static final int CLEAR_COUNT_OF_ENTRIES = 4;

    private final NetworkSettings settings;
    private final JChannel channel;
    private List<Address> view = List.of();
    private CompletableFuture<Boolean> look;
    private long lookDeadlineNs;
    private int clearCount;

    AgentMonitor(final NetworkSettings settings, final JChannel channel)
    {
        this.settings = settings;
        this.channel = channel;
    }

    /**
     * Looks, or goes on with it.
     *
     * @param members of the group.
     * @param nowNs   of a clock that never goes back.
     * @return false if nobody else was there at the latest look, which began after the group had these members.
     */
    boolean isAnybodyOutside(final List<Address> members, final long nowNs)
    {
        if (!members.equals(view))
        {
            view = members;
            look = null;                        // It ends by itself, and nobody asks what it saw.
            clearCount = 0;
            lookDeadlineNs = nowNs;
        }
        if (look != null && look.isDone())
        {
            clearCount = look.join() ? 0 : clearCount + 1;
            look = null;
        }
        if (look == null && lookDeadlineNs - nowNs <= 0)
        {
            lookDeadlineNs = nowNs + LOOK_NS;
            look = CompletableFuture.supplyAsync(() -> tryLook(members), task -> start(task, "grim-agent-look"));
        }
        return clearCount < (areAddressesConfigured() ? 1 : CLEAR_COUNT_OF_ENTRIES);
    }

    private boolean areAddressesConfigured()
    {
        return !settings.hosts().isEmpty() || !settings.dns().isEmpty();
    }

    private boolean tryLook(final List<Address> members)
    {
        try
        {
            return look(members);
        }
        catch (final RuntimeException | Error ex)       // Of JGroups, while the channel closes; or the heap is full.
        {
            LOGGER.warn("looking for other agents failed", ex);
            return true;
        }
    }

    private boolean look(final List<Address> members)
    {
        final Set<PhysicalAddress> others = new HashSet<>(areAddressesConfigured() ? configured() : found(members));
        members.stream().map(this::physicalAddress).forEach(others::remove);
        if (!(channel.getProtocolStack().getTransport() instanceof final AgentTcp tcp))
        {
            return !others.isEmpty();           // A stack of the user's own: who answered is there.
        }
        final ExecutorService dials = Executors.newFixedThreadPool(
            Math.max(1, Math.min(THREAD_COUNT_MAX, others.size())), task -> thread(task, "grim-agent-dial"));
        try
        {
            final List<CompletableFuture<Boolean>> answers = others.stream()
                .map(other -> CompletableFuture.supplyAsync(() -> tcp.canReach(other), dials)).toList();
            return answers.stream().map(CompletableFuture::join).reduce(false, Boolean::logicalOr);
        }
        finally
        {
            dials.shutdown();
        }
    }

    private Collection<PhysicalAddress> configured()
    {
        final ConfiguredHosts hosts = channel.getProtocolStack().findProtocol(ConfiguredHosts.class);
        return hosts != null ? hosts.addresses() : resolved(settings.dns()).<PhysicalAddress>map(address ->
            new IpAddress(address, settings.bind().getPort())).toList();
    }

    /** Resolves a name. One without addresses is no error: the service has no endpoint yet. DNS_PING logs it. */
    private static Stream<InetAddress> resolved(final String name)
    {
        try
        {
            return Stream.of(InetAddress.getAllByName(name));
        }
        catch (final UnknownHostException ex)
        {
            return Stream.empty();
        }
    }

    /** Returns the agents that published their addresses for discovery, without the members. */
    private Collection<PhysicalAddress> found(final List<Address> members)
    {
        final Discovery discovery = channel.getProtocolStack().findProtocol(Discovery.class);
        if (discovery == null)
        {
            return List.of();                   // A stack of the user's own, whose members need not be found.
        }
        final Responses responses = discovery.findMembers(null, false, false, 0);
        responses.waitFor(TimeUnit.NANOSECONDS.toMillis(LOOK_NS));
        final Set<PhysicalAddress> found = new HashSet<>();
        for (final PingData data : responses)
        {
            if (!members.contains(data.getAddress()) && data.getPhysicalAddr() != null)
            {
                found.add(data.getPhysicalAddr());
            }
        }
        responses.done();
        return found;
    }

    private PhysicalAddress physicalAddress(final Address member)
    {
        final TP transport = channel.getProtocolStack().getTransport();
        return Objects.equals(member, channel.getAddress()) ? transport.localPhysicalAddress() :
            (PhysicalAddress)channel.down(new Event(Event.GET_PHYSICAL_ADDRESS, member));
    }

    private static void start(final Runnable task, final String name)
    {
        thread(task, name).start();
    }

    private static Thread thread(final Runnable task, final String name)
    {
        final Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }
}
