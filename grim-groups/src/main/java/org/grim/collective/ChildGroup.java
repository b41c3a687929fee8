// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.time.Duration;

import org.agrona.DirectBuffer;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.SendStatus;

import static org.grim.GrimException.Reason.UNREACHABLE;

/**
 * A group that was made from another one, without a name in the cluster. Its members are fixed: those that die or leave
 * the named group are missing in its next epoch, and none comes. One that closes this group alone ends it for all.
 * <p>Epochs: all members of one follow the epochs of the named group, though not each of them, so the number names the
 * members that are missing: their count, and a digest of their ranks.
 * <p>Thread: the host endpoint's owner.
 */
final class ChildGroup extends CollectiveGroup
{
    private static final int DIGEST_BITS = 20;
    private static final int DIGEST_FACTOR = 0x9E3779B1;        // Of Knuth's multiplicative hash.

    private final MemberGroup root;
    private final Roster first;
    private final Children children;
    private int missingCount;
    private int rootEpoch;                  // Of the members of the named group that this has followed.
    private boolean isAbandoned;

    ChildGroup(
        final String name, final GroupTraffic traffic, final GroupSettings settings, final Children children,
        final MemberGroup root, final Roster members, final SplitOrigin origin)
    {
        super(name, traffic, settings, children, members);
        this.root = root;
        this.children = children;
        first = members;
        operations().setOrigin(origin);
    }

    @Override
    public boolean isChanged()
    {
        return isAbandoned || super.isChanged();
    }

    @Override
    public void renew(final Duration timeout)
    {
        super.renew(timeout);
        if (isAbandoned)
        {
            throw new GrimException(UNREACHABLE, "a member has closed group=" + name() + ": it has no more epochs");
        }
    }

    @Override
    public SendStatus multicast(
        final HandlerId handler, final int a0, final int a1, final int a2, final int a3, final DirectBuffer source,
        final int offset, final int length)
    {
        throw new UnsupportedOperationException("group=" + name() + " was made by a split: multicast in group=" +
            root.name());
    }

    @Override
    public SendStatus multicastInTotalOrder(
        final HandlerId handler, final int a0, final int a1, final int a2, final int a3, final DirectBuffer source,
        final int offset, final int length)
    {
        return multicast(handler, a0, a1, a2, a3, source, offset, length);
    }

    @Override
    public int multicastLengthMax()
    {
        return 0;
    }

    @Override
    public void close()
    {
        if (!isClosed())
        {
            if (!traffic().isClosed())
            {
                traffic().requireOutsideHandler("close");
            }
            end();
            children.remove(this);
        }
    }

    @Override
    MemberGroup root()
    {
        return root;
    }

    @Override
    boolean isSettled()
    {
        follow();
        return isAbandoned || root.isSettled();
    }

    @Override
    boolean isSpread()
    {
        return true;
    }

    @Override
    void onPart(
        final int node, final int epoch, final int sequence, final int word, final DirectBuffer buffer,
        final int offset, final int length)
    {
        if (PartWords.kind(word) == PartWords.LEFT)
        {
            onLeft(node);
        }
        else if (isAbandoned)
        {
            children.answer(node, latest().id());
        }
        else
        {
            super.onPart(node, epoch, sequence, word, buffer, offset, length);
        }
    }

    /** A member has closed this group. Others that wait for this one may not ask that member. */
    private void onLeft(final int node)
    {
        final int rank = latest().rankOf(node);
        if (rank >= 0 && latest().isUp(traffic().directory(), rank) && !isAbandoned)
        {
            isAbandoned = true;
            change(latest());
            for (final int other : latest().nodes())
            {
                if (other != traffic().self() && other != node)
                {
                    children.answer(other, latest().id());
                }
            }
            traffic().endPoll();
        }
    }

    int step(final long nowNs)
    {
        follow();
        return stepOperations(nowNs);
    }

    private void follow()
    {
        if (rootEpoch == root.latest().epoch())
        {
            return;
        }
        rootEpoch = root.latest().epoch();
        int count = 0;
        int digest = 0;
        for (int rank = 0; rank < first.size(); rank++)
        {
            if (!isIn(rank))
            {
                count++;
                digest ^= ((rank + 1) * DIGEST_FACTOR) >>> (Integer.SIZE - DIGEST_BITS);
            }
        }
        if (count > missingCount)
        {
            missingCount = count;
            change(first.next(count << DIGEST_BITS | digest, this::isIn));
        }
    }

    private boolean isIn(final int rank)
    {
        final int node = first.nodes()[rank];
        return latest().names(node, first.incarnation(rank), first.session(rank)) &&
            root.latest().names(node, first.incarnation(rank), first.session(rank));
    }
}
