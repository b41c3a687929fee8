// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.util.function.Consumer;

import org.agrona.DirectBuffer;
import org.grim.EndpointId;
import org.grim.HandlerId;
import org.grim.SendStatus;
import org.grim.wire.MessageHeader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node's membership of a group that has a name.
 * <p>Thread: the host endpoint's owner.
 */
final class MemberGroup extends CollectiveGroup
{
    private static final Logger LOGGER = LoggerFactory.getLogger(MemberGroup.class);

    private final GroupTraffic traffic;
    private final OpenOperations operations;
    private final Consumer<MemberGroup> onLeave;
    private final GroupRole role;
    private final HostMulticasts host;
    private final TotalOrder order;
    private final Fragments fragments;
    private final Multicasts multicasts;
    private final LongMulticast longMulticast;
    private final TreeMember treeMember;
    private final TreeOwner treeOwner;
    private final Windows windows;
    private final ReceiverPath receiver;                // Null if the host endpoint's handlers run.
    private final OutsideRounds outside;
    private final int firstEpoch;

    MemberGroup(
        final String name, final GroupTraffic traffic, final GroupSettings settings, final GroupRole role,
        final Children children, final EndpointId receiverId, final Consumer<MemberGroup> onLeave)
    {
        super(name, traffic, settings, children, role.roster());
        this.onLeave = onLeave;
        this.traffic = traffic;
        operations = operations();
        this.role = role;
        final Roster latest = latest();
        firstEpoch = latest.epoch();
        windows = new Windows(traffic, latest);
        fragments = new Fragments(traffic, latest, settings.multicastLengthMax());
        receiver = receiverId == null ? null : new ReceiverPath(traffic, receiverId, latest, fragments);
        host = new HostMulticasts(traffic, latest, receiver);
        outside = new OutsideRounds(traffic, this, role);
        order = new TotalOrder(traffic, fragments, latest, role::isSpread, windows, outside::onOrderGone);
        multicasts = new Multicasts(traffic, host, order, fragments, windows, latest);
        longMulticast = new LongMulticast(fragments, 0, this::multicastShort);
        treeMember = new TreeMember(traffic, latest, settings.isByTrees());
        treeOwner = settings.isByTrees() ? new TreeOwner(traffic, role, treeMember, latest.id()) : null;
    }

    @Override
    public int multicastLengthMax()
    {
        return fragments.lengthMax();
    }

    @Override
    public SendStatus multicast(
        final HandlerId handler, final int a0, final int a1, final int a2, final int a3, final DirectBuffer source,
        final int offset, final int length)
    {
        return multicast(
            handler, MessageHeader.pair(a0, a1), MessageHeader.pair(a2, a3), source, offset, length, false);
    }

    @Override
    public SendStatus multicastInTotalOrder(
        final HandlerId handler, final int a0, final int a1, final int a2, final int a3, final DirectBuffer source,
        final int offset, final int length)
    {
        return multicast(
            handler, MessageHeader.pair(a0, a1), MessageHeader.pair(a2, a3), source, offset, length, true);
    }

    @Override
    public void close()
    {
        if (!isClosed() && traffic.isClosed())
        {
            end();
            dropBacklog();
        }
        else if (!isClosed())
        {
            traffic.requireOutsideHandler("close");
            end();
            onLeave.accept(this);
        }
    }

    @Override
    MemberGroup root()
    {
        return this;
    }

    @Override
    boolean isSettled()
    {
        return role.isConfirmed() && latest().rankOf(traffic.self()) >= 0 && latest().areAllUp(traffic.directory());
    }

    @Override
    boolean isSpread()
    {
        return role.isSpread();
    }

    Multicasts multicasts()
    {
        return multicasts;
    }

    /** Whether this node belonged to the group in an epoch: what was sent before is for others. */
    boolean isSince(final int epoch)
    {
        return epoch - firstEpoch >= 0;
    }

    /** A member of this host has mapped the outbox. */
    void onMapped(final int node, final int offer)
    {
        host.onMapped(node, offer);
        multicasts.step(operations.roster());
    }

    OutsideRounds outside()
    {
        return outside;
    }

    Windows windows()
    {
        return windows;
    }

    /** The endpoint of this node that handles multicasts; null if it is the host endpoint. */
    EndpointId receiver()
    {
        return receiver == null ? null : receiver.receiver();
    }

    /**
     * Hands a message over to the receiver.
     *
     * @param passing of the message; null if no sender waits.
     */
    void handOver(final DirectBuffer bytes, final int offset, final int length, final Windows.Passing passing)
    {
        if (!isClosed())
        {
            receiver.handOver(bytes, offset, length, passing);
        }
        else if (passing != null)
        {
            passing.done();
        }
    }

    TotalOrder order()
    {
        return order;
    }

    Fragments fragments()
    {
        return fragments;
    }

    HostMulticasts host()
    {
        return host;
    }

    TreeMember treeMember()
    {
        return treeMember;
    }

    /** A member has nothing under way; only its owner is asked. */
    void onReady(final int node, final int epoch, final int closedEpoch, final GroupTree known)
    {
        if (treeOwner != null)
        {
            treeOwner.onReady(node, epoch, closedEpoch, known);
        }
    }

    /** Nothing of the trees is left to be done. */
    void endTrees()
    {
        if (treeOwner != null)
        {
            treeOwner.end();
        }
    }

    /** Does what is due to the trees. */
    int stepTrees()
    {
        return treeMember.step(multicasts) + (treeOwner == null || isClosed() ? 0 : treeOwner.step(latest()));
    }

    /** Ends operations and reading; others are not asked. */
    @Override
    void end()
    {
        super.end();
        host.endReading();
        if (receiver != null)
        {
            receiver.drop();
        }
    }

    /** Sends what waits here, as far as there is room; true if nothing is left. */
    boolean isFlushed()
    {
        follow();
        longMulticast.step(operations.roster());
        stepTrees();
        order.step(latest());
        multicasts.step(operations.roster());
        outside.step();
        return outside.isEmpty() && longMulticast.isEmpty() && treeMember.isEmpty() && order.isEmpty() &&
            multicasts.isEmpty();
    }

    /** Gives up what still waits here, and counts it. */
    void dropBacklog()
    {
        outside.drop();
        final int count = longMulticast.drop() + treeMember.messageCount() + order.drop() + multicasts.drop();
        if (count > 0)
        {
            LOGGER.warn("left group={} with multicasts={} that some member lacks: counted as multicasts-lost", name(),
                count);
            traffic.lostMulticasts(count);
        }
    }

    /** Looks whether the owner has said who belongs to the group now. */
    void follow()
    {
        final Roster roster = role.roster();
        if (roster != null && roster.epoch() != latest().epoch())
        {
            treeMember.follow(roster);
            windows.follow(roster);
            final boolean isOtherOwner = order.follow(roster);
            fragments.follow(roster, isOtherOwner);
            if (isOtherOwner)
            {
                longMulticast.onNewOwner();
            }
            change(roster);
        }
    }

    /** Looks whether all members are up, and sends what waits. */
    int step(final long nowNs)
    {
        follow();
        final int workCount = stepTrees() + stepOperations(nowNs);
        host.follow(latest());
        fragments.dropGone(nowNs);
        return workCount + stepReceiver() + outside.step() + longMulticast.step(operations.roster()) +
            order.step(latest()) + multicasts.step(operations.roster());
    }

    private int stepReceiver()
    {
        if (receiver == null)
        {
            return 0;
        }
        final int count = receiver.step();
        if (receiver.isEmpty())
        {
            host.resume();
        }
        return count;
    }

    /** A message is to get its ticket. One that leaves gives none. */
    void onOrder(final DirectBuffer buffer, final int offset, final int length)
    {
        if (!isClosed())
        {
            order.onOrder(latest(), buffer, offset, length);
        }
    }

    private SendStatus multicast(
        final HandlerId handler, final long arguments01, final long arguments23, final DirectBuffer source,
        final int offset, final int length, final boolean isOrdered)
    {
        final int number = handler.number();
        if (!isOrdered && !isClosed() && traffic.isOpenToCaller() && longMulticast.isEmpty() &&
            treeMember.isStraight() &&
            multicasts.tryPut(operations.roster(), number, arguments01, arguments23, source, offset, length))
        {
            return SendStatus.SENT;
        }
        if (isClosed() || traffic.isClosed())
        {
            return SendStatus.CLOSED;
        }
        traffic.requireOwner();
        if (length < 0 || length > multicastLengthMax())
        {
            throw new IllegalArgumentException("length=" + length + " of a multicast is outside 0 to " +
                multicastLengthMax() + " (grim.message.length-max)");
        }
        if (!longMulticast.isEmpty())
        {
            return SendStatus.BACK_PRESSURED;
        }
        return length <= Multicasts.LENGTH_MAX ?
            multicastShort(number, arguments01, arguments23, source, offset, length, isOrdered) :
            multicastLong(number, arguments01, arguments23, source, offset, length, isOrdered);
    }

    private SendStatus multicastShort(
        final int handler, final long arguments01, final long arguments23, final DirectBuffer source,
        final int offset, final int length, final boolean isOrdered)
    {
        return treeMember.isStraight() ? multicasts.send(operations.roster(), handler, arguments01, arguments23, source,
            offset, length, isOrdered) :
            treeMember.send(handler, arguments01, arguments23, source, offset, length, isOrdered);
    }

    private SendStatus multicastLong(
        final int handler, final long arguments01, final long arguments23, final DirectBuffer source,
        final int offset, final int length, final boolean isOrdered)
    {
        if (isOrdered && treeMember.isStraight() && !order.isOwnerKnown(operations.roster()))
        {
            return SendStatus.PEER_GONE;
        }
        longMulticast.begin(handler, arguments01, arguments23, source, offset, length, isOrdered);
        if (!traffic.isInHandler())
        {
            longMulticast.step(operations.roster());
        }
        return SendStatus.QUEUED;
    }
}
