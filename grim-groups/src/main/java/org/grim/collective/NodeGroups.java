// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.collections.Int2IntHashMap;
import org.agrona.collections.Int2ObjectHashMap;
import org.grim.ActiveMessage;
import org.grim.EndpointId;
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
import org.grim.group.GroupSender;
import org.grim.group.Groups;
import org.grim.multicast.MulticastOutboxes;
import org.grim.wire.FlowKey;
import org.grim.wire.MessageHeader;

import static org.grim.GrimException.Reason.BAD_DATA;
import static org.grim.GrimException.Reason.NAME_TAKEN;
import static org.grim.GrimException.Reason.NOT_FOUND;
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
    private final int channelCount;
    private final NodeSessions sessions = new NodeSessions();
    private final List<GroupRole> roles = new ArrayList<>();
    private final Int2ObjectHashMap<MemberGroup> byId = new Int2ObjectHashMap<>();
    private final List<MemberGroup> groups = new ArrayList<>();
    private final Map<String, EndpointId> receiverIds = new HashMap<>();    // Of groups that are being joined.
    private final Receivers receivers;
    private final List<OutsideSender> senders = new ArrayList<>();
    private final Children children;
    private final List<Stray> strays = new ArrayList<>();
    private final Int2IntHashMap absent = new Int2IntHashMap(0);            // Incarnations without groups, by node.
    private final MutableDirectBuffer prefix = Buffers.wrap(new byte[Multicasts.PREFIX_LENGTH]);
    private CollectiveGroup recent;
    private long forgetDeadlineNs = System.nanoTime();
    private int lastRound;

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
        receivers = new Receivers(traffic, handlers, errors);
        channelCount = node.counters().channelCount();
        handlers.bind(0, GroupTraffic.ROSTER, this::onRosterMessage);
        handlers.bind(0, GroupTraffic.PART, this::onPart);
        handlers.bindAll(GroupTraffic.MULTICAST, this::onMulticast);
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
        return join(name, null, timeout, "join");
    }

    @Override
    public Group join(final String name, final EndpointId receiver, final Duration timeout)
    {
        final boolean isHost = Objects.requireNonNull(receiver, "receiver").equals(state.id());
        if (!isHost)
        {
            checkReceiver(receiver);
        }
        final Group group = join(name, isHost ? null : receiver, timeout, "join");
        final EndpointId actual = ((MemberGroup)group).receiver();
        if (!Objects.equals(actual, isHost ? null : receiver))
        {
            throw new IllegalStateException("multicasts of group=" + name + " are handled by " +
                (actual == null ? state.id() : actual) + ", not by " + receiver + ": close the group first");
        }
        return group;
    }

    private void checkReceiver(final EndpointId receiver)
    {
        if (receiver.node() != directory.self() || receiver.channel() >= channelCount ||
            (receiver.device() == 0 ? isOfDevice(receiver.channel()) : !directory.hasDevice(receiver)))
        {
            throw new IllegalArgumentException("receiver=" + receiver + " is no endpoint of this node=" +
                directory.self() + ", which has grim.channels.count=" + channelCount);
        }
    }

    private boolean isOfDevice(final int channel)
    {
        for (int device = 1; device <= EndpointId.DEVICE_MAX; device++)
        {
            if (directory.hasDevice(EndpointId.of(directory.self(), device, channel)))
            {
                return true;
            }
        }
        return false;
    }

    private Group join(final String name, final EndpointId receiver, final Duration timeout, final String verb)
    {
        requireStarted(name, verb);
        final MemberGroup known = group(name);
        if (known != null)
        {
            return known;
        }
        checkNumber(name);
        final GroupRole role = role(name);
        receiverIds.put(name, receiver);
        role.join(System.nanoTime(), receiver != null);
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

    private void requireStarted(final String name, final String verb)
    {
        traffic.requireOutsideHandler(verb);
        checkName(name);
        if (!directory.hasJoined(directory.self()))
        {
            throw new IllegalStateException("this node has not joined its cluster: call Grim.start() first");
        }
    }

    @Override
    public GroupSender openSender(final String name, final Duration timeout)
    {
        requireStarted(name, "openSender");
        for (final OutsideSender known : senders)
        {
            if (known.name().equals(name))
            {
                return known;
            }
            checkNumber(name, known.id(), known.name());
        }
        final OutsideSender sender = new OutsideSender(name, traffic, settings.multicastLengthMax(), this::hasGroups,
            () -> ++lastRound, this::closeSender);
        senders.add(sender);
        final boolean isFound = traffic.pollUntil(() ->
        {
            sender.step(System.nanoTime());
            return sender.isConnected() || directory.isFenced();
        }, timeout);
        if (!isFound || directory.isFenced())
        {
            senders.remove(sender);
            directory.requireNotFenced();
            if (sender.hasEnded())
            {
                throw new GrimException(NOT_FOUND, "no node belongs to group=" + name + ", as all have said within " +
                    timeout.toMillis() + " ms");
            }
            throw new GrimException(TIMED_OUT, "the owner of group=" + name + " was not found within " +
                timeout.toMillis() + " ms: no answer of nodes=" +
                sender.silent().stream().map(directory::label).toList() + ", which have to poll");
        }
        return sender;
    }

    private void closeSender(final OutsideSender sender)
    {
        if (!traffic.isClosed())
        {
            traffic.pollUntil(() ->
            {
                sender.step(System.nanoTime());
                return sender.isFlushed();
            }, LEAVE_TIMEOUT);
        }
        sender.drop();
        senders.remove(sender);
    }

    /** Messages name a group by a number alone. */
    private void checkNumber(final String name)
    {
        final MemberGroup other = byId.get(RosterMessages.id(name));
        if (other != null)
        {
            checkNumber(name, RosterMessages.id(name), other.name());
        }
    }

    private static void checkNumber(final String name, final int otherNumber, final String otherName)
    {
        if (otherNumber == RosterMessages.id(name) && !otherName.equals(name))
        {
            throw new GrimException(NAME_TAKEN, "group=" + name + " has the same number as group=" + otherName +
                ", which this node uses: choose another name");
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
        final EndpointId receiver = receiverIds.remove(name);
        if (receiver != null)
        {
            receivers.add(role.roster(), receiver, settings.multicastLengthMax());
        }
        final MemberGroup group = new MemberGroup(name, traffic, settings, role, children, receiver, this::leave);
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
        if ((roles.isEmpty() && senders.isEmpty()) || state.isClosed() || state.isInHandler())
        {
            return 0;
        }
        int workCount = 0;
        for (int i = senders.size() - 1; i >= 0; i--)
        {
            workCount += senders.get(i).step(nowNs);
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
        for (int i = groups.size() - 1; i >= 0; i--)
        {
            workCount += groups.get(i).step(nowNs);
        }
        return workCount + children.step(nowNs);
    }

    private void forget(final long nowNs)
    {
        for (int i = roles.size() - 1; i >= 0; i--)
        {
            if (roles.get(i).isForgettable(nowNs))
            {
                roles.remove(i).forget();
            }
        }
    }

    @Override
    public void asleep(final int bell)
    {
        outboxes.asleep(bell);
    }

    private void leave(final MemberGroup group)
    {
        receivers.remove(group.latest().id());
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
        Cleanup.all(List.copyOf(senders), OutsideSender::close);
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
        final int kind = message.argument(2);
        if (kind == Multicasts.HANDED_OVER)
        {
            receivers.onMessage((ReceivedMessage)message);
            return;
        }
        final EndpointId destination = message.destination();
        if (destination.channel() != 0 || destination.device() != 0)
        {
            throw new GrimException(BAD_DATA, "multicast of kind=" + kind + " for " + destination +
                ", which does not belong to groups");
        }
        if (kind >= Multicasts.FIND && kind < Multicasts.HANDED_OVER)
        {
            onOutside(message, kind);
        }
        else if (groupOf(message.argument(0)) instanceof final MemberGroup group)
        {
            onMulticast(group, message.source().node(), message.argument(1), message.argument(2), message.argument(3),
                message.buffer(), message.offset(), message.length());
        }
        else
        {
            keepStray(message, false);
        }
    }

    /** A message of a sender that is no member, or for one. */
    private void onOutside(final ActiveMessage message, final int kind)
    {
        final int node = message.source().node();
        final int id = message.argument(0);
        final int round = message.argument(1);
        final MemberGroup group = groupOf(id) instanceof final MemberGroup found ? found : null;
        if (kind == Multicasts.FIND)
        {
            onFind(group, node, id, round, message.text());
        }
        else if (kind == Multicasts.OUTSIDE || kind == Multicasts.OUTSIDE_ORDER)
        {
            if (group == null)
            {
                answer(node, id, round, Multicasts.OUTSIDE_ENDED);
            }
            else
            {
                group.outside().onFrame(node, round, kind == Multicasts.OUTSIDE_ORDER, message.buffer(),
                    message.offset(), message.length());
            }
        }
        else
        {
            for (int i = 0; i < senders.size(); i++)
            {
                if (senders.get(i).id() == id)
                {
                    onAnswer(senders.get(i), message, kind, node, round);
                }
            }
        }
    }

    private void onFind(
        final MemberGroup group, final int node, final int id, final int round, final String name)
    {
        if (group != null && group.name().equals(name))
        {
            group.outside().onFind(node, round);
        }
        else if (roles.stream().noneMatch(role -> role.name().equals(name) && !role.isOutside()))
        {
            answer(node, id, round, Multicasts.NOT_HERE);       // Without room: the sender asks again.
        }
    }

    private static void onAnswer(
        final OutsideSender sender, final ActiveMessage message, final int kind, final int node, final int round)
    {
        switch (kind)
        {
            case Multicasts.FOUND -> sender.onFound(node, round, message.argument(3));
            case Multicasts.NOT_HERE -> sender.onNotHere(node, round);
            case Multicasts.OUTSIDE_ENDED -> sender.onEnded(node, round);
            default ->
            {
                if (message.length() != OutsideRounds.REPORT_LENGTH)
                {
                    throw new GrimException(BAD_DATA, "report about multicasts of bytes=" + message.length() +
                        " is not of " + OutsideRounds.REPORT_LENGTH);
                }
                sender.onPassed(node, round, message.buffer().getLong(message.offset()),
                    message.buffer().getLong(message.offset() + Long.BYTES));
            }
        }
    }

    private void answer(final int node, final int id, final int round, final int kind)
    {
        traffic.send(node, GroupTraffic.MULTICAST, MessageHeader.pair(id, round), MessageHeader.pair(kind, 0), prefix,
            0, 0);
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
                    take(group, node, buffer, offset, length);
                }
            }
            case Multicasts.PASS_ON -> passOn(group, node, buffer, offset, length);
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
                    take(group, node, buffer, offset, length);
                }
            }
            case Multicasts.FRAGMENT -> onFragment(group, node, ticket, buffer, offset, length);
            case Multicasts.PASSED -> group.windows().onReport(node, ticket);
            default -> throw new GrimException(BAD_DATA, "kind=" + kind + " of a multicast is unknown");
        }
    }

    /** A message for this member came straight from a node, which has a window if another endpoint handles it. */
    private void take(
        final MemberGroup group, final int node, final DirectBuffer buffer, final int offset, final int length)
    {
        if (group.receiver() == null)
        {
            deliver(group, buffer, offset, length);
        }
        else
        {
            group.handOver(buffer, offset, length, group.windows().passing(node, length, 1));
        }
    }

    /** A message is for this member, and for others of its host. */
    private void passOn(
        final MemberGroup group, final int node, final DirectBuffer buffer, final int offset, final int length)
    {
        final boolean hasReceiver = group.receiver() != null;
        final Windows.Passing passing = group.windows().passing(node, length, hasReceiver ? 2 : 1);
        group.multicasts().passOn(group.latest(), passing, buffer, offset, length);
        if (hasReceiver)
        {
            group.handOver(buffer, offset, length, passing);
        }
        else
        {
            deliver(group, buffer, offset, length);
        }
    }

    private void onTreeData(
        final MemberGroup group, final int node, final int epoch, final DirectBuffer buffer, final int offset,
        final int length)
    {
        final DirectBuffer whole = group.treeMember().onData(node, epoch, buffer, offset, length);
        if (whole != null && group.receiver() == null)          // Otherwise no tree leads here.
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
