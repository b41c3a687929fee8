// SPDX-License-Identifier: Apache-2.0
package org.grim.members;

import java.util.Arrays;

import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.Grim;
import org.grim.group.Group;
import org.grim.group.Group.Status;
import org.slf4j.LoggerFactory;

/**
 * The operations of a member: those of the plan, in its order, some at once.
 * <p>Thread: the member's.
 */
final class OperationRuns
{
    private static final int SLOT_COUNT = 3;

    private final Calls calls;
    private final long planSeed;
    private final Slot[] slots = new Slot[SLOT_COUNT];
    private Group group;
    private int number;

    OperationRuns(final Calls calls, final long planSeed, final Grim grim)
    {
        this.calls = calls;
        this.planSeed = planSeed;
        for (int i = 0; i < SLOT_COUNT; i++)
        {
            final boolean isRegistered = i == 0;
            slots[i] = new Slot(isRegistered ? grim.endpoint().memory().register(OperationPlan.roomLength()).buffer() :
                new UnsafeBuffer(new byte[OperationPlan.roomLength()]),
                isRegistered ? grim.endpoint().memory().register(OperationPlan.roomLength()).buffer() :
                new UnsafeBuffer(new byte[OperationPlan.roomLength()]));
        }
    }

    void enter(final Group newGroup)
    {
        group = newGroup;
        for (final Slot slot : slots)
        {
            slot.request = group.newRequest();
        }
        renewed();
    }

    /** The first operation of the epoch is the next one. */
    void renewed()
    {
        number = 0;
    }

    /** Operations that this member has begun in the epoch. */
    int number()
    {
        return number;
    }

    boolean isIdle()
    {
        for (final Slot slot : slots)
        {
            if (slot.plan != null)
            {
                return false;
            }
        }
        return true;
    }

    /** Begins the next one, if there is room for it. */
    void begin()
    {
        for (final Slot slot : slots)
        {
            if (slot.plan == null)
            {
                final OperationPlan plan =
                    OperationPlan.of(planSeed, (int)group.epoch(), number, group.rank(), group.size());
                if (!plan.hasRoom())
                {
                    return;
                }
                slot.plan = plan;
                slot.epoch = (int)group.epoch();
                slot.number = number;
                number++;
                calls.record(MemberRecord.OPERATION, slot.epoch, slot.number, MemberRecord.code(plan.flaw()));
                if (!calls.get(MemberRecord.Call.OPERATION, () ->
                {
                    plan.begin(group, slot.source, slot.target, slot.request);
                    return true;
                }, false))
                {
                    LoggerFactory.getLogger(OperationRuns.class).error("in epoch={} number={} {}", slot.epoch,
                        slot.number, plan);
                }
                return;
            }
        }
    }

    /** Says what has ended; true if members have changed. */
    boolean look()
    {
        boolean isChanged = false;
        for (final Slot slot : slots)
        {
            if (slot.plan != null && slot.request.isComplete())
            {
                final Status status = slot.request.status();
                calls.record(MemberRecord.OPERATION_ENDED, slot.epoch, slot.number, MemberRecord.code(status));
                if (status == Status.DONE && !slot.plan.isRight(slot.target))
                {
                    calls.record(MemberRecord.WRONG, slot.epoch, slot.number, slot.plan.kind());
                    LoggerFactory.getLogger(OperationRuns.class).error("wrong in epoch={} number={} {}", slot.epoch,
                        slot.number, slot.plan);
                }
                slot.plan = null;
                isChanged |= status == Status.GROUP_CHANGED;
            }
        }
        return isChanged;
    }

    /** Text for finding the member that others wait for. */
    @Override
    public String toString()
    {
        return "begun=" + number + " open=" + Arrays.stream(slots).filter(slot -> slot.plan != null).map(slot ->
            slot.number + " of " + slot.epoch + " " + slot.plan + " " + slot.request.status()).toList();
    }

    /** Memory and request of an operation at a time. */
    private static final class Slot
    {
        private final MutableDirectBuffer source;
        private final MutableDirectBuffer target;
        private Group.Request request;
        private OperationPlan plan;
        private int epoch;
        private int number;

        Slot(final MutableDirectBuffer source, final MutableDirectBuffer target)
        {
            this.source = source;
            this.target = target;
        }
    }
}
