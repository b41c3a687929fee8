// SPDX-License-Identifier: Apache-2.0
package org.grim.mpi;

import java.util.function.Consumer;

import org.agrona.BitUtil;
import org.agrona.collections.Hashing;

/**
 * Receives that are posted, and messages that nobody expected: which belongs to which. Messages with the same context,
 * source and tag are taken in the order in which they came, by receives in the order in which they were posted (MPI
 * 3.1, section 3.5). Exact envelopes are found by a hash, receives with wildcards in a list of their own, and
 * messages for them in the order of arrival.
 * <p>Thread: one at a time.
 */
final class Matching
{
    private static final int BUCKET_COUNT = 256;

    private final EntryList[] posted = buckets();
    private final EntryList wild = new EntryList();
    private final EntryList[] arrived = buckets();
    private Entry oldest;           // Of all arrivals.
    private Entry newest;
    private long lastNumber;
    private int postedCount;
    private int arrivedCount;

    /** Posts a receive for which no message has come. */
    void post(final Entry receive)
    {
        receive.number = ++lastNumber;
        (receive.isWild() ? wild : bucket(posted, receive.context, receive.source, receive.tag)).add(receive);
        postedCount++;
    }

    /** Takes the receive that was posted first of those that take a message; null if there is none. */
    Entry takePosted(final int context, final int source, final int tag)
    {
        if (postedCount == 0)
        {
            return null;
        }
        final Entry exact = first(bucket(posted, context, source, tag), context, source, tag);
        final Entry any = first(wild, context, source, tag);
        final Entry found = exact == null || (any != null && any.number < exact.number) ? any : exact;
        if (found != null)
        {
            cancel(found);
        }
        return found;
    }

    /** Takes back a receive that is posted. */
    void cancel(final Entry receive)
    {
        receive.list.remove(receive);
        postedCount--;
        assert postedCount >= 0 : postedCount;
    }

    /** A message has come that no posted receive takes. */
    void arrive(final Entry message)
    {
        bucket(arrived, message.context, message.source, message.tag).add(message);
        message.olderOfAll = newest;
        message.newerOfAll = null;
        if (newest == null)
        {
            oldest = message;
        }
        else
        {
            newest.newerOfAll = message;
        }
        newest = message;
        arrivedCount++;
    }

    /** Finds the message that came first of those that a receive takes; null if there is none. It stays. */
    Entry findArrived(final int context, final int source, final int tag)
    {
        if (arrivedCount == 0)
        {
            return null;
        }
        if (source != Entry.ANY && tag != Entry.ANY)
        {
            Entry next = bucket(arrived, context, source, tag).first();
            while (next != null && (next.context != context || next.source != source || next.tag != tag))
            {
                next = next.after;
            }
            return next;
        }
        Entry next = oldest;
        while (next != null && (next.context != context || (source != Entry.ANY && next.source != source) ||
            (tag == Entry.ANY ? next.tag < 0 : next.tag != tag)))
        {
            next = next.newerOfAll;
        }
        return next;
    }

    /** Takes out a message that has come. */
    void take(final Entry message)
    {
        message.list.remove(message);
        if (message.olderOfAll == null)
        {
            oldest = message.newerOfAll;
        }
        else
        {
            message.olderOfAll.newerOfAll = message.newerOfAll;
        }
        if (message.newerOfAll == null)
        {
            newest = message.olderOfAll;
        }
        else
        {
            message.newerOfAll.olderOfAll = message.olderOfAll;
        }
        message.olderOfAll = null;
        message.newerOfAll = null;
        arrivedCount--;
        assert arrivedCount >= 0 : arrivedCount;
    }

    /** {@return receives that wait for a message} */
    int postedCount()
    {
        return postedCount;
    }

    /** {@return messages that wait for a receive} */
    int arrivedCount()
    {
        return arrivedCount;
    }

    /** {@return the message that came first of all; null if there is none} */
    Entry oldest()
    {
        return oldest;
    }

    /** Has each posted receive looked at by a visitor, which may cancel it. */
    void forEachPosted(final Consumer<Entry> visitor)
    {
        visit(wild, visitor);
        for (final EntryList bucket : posted)
        {
            visit(bucket, visitor);
        }
    }

    private static void visit(final EntryList list, final Consumer<Entry> visitor)
    {
        Entry next = list.first();
        while (next != null)
        {
            final Entry after = next.after;
            visitor.accept(next);
            next = after;
        }
    }

    private static Entry first(final EntryList list, final int context, final int source, final int tag)
    {
        Entry next = list.first();
        while (next != null && !next.takes(context, source, tag))
        {
            next = next.after;
        }
        return next;
    }

    private static EntryList bucket(
        final EntryList[] buckets, final int context, final int source, final int tag)
    {
        final long pair = (long)source << Integer.SIZE | Integer.toUnsignedLong(tag);
        return buckets[Hashing.hash(pair ^ (long)context * BUCKET_COUNT * Integer.MAX_VALUE, BUCKET_COUNT - 1)];
    }

    private static EntryList[] buckets()
    {
        assert BitUtil.isPowerOfTwo(BUCKET_COUNT);
        final EntryList[] buckets = new EntryList[BUCKET_COUNT];
        for (int i = 0; i < BUCKET_COUNT; i++)
        {
            buckets[i] = new EntryList();
        }
        return buckets;
    }
}
