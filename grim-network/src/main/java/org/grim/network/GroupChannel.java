// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.io.InputStream;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

import org.grim.GrimException;
import org.grim.text.SafeText;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.Receiver;
import org.jgroups.View;
import org.jgroups.protocols.Discovery;
import org.jgroups.protocols.MERGE3;
import org.jgroups.protocols.TP;
import org.jgroups.stack.Protocol;
import org.jgroups.stack.ProtocolStack;
import org.jgroups.util.Util;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.grim.GrimException.Reason.SYSTEM_REFUSED;
import static org.grim.GrimException.Reason.UNAVAILABLE;

/**
 * A group of agents over JGroups: TCP, found as the configuration says, watched by their connections and
 * {@code FD_ALL3}.
 * <p>Thread: the agent's; JGroups' threads only put events into a queue. Owns: the channel.
 */
final class GroupChannel implements Group, Receiver
{
    private static final Logger LOGGER = LoggerFactory.getLogger(GroupChannel.class);
    private static final int REFUSAL_LENGTH_MAX = 200;
    private static final Set<String> FORGETTING = Set.of("resetCacheAddresses", "resetCachedAddresses");

    private final Queue<Consumer<Listener>> events = new ConcurrentLinkedQueue<>();
    private final Runnable onEvent;
    private final JChannel channel;
    private final AgentMonitor monitor;
    private final MERGE3 merge;
    private final LastHeard heard;

    private GroupChannel(final NetworkSettings settings, final JChannel channel, final Runnable onEvent)
    {
        this.channel = channel;
        monitor = new AgentMonitor(settings, channel);
        merge = settings.xml().isEmpty() ? channel.getProtocolStack().findProtocol(MERGE3.class) : null;
        heard = channel.getProtocolStack().findProtocol(LastHeard.class);
        this.onEvent = onEvent;
    }

    /**
     * Joins the group, or begins it.
     *
     * @param onEvent runs, on a thread of JGroups, when there is something to poll.
     * @throws GrimException if it cannot be joined; nothing is left behind.
     */
    static GroupChannel connect(
        final NetworkSettings settings, final String cluster, final String label, final Runnable onEvent)
    {
        JChannel channel = null;
        boolean isKept = false;
        try
        {
            forgetAddresses();                          // One whose cable was out when it was first looked for.
            channel = channel(settings, label);
            final GroupChannel group = new GroupChannel(settings, channel, onEvent);
            channel.name(label);
            channel.setReceiver(group);
            channel.setDiscardOwnMessages(true);
            channel.connect("grim-" + cluster);
            requireNoRefusal(channel);
            isKept = true;
            final TP transport = channel.getProtocolStack().getTransport();
            final String exposure = exposure(transport.getBindAddress(), transport.getBindPort());
            if (settings.key() == null && exposure != null)
            {
                LOGGER.warn("agent of host={} {}", SafeText.shorten(label), exposure);
            }
            return group;
        }
        catch (final SecurityException ex)
        {
            throw new GrimException(UNAVAILABLE, "agent of host=" + SafeText.shorten(label) +
                " cannot join the group: " + SafeText.shorten(ex.getMessage(), REFUSAL_LENGTH_MAX), ex);
        }
        catch (final Exception ex)                      // JGroups declares no other.
        {
            throw new GrimException(SYSTEM_REFUSED, "agent of host=" + SafeText.shorten(label) +
                " cannot join a group at " + text(settings.bind()) + " (grim.network.bind): " + cause(ex), ex);
        }
        finally
        {
            if (!isKept && channel != null)
            {
                channel.close();
            }
        }
    }

    /** A host that sees nobody may have been refused by all. */
    private static void requireNoRefusal(final JChannel channel)
    {
        final boolean isAlone = channel.getView().size() == 1;
        if (isAlone && channel.getProtocolStack().getTransport() instanceof final AgentTcp tcp)
        {
            final String refusal = tcp.awaitRefusal();
            if (!refusal.isEmpty())
            {
                throw new SecurityException(refusal);
            }
        }
    }

    /** Describes the address for the host's operator; null if only this host can reach it. */
    static String exposure(final InetAddress address, final int port)
    {
        return address.isLoopbackAddress() ? null : "listens at " + address.getHostAddress() + " port=" + port +
            " for every host that can reach it, and without a key (grim.network.key-file) nothing that agents say is " +
            "sealed or signed: close this port to all but the cluster's hosts";
    }

    @Override
    public Address self()
    {
        return channel.getAddress();
    }

    @Override
    public boolean isAnybodyOutside()
    {
        return monitor.isAnybodyOutside(channel.getView().getMembers(), System.nanoTime());
    }

    @Override
    public long silentNs(final Address agent)
    {
        return heard.silentNs(agent);
    }

    @Override
    public void send(final Address to, final byte[] bytes)
    {
        try
        {
            channel.send(new BytesMessage(to, bytes));
        }
        catch (final Exception ex)                      // JGroups declares no other. All that matters is said again.
        {
            LOGGER.warn("message to {} was not sent: {}", to, cause(ex));
        }
    }

    @Override
    public int poll(final Listener listener)
    {
        int count = 0;
        for (Consumer<Listener> event = events.poll(); event != null; event = events.poll())
        {
            event.accept(listener);
            count++;
        }
        return count;
    }

    @Override
    public void close()
    {
        channel.close();
    }

    @Override
    public void viewAccepted(final View view)
    {
        final List<Address> members = List.copyOf(view.getMembers());
        heard.onView(view);
        if (merge != null)
        {
            GroupStack.adaptMerge(merge, members.size());
        }
        put(listener -> listener.onView(members));
    }

    @Override
    public void receive(final Message message)
    {
        final byte[] bytes = new byte[message.getLength()];
        if (bytes.length > 0)
        {
            System.arraycopy(message.getArray(), message.getOffset(), bytes, 0, bytes.length);
            final Address from = message.getSrc();
            put(listener -> listener.onMessage(from, bytes));
        }
    }

    private void put(final Consumer<Listener> event)
    {
        events.add(event);
        onEvent.run();
    }

    /** JGroups keeps this machine's addresses since 5.4, which has another name for this than 5.5. */
    private static void forgetAddresses() throws ReflectiveOperationException
    {
        for (final Method method : Util.class.getMethods())
        {
            if (FORGETTING.contains(method.getName()))
            {
                method.invoke(null, true, true);
            }
        }
    }

    private static JChannel channel(final NetworkSettings settings, final String label) throws Exception
    {
        if (settings.xml().isEmpty())
        {
            return new JChannel(GroupStack.of(settings, label));
        }
        final Seal seal = new Seal(settings.key(), label);
        try (InputStream stack = Files.newInputStream(Path.of(settings.xml())))
        {
            final JChannel channel = new JChannel(stack);
            final ProtocolStack protocols = channel.getProtocolStack();
            final Protocol discovery = protocols.findProtocol(Discovery.class);
            protocols.insertProtocolInStack(
                seal, discovery == null ? protocols.getTransport() : discovery, ProtocolStack.Position.ABOVE);
            protocols.insertProtocolInStack(new LastHeard(), seal, ProtocolStack.Position.ABOVE);
            return channel;
        }
    }

    private static String text(final InetSocketAddress address)
    {
        return address.getAddress().getHostAddress() + ":" + address.getPort();
    }

    /** The innermost cause says what the system said. */
    private static String cause(final Throwable thrown)
    {
        Throwable cause = thrown;
        while (cause.getCause() != null)
        {
            cause = cause.getCause();
        }
        return cause.getClass().getSimpleName() + ": " + SafeText.shorten(cause.getMessage());
    }
}
