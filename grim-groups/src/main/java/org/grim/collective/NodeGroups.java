// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.collections.Int2IntHashMap;
import org.agrona.collections.Int2ObjectHashMap;
import org.grim.ActiveMessage;
import org.grim.GrimException;
import org.grim.buffer.Buffers;
import org.grim.buffer.Cleanup;
import org.grim.cluster.ClusterDirectory;
import org.grim.endpoint.EndpointState;
import org.grim.endpoint.HandlerErrors;
import org.grim.endpoint.HandlerTable;
import org.grim.endpoint.ReceivedMessage;
import org.grim.extension.ExtensibleNode;
import org.grim.extension.NodeExtension;
import org.grim.group.Group;
import org.grim.group.Groups;
import org.grim.multicast.MulticastOutboxes;
import org.grim.wire.FlowKey;
import org.grim.wire.MessageHeader;

import static org.grim.GrimException.Reason.BAD_DATA;
import static org.grim.GrimException.Reason.NAME_TAKEN;
import static org.grim.GrimException.Reason.TIMED_OUT;
import static org.grim.GrimException.Reason.UNAVAILABLE;

/**
 * The groups of this node: three built-in handlers of its host endpoint, a step of its loop, and multicast
 * outboxes.
 * <p>Thread: the host endpoint's owner.
 */
final class NodeGroups implements Groups, NodeExtension
{
    private static final Duration LEAVE_TIMEOUT = Duration.ofSeconds(2);
    private static final int STRAY_COUNT_MAX = 10_000;
    private static final long FORGET_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);

    private final ClusterDirectory directory;
    private final HandlerTable handlers;
    private final GroupSettings settings;
    private final Agreement agreement;
    private final EndpointState state;
    private final HandlerErrors errors;
    private final MulticastOutboxes outboxes;
    private final GroupTraffic traffic;
    private final RosterMessages messages;
    private final ReceivedMessage received;
    private final NodeSessions sessions = new NodeSessions();
    private final List<GroupRole> roles = new ArrayList<>();
    private final Int2ObjectHashMap<MemberGroup> byId = new Int2ObjectHashMap<>();
    private final List<MemberGroup> groups = new ArrayList<>();
    private final Children children;
    private final List<Stray> strays = new ArrayList<>();
    private final Int2IntHashMap absent = new Int2IntHashMap(0);            // Incarnations without groups, by node.
    private final MutableDirectBuffer prefix = Buffers.wrap(new byte[Multicasts.PREFIX_LENGTH]);
    private CollectiveGroup recent;
    private long forgetDeadlineNs = System.nanoTime();

    /** Begins without groups, and binds the handlers of their messages. */
    NodeGroups(final ExtensibleNode node)
    {
        directory = node.directory();
        settings = GroupSettings.of(node.context().settings());
        agreement = settings.agreement();
        state = node.host().state();
        errors = node.host().errors();
        outboxes = new MulticastOutboxes(directory, node.files(), node.context()::ring, node.host().queues(),
            node.counters().channel(0), settings.outboxLength());
        traffic = new GroupTraffic(node, outboxes);
        children = new Children(traffic, settings);
        messages = new RosterMessages(traffic);
        received = new ReceivedMessage(node.host().links());
        handlers = node.host().handlers();
        handlers.bind(0, GroupTraffic.ROSTER, this::onRosterMessage);
        handlers.bind(0, GroupTraffic.PART, this::onPart);
        handlers.bind(0, GroupTraffic.MULTICAST, this::onMulticast);
        handlers.bind(0, NodeExtension.ABSENT, this::onAbsent);
    }

    @Override
    public <T> T extension(final Class<T> type)
    {
        return type == Groups.class ? type.cast(this) : null;
    }

    @Override
    public Group join(final String name, final Duration timeout)
    {
        traffic.requireOutsideHandler("join");
        checkName(name);
        if (!directory.hasJoined(directory.self()))
        {
            throw new IllegalStateException("this node has not joined its cluster: call Grim.start() first");
        }
        final MemberGroup known = group(name);
        if (known != null)
        {
            return known;
        }
        checkNumber(name);
        final GroupRole role = role(name);
        role.join(System.nanoTime());
        if (!traffic.pollUntil(() ->
        {
            role.step(System.nanoTime());
            return role.roster() != null || role.refusal() != null || directory.isFenced();
        }, timeout) || directory.isFenced())
        {
            final List<Integer> silent = role.silent();
            role.leave(System.nanoTime());
            role.step(System.nanoTime());
            directory.requireNotFenced();
            throw new GrimException(TIMED_OUT, "group=" + name + " was not joined within " + timeout.toMillis() +
                " ms: no answer of nodes=" + silent.stream().map(directory::label).toList() + ", which have to poll");
        }
        if (role.refusal() != null)
        {
            throw new GrimException(UNAVAILABLE, "group=" + name + " was not joined: " + role.refusal());
        }
        takeRole(name, role);
        return group(name);
    }

    /** Messages name a group by a number alone. */
    private void checkNumber(final String name)
    {
        final MemberGroup other = byId.get(RosterMessages.id(name));
        if (other != null && !other.name().equals(name))
        {
            throw new GrimException(NAME_TAKEN, "group=" + name + " has the same number as group=" + other.name() +
                ", to which this node belongs: choose another name");
        }
    }

    /**
     * As soon as this node is a member: what the others send at once must find it. A group that it is about to leave is
     * in between: news of that one's members may come until it has left.
     */
    private void takeRole(final String name, final GroupRole role)
    {
        if (role.roster() == null || byId.containsKey(RosterMessages.id(name)))
        {
            return;
        }
        final MemberGroup group = new MemberGroup(name, traffic, settings, role, children, this::leave);
        byId.put(group.latest().id(), group);
        groups.add(group);
        for (final Stray stray : List.copyOf(strays))
        {
            if (stray.id == group.latest().id() && stray.epoch >= group.latest().epoch())
            {
                take(group, stray);
            }
        }
        strays.clear();
    }

    private void take(final MemberGroup group, final Stray stray)
    {
        if (stray.isPart)
        {
            group.onPart(
                stray.node, stray.epoch, stray.third, stray.fourth, stray.bytes, 0, stray.bytes.capacity());
        }
        else
        {
            onMulticast(
                group, stray.node, stray.epoch, stray.third, stray.fourth, stray.bytes, 0, stray.bytes.capacity());
        }
    }

    /** Members hear of a new one at different times, and may send before it knows the group. */
    private void keepStray(final ActiveMessage message, final boolean isPart)
    {
        if (strays.size() < STRAY_COUNT_MAX && roles.stream().anyMatch(GroupRole::isJoining))
        {
            final byte[] bytes = new byte[message.length()];
            message.buffer().getBytes(message.offset(), bytes);
            strays.add(new Stray(isPart, message.source().node(), message.argument(0), message.argument(1),
                message.argument(2), message.argument(3), Buffers.wrap(bytes)));
        }
    }

    @Override
    public int step(final long nowNs)
    {
        if (roles.isEmpty() || state.isClosed() || state.isInHandler())
        {
            return 0;
        }
        for (int i = roles.size() - 1; i >= 0; i--)
        {
            roles.get(i).step(nowNs);
        }
        if (forgetDeadlineNs - nowNs <= 0)
        {
            forgetDeadlineNs = nowNs + FORGET_INTERVAL_NS;
            forget(nowNs);
        }
        int workCount = 0;
        for (int i = groups.size() - 1; i >= 0; i--)
        {
            workCount += groups.get(i).step(nowNs);
        }
        return workCount + children.step(nowNs);
    }

    private void forget(final long nowNs)
    {
        roles.removeIf(role ->
        {
            final boolean isForgettable = role.isForgettable(nowNs);
            if (isForgettable)
            {
                role.forget();
            }
            return isForgettable;
        });
    }

    @Override
    public void asleep(final int bell)
    {
        outboxes.asleep(bell);
    }

    private void leave(final MemberGroup group)
    {
        children.closeOf(group);
        groups.remove(group);
        final GroupRole role = role(group.name());
        traffic.pollUntil(group::isFlushed, LEAVE_TIMEOUT);
        group.dropBacklog();
        final int treeEpoch = group.treeMember().tree().rosterEpoch();
        final boolean isAwaited = group.treeMember().isOthersToo();
        role.leave(System.nanoTime());
        traffic.pollUntil(() ->
        {
            role.step(System.nanoTime());
            return role.isOutside() && (!isAwaited || group.treeMember().tree().rosterEpoch() != treeEpoch);
        }, LEAVE_TIMEOUT);
        group.endTrees();
        group.host().close();
        byId.remove(group.latest().id());
        recent = null;
    }

    /** Ends the groups that are open, and counts multicasts that wait there. */
    @Override
    public void leave()
    {
        Cleanup.all(groups, group ->
        {
            children.closeOf(group);
            group.close();
        });
    }

    @Override
    public void close()
    {
        outboxes.close();
    }

    /** Null if this node does not belong to it. */
    private CollectiveGroup groupOf(final int id)
    {
        if (recent == null || recent.latest().id() != id || recent.isClosed())
        {
            recent = Children.isChild(id) ? children.group(id) : byId.get(id);
        }
        return recent;
    }

    /** Null if this node does not belong to it. */
    private MemberGroup group(final String name)
    {
        for (final MemberGroup group : groups)
        {
            if (group.name().equals(name))
            {
                return group;
            }
        }
        return null;
    }

    private GroupRole role(final String name)
    {
        for (final GroupRole role : roles)
        {
            if (role.name().equals(name))
            {
                return role;
            }
        }
        final GroupRole role = new GroupRole(name, RosterMessages.id(name), directory, this::hasGroups, sessions,
            new MakerEpochNumbers(directory.self(), directory.nodeCountMax()), agreement,
            (to, message) -> messages.trySend(to, name, message));
        roles.add(role);
        return role;
    }

    private void onRosterMessage(final ActiveMessage message)
    {
        final String name = RosterMessages.name(message.buffer(), message.offset(), message.length());
        final GroupRole role = role(name);
        role.onMessage(message.source().node(),
            RosterMessages.read(message, RosterMessages.id(name), directory.nodeCountMax()), System.nanoTime());
        takeRole(name, role);
        final MemberGroup group = group(name);
        if (group != null)
        {
            group.follow();
        }
        final String conflict = role.takeConflict();
        if (conflict != null)
        {
            throw new GrimException(UNAVAILABLE, "group=" + name + " of this node, and the other one of the name, " +
                "cannot become one: " + conflict);
        }
    }

    /** Notes that the sender does not have this module: its incarnation gets no more messages about groups. */
    private void onAbsent(final ActiveMessage message)
    {
        final int node = message.source().node();
        absent.put(node, incarnation(node));
    }

    private boolean hasGroups(final int node)
    {
        return directory.hasJoined(node) && absent.get(node) != incarnation(node);
    }

    private int incarnation(final int node)
    {
        return directory.incarnationOf(directory.status(node));
    }

    private void onPart(final ActiveMessage message)
    {
        final CollectiveGroup group = groupOf(message.argument(0));
        if (group != null)
        {
            group.onPart(message.source().node(), message.argument(1), message.argument(2), message.argument(3),
                message.buffer(), message.offset(), message.length());
        }
        else if (Children.isChild(message.argument(0)))
        {
            children.onStray(message);
        }
        else
        {
            keepStray(message, true);
        }
    }

    private void onMulticast(final ActiveMessage message)
    {
        if (groupOf(message.argument(0)) instanceof final MemberGroup group)
        {
            onMulticast(group, message.source().node(), message.argument(1), message.argument(2), message.argument(3),
                message.buffer(), message.offset(), message.length());
        }
        else
        {
            keepStray(message, false);
        }
    }

    private void onMulticast(
        final MemberGroup group, final int node, final int epoch, final int kind, final int ticket,
        final DirectBuffer buffer, final int offset, final int length)
    {
        if (kind <= Multicasts.TICKET && (length < Multicasts.PREFIX_LENGTH ||
            length > Multicasts.PREFIX_LENGTH + Multicasts.LENGTH_MAX))
        {
            throw new GrimException(BAD_DATA, "multicast of length=" + length + " is outside " +
                Multicasts.PREFIX_LENGTH + " to " + (Multicasts.PREFIX_LENGTH + Multicasts.LENGTH_MAX));
        }
        switch (kind)
        {
            case Multicasts.PLAIN ->
            {
                if (group.isSince(epoch))
                {
                    deliver(group, buffer, offset, length);
                }
            }
            case Multicasts.PASS_ON ->
            {
                group.multicasts().passOn(group.latest(), node, buffer, offset, length);
                deliver(group, buffer, offset, length);
            }
            case Multicasts.OUTBOX_OFFER ->
                group.host().onOffer(node, epoch, ticket, group.latest(), buffer, offset, length);
            case Multicasts.OUTBOX_MAPPED -> group.onMapped(node, ticket);
            case Multicasts.OUTBOX_LET_IN -> group.host().onLetIn(node, ticket);
            case Multicasts.OUTBOX_LEFT -> group.host().onLeft(node, ticket);
            case Multicasts.OUTBOX_DROP -> group.host().onDrop(group.latest(), node, ticket);
            case Multicasts.TREE_DATA -> onTreeData(group, node, epoch, buffer, offset, length);
            case Multicasts.READY ->
                group.onReady(node, epoch, ticket, GroupTree.readFrom(buffer, offset, length));
            case Multicasts.TREE_OPEN -> group.treeMember().onOpen(epoch);
            case Multicasts.TREE_CLOSE -> group.treeMember().onClose(epoch);
            case Multicasts.TREE -> group.treeMember().onTree(GroupTree.readFrom(buffer, offset, length));
            case Multicasts.ORDER -> group.onOrder(buffer, offset, length);
            case Multicasts.TICKET ->
            {
                if (group.isSince(epoch) && group.order().tryTake(node, epoch, ticket, buffer, offset, length))
                {
                    deliver(group, buffer, offset, length);
                }
            }
            case Multicasts.FRAGMENT -> onFragment(group, node, ticket, buffer, offset, length);
            case Multicasts.PASSED -> group.multicasts().onPassedReport(node, ticket);
            default -> throw new GrimException(BAD_DATA, "kind=" + kind + " of a multicast is unknown");
        }
    }

    private void onTreeData(
        final MemberGroup group, final int node, final int epoch, final DirectBuffer buffer, final int offset,
        final int length)
    {
        final DirectBuffer whole = group.treeMember().onData(node, epoch, buffer, offset, length);
        if (whole != null)
        {
            deliver(group, whole, 0, whole.capacity());
        }
    }

    private void onFragment(
        final MemberGroup group, final int origin, final int number, final DirectBuffer buffer, final int offset,
        final int length)
    {
        final DirectBuffer whole =
            group.isClosed() ? null : group.fragments().onFragment(origin, number, buffer, offset, length);
        if (whole != null)
        {
            deliver(group, whole, 0, whole.capacity());
        }
    }

    /** One that closes its group still passes on for others, and gets nothing itself. */
    private void deliver(final MemberGroup group, final DirectBuffer buffer, final int offset, final int length)
    {
        if (group.isClosed())
        {
            return;
        }
        prefix.putBytes(0, buffer, offset, Multicasts.PREFIX_LENGTH);
        final int id = prefix.getInt(Multicasts.HANDLER_OFFSET);
        final int origin = prefix.getInt(Multicasts.ORIGIN_OFFSET);
        if (id == GroupTraffic.MULTICAST)
        {
            onFragment(group, origin,
                prefix.getInt(MessageHeader.ARGUMENTS_TWO_OFFSET + Integer.BYTES, ByteOrder.BIG_ENDIAN), buffer,
                offset + Multicasts.PREFIX_LENGTH, length - Multicasts.PREFIX_LENGTH);
            return;
        }
        final ActiveMessage.Handler handler = handlers.handler(0, id);
        if (handler == null || origin < 0 || origin >= directory.nodeCountMax())
        {
            throw new GrimException(BAD_DATA, "multicast of node=" + origin + " for handler=" + id +
                ", which nobody has registered here");
        }
        received.open(prefix, 0, buffer, offset + Multicasts.PREFIX_LENGTH, length - Multicasts.PREFIX_LENGTH,
            FlowKey.of(GroupTraffic.key(origin), state.id().key()), id);
        try
        {
            handler.onMessage(received);
        }
        catch (final Throwable ex)          // Of the application's handler: the group goes on.
        {
            errors.onError(ex, id, FlowKey.of(GroupTraffic.key(origin), state.id().key()));
        }
        finally
        {
            received.close();
        }
    }

    private static void checkName(final String name)
    {
        Objects.requireNonNull(name, "name");
        final int length = name.getBytes(StandardCharsets.UTF_8).length;
        if (length < 1 || length > NAME_LENGTH_MAX || name.chars().anyMatch(Character::isISOControl))
        {
            throw new IllegalArgumentException("name of a group of length=" + length +
                " is outside 1 to " + NAME_LENGTH_MAX + " bytes, or has control characters");
        }
    }

    /** A message for a group that this node is about to join. */
    private record Stray(
        boolean isPart, int node, int id, int epoch, int third, int fourth, DirectBuffer bytes)
    {
    }
}
