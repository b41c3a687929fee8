// SPDX-License-Identifier: Apache-2.0
package org.grim.members;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

import org.agrona.collections.IntArrayList;
import org.agrona.collections.LongArrayList;
import org.grim.death.Faults;
import org.grim.group.Group.Status;

/**
 * Compares what members say with what other members say. Knows nothing but their histories. Any thread; verified when
 * all have said what they have to say.
 */
final class MemberLedger
{
    final Faults faults;
    final MemberTally tally = new MemberTally();

    private final List<Membership> memberships = new ArrayList<>();
    private final Map<Integer, int[]> rosters = new HashMap<>();
    private final Map<Integer, Membership> byKey = new HashMap<>();

    MemberLedger(final Faults faults)
    {
        this.faults = faults;
    }

    synchronized void entered(final Membership membership, final int epoch)
    {
        synchronized (membership)
        {
            membership.firstEpoch = epoch;
        }
        memberships.add(membership);
        byKey.put(membership.key, membership);
        tally.joinCount.incrementAndGet();
    }

    /** A member goes on with an epoch: a number is of one set of members. */
    synchronized void epoch(final Membership membership, final int epoch, final int[] roster)
    {
        synchronized (membership)
        {
            if (epoch <= membership.epoch)
            {
                faults.add(Faults.Kind.DIVERGED, 1, "epoch=" + epoch + " after epoch=" + membership.epoch + " at " +
                    membership);
            }
            membership.epoch = epoch;
            membership.rosters.put(epoch, roster);
        }
        final int[] before = rosters.putIfAbsent(epoch, roster);
        tally.epochCount.addAndGet(before == null ? 1 : 0);
        if (before != null && !Arrays.equals(before, roster))
        {
            faults.add(Faults.Kind.DIVERGED, 1, "epoch=" + epoch + " has nodes=" + Arrays.toString(roster) + " at " +
                membership + " and nodes=" + Arrays.toString(before) + " elsewhere");
        }
    }

    void operationEnded(
        final Member process, final int epoch, final int number, final Status status, final OperationPlan.Flaw flaw)
    {
        tally.operation(flaw + ":" + status, 1);
        if (!flaw.mayEndSo(status))
        {
            faults.add(Faults.Kind.CORRUPT, 1, "operation=" + number + " of epoch=" + epoch + " flaw=" + flaw +
                " is " + status + " at " + process);
        }
    }

    /** Multicasts that are still to come. */
    synchronized int openCount()
    {
        int count = 0;
        for (final Membership sender : memberships)
        {
            for (final Membership receiver : memberships)
            {
                count += missing(sender, receiver).size();
            }
        }
        return count;
    }

    synchronized void verify()
    {
        for (final Membership sender : memberships)
        {
            for (final Membership receiver : memberships)
            {
                verifyStream(sender, receiver);
                final List<String> missing = missing(sender, receiver);
                if (!missing.isEmpty())
                {
                    faults.add(Faults.Kind.LOST, missing.size(), "of " + sender + " at " + receiver + ": " +
                        missing.stream().limit(5).collect(Collectors.joining(", ")));
                }
            }
            count(sender);
        }
        for (int i = 0; i < memberships.size(); i++)
        {
            for (int j = i + 1; j < memberships.size(); j++)
            {
                verifyOrder(memberships.get(i), memberships.get(j));
            }
        }
        memberships.forEach(this::verifyOrigins);
        verifyCounts();
    }

    /** Orders whose owner has gone may be lost, if they are counted. */
    private void verifyCounts()
    {
        final Set<Long> lost = new HashSet<>();
        final Map<String, Integer> where = new TreeMap<>();
        for (final Membership sender : memberships)
        {
            for (final Membership receiver : memberships)
            {
                final Set<Integer> have = new HashSet<>(
                    receiver.delivered.getOrDefault(sender.key, new IntArrayList()));
                for (int i = 0; receiver.isLive() && sender.isLive() && i < sender.accepted.size(); i += 3)
                {
                    final int sequence = sender.accepted.getInt(i);
                    final int epoch = sender.accepted.getInt(i + 1);
                    if (MemberRecord.isOrdered(sequence) && !have.contains(sequence) &&
                        isDue(sender, receiver, epoch, sender.accepted.getInt(i + 2)) && !isOwnerLive(sender, epoch))
                    {
                        lost.add(Membership.message(sender.key, sequence));
                        where.merge("key=" + sender.key + " epoch=" + epoch + " to key=" + receiver.key + " owner=" +
                            sender.rosters.get(epoch)[0], 1, Integer::sum);
                    }
                }
            }
        }
        final int counted =
            memberships.stream().map(one -> one.process).distinct().mapToInt(Member::lostCount).sum();
        tally.countedCount.addAndGet(counted);
        if (lost.size() > counted)
        {
            faults.add(Faults.Kind.LOST, lost.size() - counted, "in total order=" + lost.size() +
                ", of which only=" + counted + " were counted, as " + text(lost.iterator().next()) + ": " + where);
        }
    }

    private void count(final Membership membership)
    {
        for (int i = 0; i < membership.accepted.size(); i += 3)
        {
            (MemberRecord.isOrdered(membership.accepted.getInt(i)) ? tally.orderedCount : tally.plainCount)
                .incrementAndGet();
        }
        membership.delivered.values().forEach(list -> tally.deliveredCount.addAndGet(list.size()));
    }

    /** Checks a sender's multicasts to a receiver that has belonged to their epoch ever since. */
    private List<String> missing(final Membership sender, final Membership receiver)
    {
        if (sender.process.isKilled() || !receiver.isLive())
        {
            return List.of();
        }
        final Set<Integer> have = new HashSet<>();
        synchronized (receiver)
        {
            have.addAll(receiver.delivered.getOrDefault(sender.key, new IntArrayList()));
        }
        final List<String> missing = new ArrayList<>();
        synchronized (sender)
        {
            for (int i = 0; i < sender.accepted.size(); i += 3)
            {
                final int sequence = sender.accepted.getInt(i);
                final int epoch = sender.accepted.getInt(i + 1);
                final int status = sender.accepted.getInt(i + 2);
                if (!have.contains(sequence) && isDue(sender, receiver, epoch, status) &&
                    (!MemberRecord.isOrdered(sequence) || isOwnerLive(sender, epoch)))
                {
                    missing.add(MemberRecord.text(sequence) + " status=" + status + " epoch=" + epoch);
                }
            }
        }
        return missing;
    }

    /** A member that leaves may take with it what waits. */
    private static boolean isDue(
        final Membership sender, final Membership receiver, final int epoch, final int status)
    {
        final boolean isOf = receiver.firstEpoch - epoch <= 0 &&
            rank(sender.rosters.get(epoch), receiver.process.number()) >= 0;
        return isOf && (status == MemberRecord.SEND_SENT || (status == MemberRecord.SEND_QUEUED && sender.isLive()));
    }

    private boolean isOwnerLive(final Membership sender, final int epoch)
    {
        final int[] roster = sender.rosters.get(epoch);
        for (final Membership membership : memberships)
        {
            if (membership.process.number() == roster[0] && membership.isLive() && membership.firstEpoch <= epoch)
            {
                return true;
            }
        }
        return false;
    }

    private static int rank(final int[] roster, final int node)
    {
        int rank = roster == null ? -1 : roster.length - 1;
        while (rank >= 0 && roster[rank] != node)
        {
            rank--;
        }
        return rank;
    }

    /** In order, none twice, none left out from the first one on. */
    private void verifyStream(final Membership sender, final Membership receiver)
    {
        final IntArrayList list = receiver.delivered.get(sender.key);
        if (list == null)
        {
            return;
        }
        final Set<Integer> unknown = new HashSet<>();
        for (int i = 0; i < sender.accepted.size(); i += 3)
        {
            if (sender.accepted.getInt(i + 2) == MemberRecord.SEND_UNKNOWN)
            {
                unknown.add(sender.accepted.getInt(i));
            }
        }
        final int[] last = {-1, -1};
        for (int i = 0; i < list.size(); i++)
        {
            final int sequence = list.getInt(i);
            final int kind = sequence & 1;
            final int number = sequence >> 1;
            if (number <= last[kind])
            {
                faults.add(number == last[kind] ? Faults.Kind.REPEATED : Faults.Kind.REORDERED, 1,
                    MemberRecord.text(sequence) + " after " + last[kind] + " of " + sender + " at " + receiver);
            }
            for (int left = last[kind] + 1; last[kind] >= 0 && kind == 0 && left < number; left++)
            {
                if (!unknown.contains(MemberRecord.sequence(left, false)))
                {
                    faults.add(Faults.Kind.LOST, 1, MemberRecord.text(MemberRecord.sequence(left, false)) +
                        " left out before " + number + " of " + sender + " at " + receiver);
                }
            }
            last[kind] = Math.max(last[kind], number);
        }
    }

    /** Two members take what both take in one order; messages of one are due to the other if both were there. */
    private void verifyOrder(final Membership one, final Membership other)
    {
        final Map<Long, Integer> positions = new HashMap<>();
        for (int i = 0; i < other.ordered.size(); i++)
        {
            positions.put(other.ordered.getLong(i), i);
        }
        int last = -1;
        int count = 0;
        String first = "";
        for (int i = 0; i < one.ordered.size(); i++)
        {
            final Integer position = positions.get(one.ordered.getLong(i));
            if (position != null && position < last)
            {
                first = count++ == 0 ? text(one.ordered.getLong(i)) + " after " +
                    text(other.ordered.getLong(last)) : first;
            }
            last = position == null ? last : Math.max(last, position);
        }
        if (count > 0)
        {
            faults.add(Faults.Kind.DIVERGED, count, "order of " + one + " and " + other + ", first " + first);
        }
        verifyCommon(one, other.ordered, other);
        verifyCommon(other, one.ordered, one);
    }

    /** A live member has taken all messages that another took in total order, if the order's owner was not killed. */
    private void verifyCommon(final Membership receiver, final LongArrayList taken, final Membership taker)
    {
        if (!receiver.isLive())
        {
            return;
        }
        final Set<Long> have = new HashSet<>(receiver.ordered);
        for (int i = 0; i < taken.size(); i++)
        {
            final long message = taken.getLong(i);
            final Membership sender = byKey.get((int)(message >> Integer.SIZE));
            final int epoch = sender == null || have.contains(message) ? 0 : epochOf(sender, (int)message);
            if (epoch > 0 && receiver.firstEpoch <= epoch &&
                rank(sender.rosters.get(epoch), receiver.process.number()) >= 0 && isOwnerLive(sender, epoch))
            {
                faults.add(Faults.Kind.DIVERGED, 1, text(message) + " of epoch=" + epoch + " came to " + taker +
                    ", not to " + receiver);
                return;
            }
        }
    }

    private static int epochOf(final Membership sender, final int sequence)
    {
        for (int i = 0; i < sender.accepted.size(); i += 3)
        {
            if (sender.accepted.getInt(i) == sequence)
            {
                return sender.accepted.getInt(i + 1);
            }
        }
        return 0;
    }

    /** Every arrived message was sent. The last record of a killed process may be missing. */
    private void verifyOrigins(final Membership receiver)
    {
        receiver.delivered.forEach((key, list) ->
        {
            final Membership sender = byKey.get(key);
            final Set<Integer> accepted = new HashSet<>();
            for (int i = 0; sender != null && i < sender.accepted.size(); i += 3)
            {
                accepted.add(sender.accepted.getInt(i));
            }
            for (int i = 0; i < list.size(); i++)
            {
                if (sender == null || (!sender.process.isKilled() && !accepted.contains(list.getInt(i))))
                {
                    faults.add(Faults.Kind.PHANTOM, 1, MemberRecord.text(list.getInt(i)) + " of key=" + key + " at " +
                        receiver);
                }
            }
        });
    }

    private static String text(final long message)
    {
        return MemberRecord.text((int)message) + " of key=" + (message >> Integer.SIZE);
    }
}
