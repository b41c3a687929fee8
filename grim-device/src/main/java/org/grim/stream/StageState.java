// SPDX-License-Identifier: Apache-2.0
package org.grim.stream;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.EndpointId;
import org.grim.device.accelerator.CheckpointFormat;
import org.grim.device.accelerator.PageOperands;

import static org.agrona.BitUtil.SIZE_OF_LONG;

/**
 * Owner's copy of the pages of one stage: fetches checkpoints, each as a whole or not at all, and writes the last one
 * to the device that takes a dead one's place. One request is under way at a time. Has no clock and no thread.
 * <p>Thread: the one that polls the streams.
 */
class StageState
{
    private static final UnsafeBuffer NOTHING = new UnsafeBuffer(new byte[0]);

    private final StreamPort port;
    private final CheckpointMemory memory;
    private final int connection;
    private final int space;
    private int interval;
    private Map<Integer, byte[]> pages = new TreeMap<>();       // Of the last checkpoint; others are zeros.
    private final Map<Integer, byte[]> fetched = new TreeMap<>();
    private final Deque<Integer> open = new ArrayDeque<>();     // Pages to fetch or write.
    private Phase phase = Phase.IDLE;
    private StreamPort.Call call;
    private CheckpointFormat.Begun begun;
    private int offset;                     // In the first of them.
    private int pageLength;
    private int number;                     // Of the last checkpoint at the device.
    private int endNumber;
    private long sequence;
    private long runs;
    private boolean isAny;                  // A checkpoint is there.
    private boolean isNew;                  // And was not reported.
    private boolean isAsked;
    private long beginSequence;
    private long dueSequence;
    private EndpointId place;               // Device of the pages; null: they are lost.
    private EndpointId target;              // Device that they are written to, or were.
    private boolean wasPlaced;
    private String failure;

    /** Step of a checkpoint, or of its return. */
    private enum Phase
    {
        /** Nothing is under way. */
        IDLE,
        /** The device is to begin a checkpoint. */
        BEGIN,
        /** Pages are fetched. */
        FETCH,
        /** The device is to forget its checkpoint. */
        END,
        /** The device is to begin again with the account of the checkpoint. */
        RESTORE,
        /** Pages are written. */
        WRITE,
        /** All pages are at the new device. */
        RESTORED
    }

    StageState(final StreamPort port, final CheckpointMemory memory, final int connection, final int space)
    {
        this.port = port;
        this.memory = memory;
        this.connection = connection;
        this.space = space;
    }

    int space()
    {
        return space;
    }

    /** Sets how many items lie between checkpoints. */
    void interval(final int items)
    {
        interval = items;
    }

    /** Has a checkpoint begin soon. */
    void ask()
    {
        isAsked = true;
    }

    /** Notes that the path with the stage is in use. Returns whether its pages are those of the last checkpoint. */
    boolean placed(final EndpointId device)
    {
        final boolean wasRestored = place == null && wasPlaced;
        place = device;
        target = null;
        wasPlaced = true;
        phase = phase == Phase.RESTORED ? Phase.IDLE : phase;
        return wasRestored;
    }

    /** Notes that the pages are lost: a checkpoint under way is given up, and the one before stays. */
    void lost()
    {
        if (place != null)
        {
            place = null;
            giveUp();
            call = null;
            phase = Phase.IDLE;
        }
    }

    /** Returns the account of the last checkpoint; null if there is none. */
    Checkpoint account()
    {
        return isAny ? new Checkpoint(sequence, runs, pages.size(), length(pages)) : null;
    }

    /** Returns the last item whose effects the restored pages have. */
    long sequence()
    {
        return sequence;
    }

    byte[] page(final int page)
    {
        return pages.get(page);
    }

    /** Returns why the last checkpoint has failed, once; null if it has not. */
    String takeFailure()
    {
        final String taken = failure;
        failure = null;
        return taken;
    }

    /** Says whether a checkpoint was completed since the last question. */
    boolean takeNews()
    {
        final boolean taken = isNew;
        isNew = false;
        return taken;
    }

    /** Returns bytes that are kept. */
    private static long length(final Map<Integer, byte[]> kept)
    {
        return kept.values().stream().mapToLong(page -> page.length).sum();
    }

    /** Frees all. */
    void close()
    {
        giveUp();
        memory.give(length(pages));
        pages.clear();
        phase = Phase.IDLE;
        call = null;
        place = null;
    }

    private void giveUp()
    {
        memory.give(length(fetched));
        fetched.clear();
        open.clear();
        offset = 0;
    }

    /**
     * Goes on with a checkpoint, or begins one.
     *
     * @param accounted last item that the sink has accounted for.
     * @param mayBegin  whether no change of the path is under way.
     * @return pieces of work done.
     */
    int step(final long accounted, final boolean mayBegin)
    {
        return switch (phase)
        {
            case IDLE -> stepIdle(accounted, mayBegin);
            case BEGIN -> call.isComplete() ? afterBegin() : 0;
            case FETCH -> stepFetch();
            case END -> stepEnd();
            case RESTORE, WRITE, RESTORED -> 0;
        };
    }

    private int stepIdle(final long accounted, final boolean mayBegin)
    {
        if (!mayBegin || place == null || !(isAsked || accounted >= dueSequence))
        {
            return 0;
        }
        call = port.call(place.key(), port.handler(CheckpointFormat.BEGIN), space, number, NOTHING, 0);
        if (call == null)
        {
            return 0;
        }
        isAsked = false;
        beginSequence = accounted;
        dueSequence = accounted + interval;
        phase = Phase.BEGIN;
        return 1;
    }

    private int afterBegin()
    {
        try
        {
            requireAnswer();
            begun = CheckpointFormat.Begun.readFrom(call.buffer(), call.length());
            for (final int page : begun.pages())
            {
                open.add(page);
            }
            phase = Phase.FETCH;
            call = null;
            endsIfComplete();
        }
        catch (final IllegalArgumentException ex)
        {
            fail(ex);
        }
        return 1;
    }

    private void requireAnswer()
    {
        if (call.refusal() != null)
        {
            throw new IllegalArgumentException(call.refusal());
        }
    }

    private void fail(final IllegalArgumentException reason)
    {
        failure = reason.getMessage();
        giveUp();
        endNumber = 0;
        call = null;
        phase = Phase.END;
    }

    private int stepFetch()
    {
        if (call == null)
        {
            call = port.call(place.key(), port.handler(CheckpointFormat.READ), page(), offset, NOTHING, 0);
            return call == null ? 0 : 1;
        }
        if (!call.isComplete())
        {
            return 0;
        }
        try
        {
            requireAnswer();
            take();
            call = null;
            endsIfComplete();
        }
        catch (final IllegalArgumentException ex)
        {
            fail(ex);
        }
        return 1;
    }

    /** Composes the number of the first open page. */
    private int page()
    {
        return PageOperands.pageOf(space, open.peek());
    }

    private void take()
    {
        final int length = Math.min(CheckpointFormat.PART_LENGTH_MAX, begun.pageLength() - offset);
        if (call.length() != length)
        {
            throw new IllegalArgumentException("part of length=" + call.length() + ", expected " + length);
        }
        if (offset == 0)
        {
            memory.take(begun.pageLength());
            fetched.put(open.peek(), new byte[begun.pageLength()]);
        }
        call.buffer().getBytes(0, fetched.get(open.peek()), offset, length);
        offset += length;
        if (offset == begun.pageLength())
        {
            offset = 0;
            open.poll();
        }
    }

    /** The checkpoint takes the place of the one before, when all its pages are here. */
    private void endsIfComplete()
    {
        if (!isComplete(open))
        {
            return;
        }
        if (begun.isWhole())
        {
            memory.give(length(pages));
            pages = new TreeMap<>();
        }
        fetched.forEach(this::keep);
        fetched.clear();
        sequence = StreamFormat.sequence(beginSequence, begun.sequence());
        runs = begun.runs();
        pageLength = begun.pageLength();
        number = begun.number();
        endNumber = number;
        isAny = true;
        isNew = true;
        open.clear();
        phase = Phase.END;
    }

    /** Says whether a checkpoint may take the place of the one before. */
    boolean isComplete(final Deque<Integer> missing)
    {
        return missing.isEmpty();
    }

    /** Keeps a page that is not all zeros. */
    private void keep(final int page, final byte[] bytes)
    {
        boolean isZero = true;
        for (int i = 0; i < bytes.length && isZero; i++)
        {
            isZero = bytes[i] == 0;
        }
        final byte[] before = isZero ? pages.remove(page) : pages.put(page, bytes);
        memory.give((isZero ? bytes.length : 0) + (before == null ? 0 : before.length));
    }

    private int stepEnd()
    {
        if (call == null)
        {
            call = port.call(place.key(), port.handler(CheckpointFormat.END), space, endNumber, NOTHING, 0);
            return call == null ? 0 : 1;
        }
        if (!call.isComplete())
        {
            return 0;
        }
        call = null;                        // If it is refused, the next checkpoint names this one.
        phase = Phase.IDLE;
        return 1;
    }

    /** Says whether the pages have to be written to a device before its entry is set. */
    boolean mustRestore()
    {
        return place == null && wasPlaced;
    }

    /** Begins to write the last checkpoint to a device. */
    void restore(final EndpointId device)
    {
        target = device;
        call = null;
        offset = 0;
        open.clear();
        open.addAll(pages.keySet());
        phase = Phase.RESTORE;
    }

    boolean isRestored()
    {
        return phase == Phase.RESTORED;
    }

    /** Goes on with the write. Returns pieces of work done. A failure ends the attempt. */
    int stepRestore()
    {
        if (phase == Phase.RESTORED)
        {
            return 0;
        }
        if (call == null)
        {
            call = phase == Phase.RESTORE ? callRestore() : callWrite();
            return call == null ? 0 : 1;
        }
        if (!call.isComplete())
        {
            return 0;
        }
        try
        {
            requireAnswer();
            afterRestoreCall();
        }
        catch (final IllegalArgumentException ex)
        {
            failure = ex.getMessage();
        }
        call = null;
        return 1;
    }

    private StreamPort.Call callRestore()
    {
        final UnsafeBuffer payload = new UnsafeBuffer(new byte[SIZE_OF_LONG]);
        CheckpointFormat.runs(payload, runs);
        return port.call(target.key(), port.handler(CheckpointFormat.RESTORE),
            CheckpointFormat.spaceOf(space, connection), (int)sequence, payload, SIZE_OF_LONG);
    }

    private StreamPort.Call callWrite()
    {
        final byte[] bytes = pages.get(open.peek());
        final int length = Math.min(CheckpointFormat.PART_LENGTH_MAX, bytes.length - offset);
        return port.call(target.key(), port.handler(CheckpointFormat.WRITE), page(), offset,
            new UnsafeBuffer(bytes, offset, length), length);
    }

    private void afterRestoreCall()
    {
        if (phase == Phase.RESTORE)
        {
            number = CheckpointFormat.restoredNumber(call.buffer(), call.length(), pageLength);
            phase = Phase.WRITE;
        }
        else
        {
            offset += CheckpointFormat.PART_LENGTH_MAX;
            if (offset >= pages.get(open.peek()).length)
            {
                offset = 0;
                open.poll();
            }
        }
        phase = open.isEmpty() ? Phase.RESTORED : Phase.WRITE;
    }
}
