// SPDX-License-Identifier: Apache-2.0
package org.grim.handlers;

import java.util.concurrent.TimeUnit;

import org.agrona.DirectBuffer;
import org.grim.ActiveMessage;
import org.grim.EndpointId;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.HandlerRegistry;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.cluster.ClusterDirectory;
import org.grim.cluster.HandlerDatabase;
import org.grim.endpoint.EndpointLink;
import org.grim.endpoint.EndpointState;
import org.grim.endpoint.HandlerTable;
import org.grim.endpoint.LinkTable;
import org.grim.endpoint.ReceivedMessage;
import org.grim.wire.MessageHeader;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The exchange with the node that keeps the cluster's handler database: four built-in handlers, whose requests are
 * repeated until they are answered, so that it does not matter when the keeper joins, or that it dies and another takes
 * over.
 * <p>Thread: the host endpoint's owner, but for {@link #hurry()}, {@link #unsettle()} and the queries.
 */
final class HandlerExchange
{
    private static final int REGISTER = 1;
    private static final int REGISTERED = 2;
    private static final int RESOLVE = 3;
    private static final int RESOLVED = 4;
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final NodeHandlers registry;
    private final ClusterDirectory directory;
    private EndpointState host;
    private LinkTable links;
    private HandlerDatabase database;
    private volatile int keeper = -1;
    private volatile boolean isHurried;
    private volatile boolean isSettled;
    private volatile String failure;
    private int keeperStatus;
    private long retryDeadlineNs = System.nanoTime();

    HandlerExchange(final NodeHandlers registry, final ClusterDirectory directory)
    {
        this.registry = registry;
        this.directory = directory;
    }

    /** Says which endpoint the requests leave from. */
    void host(final EndpointState newHost, final LinkTable newLinks)
    {
        host = newHost;
        links = newLinks;
    }

    /** Binds the built-in handlers. */
    void register(final HandlerTable table)
    {
        table.bind(0, REGISTER, this::onRegister);
        table.bind(0, REGISTERED, this::onRegistered);
        table.bind(0, RESOLVE, this::onResolve);
        table.bind(0, RESOLVED, this::onResolved);
    }

    /** Sends what is unanswered, if it is time. */
    int step(final long nowNs)
    {
        if (host.isClosed())
        {
            return 0;                   // A leaving keeper writes nothing more: the successor may be writing.
        }
        followKeeper();
        if (keeper < 0 || isSettled || host.isInHandler() || (!isHurried && retryDeadlineNs - nowNs > 0))
        {
            return 0;
        }
        isHurried = false;
        isSettled = true;               // Before the look: a thread that adds a name meanwhile clears it after that.
        retryDeadlineNs = nowNs + RETRY_NS;
        final HandlerDatabase known = database == null ? new HandlerDatabase(directory) : database;
        int count = 0;
        for (final String name : registry.namesWithoutId())
        {
            isSettled = false;
            count += tryLearn(known, name) || isRefused(known, name) ? 1 : announce(name);
        }
        for (final String name : registry.wantedNames())
        {
            isSettled = false;
            count += tryLearn(known, name) ? 1 : request(RESOLVE, name);
        }
        return count;
    }

    /** Names that any keeper has written need no keeper: it may be away, or not poll. Thread: any. */
    boolean tryLearn(final HandlerDatabase known, final String name)
    {
        final int id = known.find(name);
        if (id == 0)
        {
            return false;
        }
        learn(name, id);
        return true;
    }

    /** A name that has no room anywhere is refused at once: neither waiting nor another keeper makes room. */
    private boolean isRefused(final HandlerDatabase known, final String name)
    {
        try
        {
            known.requireRoom(name);
            return false;
        }
        catch (final GrimException ex)
        {
            registry.refuse(name, ex.getMessage());
            return true;
        }
    }

    /** Makes the next step send at once. */
    void hurry()
    {
        isHurried = true;
        isSettled = false;
    }

    /** Says that there is a name to announce or to ask for: until then a step costs nothing and allocates nothing. */
    void unsettle()
    {
        isSettled = false;
    }

    int keeper()
    {
        return keeper;
    }

    /** Why the keeper could not be asked, or had no id, last time, for an error's text; null if it could. */
    String failure()
    {
        return failure;
    }

    /** Follows the keeper, which keeps the database until it goes; then unanswered requests go to the successor. */
    private void followKeeper()
    {
        final int found = directory.keeper();
        final int status = found < 0 ? 0 : directory.status(found);
        if (found != keeper || status != keeperStatus)
        {
            keeper = found;
            keeperStatus = status;
            database = found == directory.self() ? new HandlerDatabase(directory) : null;
            hurry();
        }
    }

    private int announce(final String name)
    {
        if (database == null)
        {
            return request(REGISTER, name);
        }
        try
        {
            final int id = database.register(name);
            if (id != 0)
            {
                learn(name, id);
            }
            return id == 0 ? 0 : 1;
        }
        catch (final GrimException ex)
        {
            failure = ex.getMessage();  // Peers used the ids up, or their counter was scribbled over: the loop goes on.
            return 0;
        }
    }

    private int request(final int handler, final String name)
    {
        if (database != null)
        {
            return 0;               // This node is the keeper, and nobody has registered the name yet.
        }
        try
        {
            final EndpointId destination = EndpointId.of(keeper, 0, 0);
            final DirectBuffer text = Buffers.wrap(name.getBytes(UTF_8));
            failure = null;
            SendStatus status = linkTo(destination).sendBuiltIn(handler, 0, 0, text, 0, text.capacity(), true);
            if (status == SendStatus.PEER_GONE)         // So says a link to an incarnation before: then make a new one.
            {
                status = linkTo(destination).sendBuiltIn(handler, 0, 0, text, 0, text.capacity(), true);
            }
            return status.isAccepted() ? 1 : 0;
        }
        catch (final GrimException ex)
        {
            failure = ex.getMessage();  // It left, or takes back queues at this moment: the next step tries again.
            return 0;
        }
    }

    private EndpointLink linkTo(final EndpointId destination)
    {
        return links.get(links.sourceChannelTo(destination), destination.key());
    }

    private void onRegister(final ActiveMessage message)
    {
        final int id = database == null ? 0 : database.register(name(message));
        if (id != 0)                    // Else the sender will ask again, this node or another.
        {
            reply(message, REGISTERED, id);
        }
    }

    private void onRegistered(final ActiveMessage message)
    {
        if (message.source().node() == keeper)              // Nobody else's word counts.
        {
            learn(name(message), message.argument(0));
        }
    }

    private void onResolve(final ActiveMessage message)
    {
        final int id = database == null ? 0 : database.find(name(message));
        if (id != 0)
        {
            reply(message, RESOLVED, id);
        }
    }

    private void onResolved(final ActiveMessage message)
    {
        if (message.source().node() == keeper)
        {
            learn(name(message), message.argument(0));
        }
    }

    private void learn(final String name, final int id)
    {
        registry.learn(name, checkedId(id));
    }

    private static int checkedId(final int id)
    {
        if (id < HandlerId.NUMBER_MIN || id > HandlerId.NUMBER_MAX)
        {
            throw new IllegalArgumentException("handler id=" + id + " from a peer is outside 16 to 65535");
        }
        return id;
    }

    private static void reply(final ActiveMessage message, final int handler, final int id)
    {
        ((ReceivedMessage)message).linkToSource().sendBuiltIn(
            handler, MessageHeader.pair(id, 0), 0, message.buffer(), message.offset(), message.length(), true);
    }

    private static String name(final ActiveMessage message)
    {
        final byte[] bytes = new byte[Math.min(message.length(), HandlerRegistry.NAME_LENGTH_MAX)];
        message.buffer().getBytes(message.offset(), bytes);
        return new String(bytes, UTF_8);
    }
}
