// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToIntFunction;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.EndpointId;
import org.grim.device.DeviceCode;
import org.grim.device.DeviceContext;
import org.grim.device.DeviceException;
import org.grim.device.DeviceRequest;

/**
 * Requests of owners for their pages. One that finds its page being copied waits, and so do all behind it.
 * <p>Thread: the runner's.
 */
final class PageRequests
{
    private static final int PAGE_MASK = 0xFFFF;
    private static final UnsafeBuffer NOTHING = new UnsafeBuffer(new byte[0]);

    private final PageFrames frames;
    private final PageSpaces spaces;
    private final ToIntFunction<EndpointId> incarnations;
    private final Deque<Waiting> waiting = new ArrayDeque<>();

    /** Execution of a request; returns the payload of its answer, or null if its page is being copied. */
    @FunctionalInterface
    private interface Action
    {
        UnsafeBuffer execute(DeviceRequest request, int owner, int incarnation);
    }

    /** A request that has to be executed or answered. */
    private static final class Waiting
    {
        private final DeviceRequest request;
        private final Action action;
        private UnsafeBuffer answer;
        private DeviceException refusal;

        private Waiting(final DeviceRequest request, final Action action)
        {
            this.request = request;
            this.action = action;
        }
    }

    PageRequests(
        final DeviceContext context, final PageFrames frames, final PageSpaces spaces,
        final ToIntFunction<EndpointId> incarnations, final CheckpointRequests checkpoints)
    {
        this.frames = frames;
        this.spaces = spaces;
        this.incarnations = incarnations;
        handle(context, "page.load", "a0 page, a1 offset, a2 length; answer: the bytes", this::load);
        handle(context, "page.store", "a0 page, a1 offset; the bytes", this::store);
        handle(context, "page.pin", "a0 page, which stays in a frame", this::pin);
        handle(context, "page.unpin", "a0 page", this::unpin);
        handle(context, "page.free", "a0 first page, a1 pages, which are zeros again", this::free);
        handle(context, CheckpointFormat.BEGIN, "a0 space, a1 checkpoint that the owner has", of(checkpoints::begin));
        handle(context, CheckpointFormat.READ, "a0 space and page, a1 offset; answer: a part of the page",
            of(checkpoints::read));
        handle(context, CheckpointFormat.END, "a0 space, a1 checkpoint that the owner has", of(checkpoints::end));
        handle(context, CheckpointFormat.RESTORE, "a0 space and connection, a1 sequence; kernel runs",
            of(checkpoints::restore));
        handle(context, CheckpointFormat.WRITE, "a0 space and page, a1 offset; the bytes", of(checkpoints::write));
    }

    private void handle(final DeviceContext context, final String name, final String arguments, final Action action)
    {
        context.handle(name, arguments, request ->
        {
            final UnsafeBuffer answer = waiting.isEmpty() ? execute(request, action) : null;
            if (answer == null)
            {
                request.keep();
                waiting.add(new Waiting(request, action));
            }
            else
            {
                request.answer(0, 0, answer, 0, answer.capacity());
            }
        });
    }

    private static Action of(final Function<CheckpointRequests.Request, UnsafeBuffer> action)
    {
        return (request, owner, incarnation) -> action.apply(new CheckpointRequests.Request(owner, incarnation,
            request.argument(0), request.argument(1), request.buffer(), request.offset(), request.length()));
    }

    private UnsafeBuffer execute(final DeviceRequest request, final Action action)
    {
        return action.execute(request, request.source().key(), incarnations.applyAsInt(request.source()));
    }

    /** Goes on with requests that wait. Returns pieces of work done. */
    int step()
    {
        int workCount = 0;
        while (!waiting.isEmpty() && isEnded(waiting.peek()))
        {
            waiting.poll();
            workCount++;
        }
        return workCount;
    }

    private boolean isEnded(final Waiting each)
    {
        if (each.answer == null && each.refusal == null)
        {
            try
            {
                each.answer = execute(each.request, each.action);
            }
            catch (final DeviceException ex)
            {
                each.refusal = ex;
            }
            catch (final IllegalArgumentException ex)
            {
                each.refusal = new DeviceException(DeviceCode.BAD_REQUEST, ex.getMessage());
            }
        }
        if (each.refusal != null)
        {
            return each.request.refuse(each.refusal);
        }
        return each.answer != null && each.request.answer(0, 0, each.answer, 0, each.answer.capacity());
    }

    private UnsafeBuffer load(final DeviceRequest request, final int owner, final int incarnation)
    {
        final int length = request.argument(2);
        frames.requireRange(request.argument(1), length);
        final UnsafeBuffer answer = new UnsafeBuffer(new byte[length]);
        final Page page = spaces.find(owner, incarnation, request.argument(0));
        return page == null || frames.read(page, request.argument(1), answer, length) ? answer : null;
    }

    private UnsafeBuffer store(final DeviceRequest request, final int owner, final int incarnation)
    {
        frames.requireRange(request.argument(1), request.length());
        final Page page = spaces.page(owner, incarnation, request.argument(0));
        return frames.write(page, request.argument(1), request.buffer(), request.offset(), request.length()) ?
            NOTHING : null;
    }

    private UnsafeBuffer pin(final DeviceRequest request, final int owner, final int incarnation)
    {
        frames.pin(spaces.page(owner, incarnation, request.argument(0)));
        return NOTHING;
    }

    private UnsafeBuffer unpin(final DeviceRequest request, final int owner, final int incarnation)
    {
        final Page page = spaces.find(owner, incarnation, request.argument(0));
        if (page != null)
        {
            frames.unpin(page);
        }
        return NOTHING;
    }

    private UnsafeBuffer free(final DeviceRequest request, final int owner, final int incarnation)
    {
        final int first = request.argument(0) & PAGE_MASK;
        final int count = request.argument(1);
        if (count < 1 || (long)first + count > spaces.quota())
        {
            throw new IllegalArgumentException("pages=" + count + " from page=" + first +
                " on are outside of the owner's pages: page-quota=" + spaces.quota());
        }
        for (int i = 0; i < count; i++)
        {
            spaces.free(owner, incarnation, request.argument(0) + i);
        }
        return NOTHING;
    }

    /** Adds what the pages are, for people. */
    void status(final Map<String, Object> values)
    {
        values.put("pages", spaces.pageCount());
        values.put("page-owners", spaces.ownerCount());
        values.put("frames", frames.frameCount());
        values.put("frames-used", frames.usedCount());
        values.put("frames-dirty", frames.dirtyCount());
        values.put("frames-pinned", frames.pinnedCount());
        values.put("page-faults", frames.faultCount());
        values.put("pages-evicted", frames.evictionCount());
        values.put("pages-stored", frames.storeCount());
        values.put("pages-cleaned", frames.cleanCount());
        values.put("page-checkpoints", spaces.checkpointCount());
        values.put("page-copies", spaces.copyCount());
    }
}
