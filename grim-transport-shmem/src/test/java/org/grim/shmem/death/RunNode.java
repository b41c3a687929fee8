// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem.death;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.grim.death.Faults;

/** All that is known of one incarnation of a victim: its own history, and what the survivor saw of it. */
final class RunNode
{
    static final int NEVER = -1;

    final Run run;
    final String name;
    final int key;

    /** Written by the reader of the victim's history. */
    final Map<Integer, Integer> accepted = new ConcurrentHashMap<>();
    volatile int number = NEVER;
    volatile int incarnation = NEVER;
    volatile int dripDelivered;

    /** Written by the survivor. */
    final Map<Integer, Integer> delivered = new ConcurrentHashMap<>();
    volatile int dripSent;
    volatile boolean isDripEnded;
    volatile long goneNs;
    volatile long peerGoneNs;
    volatile long reclaimedNs;
    volatile long undelivered;
    volatile long unknown;

    RunNode(final Run run, final String name, final int key)
    {
        this.run = run;
        this.name = name;
        this.key = key;
    }

    boolean hasJoined()
    {
        return number != NEVER;
    }

    boolean isSettled()
    {
        return goneNs != 0 && reclaimedNs != 0;
    }

    /** Every accepted message has arrived; one more may have, whose sender was killed before it wrote that down. */
    boolean hasAllArrived()
    {
        return accepted.entrySet().stream()
            .allMatch(entry -> delivered.getOrDefault(entry.getKey(), 0) >= entry.getValue());
    }

    void verify(final Faults faults)
    {
        accepted.forEach((stream, count) ->
        {
            final int arrived = delivered.getOrDefault(stream, 0);
            if (arrived < count)
            {
                faults.add(Faults.Kind.LOST, count - arrived,
                    this + " stream=" + stream + " accepted=" + count + " delivered=" + arrived);
            }
        });
        delivered.forEach((stream, count) ->
        {
            final int sent = accepted.getOrDefault(stream, 0);
            if (count > sent + 1)
            {
                faults.add(Faults.Kind.PHANTOM, count - sent - 1,
                    this + " stream=" + stream + " accepted=" + sent + " delivered=" + count);
            }
        });
        if (!isSettled())
        {
            faults.add(Faults.Kind.UNRESOLVED, 1, this + " gone=" + goneNs + " reclaimed=" + reclaimedNs);
        }
        else
        {
            verifyDrip(faults);
        }
    }

    /**
     * sent = delivered + undelivered + unknown, where the victim's own word bounds what was delivered: at least what
     * it wrote down, and of what the survivor counts as handled, all but the one that it was killed over. The
     * exchange of handler names sends some messages of its own, and repeats them until they are answered.
     */
    private void verifyDrip(final Faults faults)
    {
        final int own = 64;
        final long handled = dripSent - undelivered - unknown;
        if (handled > dripDelivered + 1 || handled < -own || dripSent - undelivered + own < dripDelivered ||
            dripDelivered > dripSent)
        {
            faults.add(Faults.Kind.UNRESOLVED, 1, this + " survivor sent=" + dripSent + " victim handled=" +
                dripDelivered + " undelivered=" + undelivered + " unknown=" + unknown);
        }
    }

    @Override
    public String toString()
    {
        return name + " key=" + key + " node=" + number + " incarnation=" + incarnation;
    }
}
