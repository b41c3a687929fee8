// SPDX-License-Identifier: Apache-2.0
package org.grim.members;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.Grim;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.SendStatus;
import org.grim.group.Group;
import org.grim.transport.HopClaim;

/**
 * Disturbances of a group by a member that polls seldom, claims that it holds, queues that it fills.
 * <p>Thread: the member's.
 */
final class Disturbances
{
    private static final int FILL_COUNT_MAX = 200;
    private static final int FILL_LENGTH = 700;
    private static final long CLAIM_NS_MAX = TimeUnit.MILLISECONDS.toNanos(150);
    private static final long SLOW_NS_MAX = TimeUnit.MILLISECONDS.toNanos(1_500);
    private static final long SLOW_PAUSE_NS_MAX = TimeUnit.MILLISECONDS.toNanos(120);

    private final SplittableRandom random;
    private final Calls calls;
    private final Grim grim;
    private final HandlerId handler;
    private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[FILL_LENGTH]);
    private final HopClaim claim = new HopClaim();
    private Link claimed;
    private long claimEndNs;
    private long slowEndNs = System.nanoTime();

    Disturbances(final SplittableRandom random, final Calls calls, final Grim grim)
    {
        this.random = random;
        this.calls = calls;
        this.grim = grim;
        handler = grim.handlers().register("ballast", message ->
        {
        });
    }

    void step(final Group group, final long nowNs)
    {
        if (claimed != null && claimEndNs - nowNs < 0)
        {
            endClaim();
        }
        final int dice = random.nextInt(1_000);
        if (dice < 10 && claimed == null)
        {
            claim(linkTo(group), nowNs);
        }
        else if (dice < 18)
        {
            fill(linkTo(group));
        }
        else if (dice < 21)
        {
            slowEndNs = nowNs + random.nextLong(SLOW_NS_MAX);
        }
        if (slowEndNs - nowNs > 0)
        {
            LockSupport.parkNanos(random.nextLong(SLOW_PAUSE_NS_MAX));
        }
    }

    /** Ends what is open: before calls that wait for others, and for good. */
    void endClaim()
    {
        if (claimed != null)
        {
            claimed = null;
            calls.get(MemberRecord.Call.LINK, () ->
            {
                if (random.nextBoolean())
                {
                    claim.publish();
                }
                else
                {
                    claim.abort();
                }
                return true;
            }, false);
        }
    }

    private Link linkTo(final Group group)
    {
        return grim.endpoint().link(group.member(random.nextInt(group.size())));
    }

    private void claim(final Link link, final long nowNs)
    {
        final SendStatus status = calls.get(
            MemberRecord.Call.LINK, () -> link.tryClaim(handler, random.nextInt(FILL_LENGTH), claim), null);
        if (status != null && status.isAccepted())
        {
            claimed = link;
            claimEndNs = nowNs + random.nextLong(CLAIM_NS_MAX);
            calls.record(MemberRecord.CLAIM, 0, 0, 0);
        }
    }

    /** Until its queue is full. */
    private void fill(final Link link)
    {
        for (int i = 0; i < FILL_COUNT_MAX && link != claimed && calls.get(MemberRecord.Call.LINK,
            () -> link.send(handler, bytes, 0, random.nextInt(FILL_LENGTH)), SendStatus.CLOSED).isAccepted(); i++)
        {
            // Nobody counts them.
        }
    }
}
