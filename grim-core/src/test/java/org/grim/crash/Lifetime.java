// SPDX-License-Identifier: Apache-2.0
package org.grim.crash;

import java.util.ArrayList;
import java.util.List;

import org.agrona.concurrent.AtomicBuffer;

/**
 * Progress of a process: its steps are stores and changes of the file system, and it ends before a given one. Plain
 * stores since the last step that orders them may each have become visible or not: a mask says which.
 * <p>Thread: the process's.
 */
public class Lifetime
{
    private final List<PlainStore> unordered = new ArrayList<>();
    private final long visibleMask;
    private final int stepCount;
    private int stepsLeft;
    private int unorderedCount;
    private boolean isOver;
    private boolean isImmortal;

    /** Effect of a plain store. */
    private static final class PlainStore
    {
        private final AtomicBuffer memory;
        private final int index;
        private final byte[] before;
        private final byte[] after;

        PlainStore(final AtomicBuffer memory, final int index, final byte[] before)
        {
            this.memory = memory;
            this.index = index;
            this.before = before;
            after = new byte[before.length];
            memory.getBytes(index, after);
        }

        void undo()
        {
            memory.putBytes(index, before);
        }

        void redo()
        {
            memory.putBytes(index, after);
        }
    }

    /** The process is dead: unwinds to the test. */
    public static final class Death extends RuntimeException
    {
        private static final long serialVersionUID = 1L;

        Death()
        {
            super("process killed", null, false, false);
        }
    }

    /** A life of some steps, and which of the last plain stores are seen after its end: the first is bit 0. */
    public Lifetime(final int stepCount, final long visibleMask)
    {
        this.stepCount = stepCount;
        this.visibleMask = visibleMask;
        stepsLeft = stepCount;
    }

    /** A life without an end. */
    public static Lifetime endless()
    {
        return new Lifetime(Integer.MAX_VALUE, 0);
    }

    /** The same life from its beginning. */
    public final void again()
    {
        stepsLeft = stepCount;
        isOver = false;
        unordered.clear();
    }

    /** While it is immortal, steps do not count: for what comes before and after the part that is enumerated. */
    public final void immortal(final boolean isImmortalNow)
    {
        isImmortal = isImmortalNow;
    }

    /** True after its death. */
    public final boolean isOver()
    {
        return isOver;
    }

    /** Returns the number of plain stores that may or may not have become visible when the process died. */
    public final int unorderedCount()
    {
        return unorderedCount;
    }

    /** A step that orders all stores before it: of the file system, for instance. */
    public final void orderedStep()
    {
        step();
        unordered.clear();
    }

    /** The next step is about to be made. The dead make no more, also in their finally blocks. */
    final void step()
    {
        if (isImmortal)
        {
            return;
        }
        if (isOver)
        {
            throw new Death();
        }
        if (stepsLeft == 0)
        {
            end();
        }
        stepsLeft--;
    }

    final void ordered()
    {
        unordered.clear();
    }

    final void stored(final AtomicBuffer memory, final int index, final byte[] before)
    {
        unordered.add(new PlainStore(memory, index, before));
    }

    /** Ends the process before the step that is one too many. Returns only if there are more steps after all. */
    protected void end()
    {
        die();
    }

    /** Ends the process here: only those of its last plain stores stay whose bit is set. */
    protected final void die()
    {
        isOver = true;
        unorderedCount = unordered.size();
        for (int i = unorderedCount - 1; i >= 0; i--)
        {
            unordered.get(i).undo();
        }
        for (int i = 0; i < unorderedCount; i++)
        {
            if ((visibleMask & 1L << i) != 0)
            {
                unordered.get(i).redo();
            }
        }
        unordered.clear();
        throw new Death();
    }

    @Override
    public String toString()
    {
        return "steps=" + stepCount + " visible=0b" + Long.toBinaryString(visibleMask);
    }
}
