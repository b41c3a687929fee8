// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Loads images that items wait for, one at a time, and evicts others when there is no room. Has no clock and no thread.
 * <p>Thread: the runner's.
 */
class FunctionFaults
{
    /** Items that an image runs after its load although others wait for its room. */
    static final int QUANTUM = 64;

    /** State of the device's frame. */
    enum State
    {
        /** No item waits for an image. */
        RUNNING,
        /** An item waits for an image. */
        FAULT,
        /** The image is looked at. */
        RESOLVING,
        /** The image waits for room. */
        EVICTING,
        /** The image is being loaded. */
        LOADING;

        private boolean canBecome(final State next)
        {
            return switch (this)
            {
                case RUNNING -> next == FAULT;
                case FAULT -> next == RESOLVING;
                case RESOLVING -> next == EVICTING || next == LOADING || next == RUNNING;
                case EVICTING -> next == LOADING;
                case LOADING -> next == RUNNING;
            };
        }
    }

    private final List<ImageSlot> slots;
    private final int countMax;
    private final long lengthMax;
    private final Consumer<ImageSlot> loader;
    private final Deque<ImageSlot> waiting = new ArrayDeque<>();
    private State state = State.RUNNING;
    private ImageSlot current;
    private long sinceNs;
    private long faultCount;
    private long loadCount;
    private long loadNs;
    private long evictionCount;
    private long thrashingCount;

    /**
     * Begins without an image.
     *
     * @param slots     of the device's images.
     * @param countMax  most images that are loaded.
     * @param lengthMax most bytes of them.
     * @param loader    begins to load an image; {@link #onLoaded} ends it.
     */
    FunctionFaults(
        final List<ImageSlot> slots, final int countMax, final long lengthMax, final Consumer<ImageSlot> loader)
    {
        this.slots = slots;
        this.countMax = countMax;
        this.lengthMax = lengthMax;
        this.loader = loader;
    }

    /** Has an image loaded; asking again changes nothing. */
    void request(final ImageSlot slot)
    {
        if (slot != current && !waiting.contains(slot))
        {
            assert !slot.isLoaded() : slot;
            faultCount++;
            waiting.add(slot);
        }
    }

    /** Has an image loaded for which there is room: no item waits for it yet. */
    void prefetch(final ImageSlot slot)
    {
        if (!slot.isLoaded() && slot.failure() == null && waiting.isEmpty() && current == null && hasRoom(slot))
        {
            waiting.add(slot);
        }
    }

    /**
     * Goes on with the image whose turn it is, as far as it can.
     *
     * @param nowNs    now.
     * @param isWanted whether an item of the image can run and has not run.
     * @return pieces of work done.
     */
    int step(final long nowNs, final Predicate<ImageSlot> isWanted)
    {
        int workCount = 0;
        State before;
        do
        {
            before = state;
            workCount += stepState(nowNs, isWanted);
            sinceNs = state == before ? sinceNs : nowNs;
        }
        while (state != before && state != State.RUNNING);
        return workCount;
    }

    private int stepState(final long nowNs, final Predicate<ImageSlot> isWanted)
    {
        return switch (state)
        {
            case RUNNING -> stepRunning();
            case FAULT -> transition(State.RESOLVING);
            case RESOLVING -> stepResolving(nowNs);
            case EVICTING -> stepEvicting(nowNs, isWanted);
            case LOADING -> 0;
        };
    }

    /** Returns when the present state began. */
    long sinceNs()
    {
        return sinceNs;
    }

    /** Says what an image that is not loaded waits for; a sentence without its end. */
    String describe(final ImageSlot slot)
    {
        if (slot != current)
        {
            return "image " + slot + " waits for its turn" +
                (current == null ? "" : " behind image " + current + ", which " + verb());
        }
        return "image " + slot + " " + verb();
    }

    private String verb()
    {
        return switch (state)
        {
            case EVICTING -> "waits for room: the other images are in use";
            case LOADING -> "is loading";
            case RUNNING, FAULT, RESOLVING -> "is looked for";
        };
    }

    int quantum()
    {
        return QUANTUM;
    }

    /** Ends a load. The kernels are null if it has failed. */
    void onLoaded(
        final ImageSlot slot, final List<Kernel> kernels, final String reason, final long durationNs, final long nowNs)
    {
        if (slot != current || state != State.LOADING)
        {
            throw new IllegalStateException("image " + slot + " was not being loaded: " + current + " " + state);
        }
        if (kernels == null)
        {
            slot.failed(reason);
        }
        else
        {
            slot.loaded(kernels, durationNs, nowNs);
            loadCount++;
            loadNs += durationNs;
        }
        transition(State.RUNNING);
    }

    State state()
    {
        return state;
    }

    /** Returns the image whose turn it is; null if there is none. */
    ImageSlot current()
    {
        return current;
    }

    long faultCount()
    {
        return faultCount;
    }

    long loadCount()
    {
        return loadCount;
    }

    /** Returns the time that all loads took. */
    long loadNs()
    {
        return loadNs;
    }

    long evictionCount()
    {
        return evictionCount;
    }

    long thrashingCount()
    {
        return thrashingCount;
    }

    private int stepRunning()
    {
        current = waiting.poll();
        return current == null ? 0 : transition(State.FAULT);
    }

    private int stepResolving(final long nowNs)
    {
        if (current.image.length() > lengthMax)
        {
            current.failed("image " + current + " of length=" + current.image.length() + " exceeds image-bytes=" +
                lengthMax);
            return transition(State.RUNNING);
        }
        if (!hasRoom(current))
        {
            return transition(State.EVICTING);
        }
        return load(nowNs);
    }

    /** Evicts the image that was used least recently, of those that may be. Their turn comes: residence ends. */
    private int stepEvicting(final long nowNs, final Predicate<ImageSlot> isWanted)
    {
        ImageSlot victim = null;
        for (final ImageSlot slot : slots)
        {
            final boolean mayGo = slot.isInRoom() && !slot.isRunning() && slot.hasResided(nowNs) &&
                (slot.runCount() >= quantum() || !isWanted.test(slot));
            if (mayGo && (victim == null || slot.lastUsedNs() - victim.lastUsedNs() < 0))
            {
                victim = slot;
            }
        }
        if (victim == null)
        {
            return 0;
        }
        victim.evicted(nowNs);
        evictionCount++;
        return hasRoom(current) ? load(nowNs) : 1;
    }

    private int load(final long nowNs)
    {
        thrashingCount += current.isThrashing(nowNs) ? 1 : 0;
        transition(State.LOADING);
        loader.accept(current);
        return 1;
    }

    boolean hasRoom(final ImageSlot next)
    {
        int count = 1;
        long length = next.image.length();
        for (final ImageSlot slot : slots)
        {
            if (slot.isInRoom())
            {
                count++;
                length += slot.image.length();
            }
        }
        return count <= countMax && length <= lengthMax;
    }

    private int transition(final State next)
    {
        if (!state.canBecome(next))
        {
            throw new IllegalStateException("a fault in state " + state + " cannot become " + next);
        }
        state = next;
        if (next == State.RUNNING)
        {
            current = null;
        }
        return 1;
    }
}
