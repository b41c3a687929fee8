// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Execution of the requests of {@link CheckpointFormat}. Each returns the payload of the answer; null if a page is
 * being copied: try again. Has no clock and no thread.
 * <p>Thread: the runner's.
 */
final class CheckpointRequests
{
    private static final UnsafeBuffer NOTHING = new UnsafeBuffer(new byte[0]);
    private static final int PAGE_MASK = 0xFFFF;
    private static final int SPACE_SHIFT = 16;

    private final PageFrames frames;
    private final PageSpaces spaces;
    private final Entries entries;

    /** Entries of the device's directory. */
    @FunctionalInterface
    interface Entries
    {
        /** Frees those that use a space. */
        void free(int owner, int incarnation, int space);
    }

    /** Numbers and payload of a request. */
    record Request(int owner, int incarnation, int a0, int a1, DirectBuffer buffer, int offset, int length)
    {
    }

    CheckpointRequests(final PageFrames frames, final PageSpaces spaces, final Entries entries)
    {
        this.frames = frames;
        this.spaces = spaces;
        this.entries = entries;
    }

    UnsafeBuffer begin(final Request request)
    {
        final int space = request.a0 & PAGE_MASK;
        final boolean isWhole = spaces.beginCheckpoint(request.owner, request.incarnation, space, request.a1);
        final PageLog log = spaces.log(request.owner, request.incarnation, space);
        return new CheckpointFormat.Begun(log.cutNumber(), isWhole, log.cutSequence(), log.cutItemCount(),
            frames.memory().pageLength(), log.cutPages()).write();
    }

    UnsafeBuffer read(final Request request)
    {
        frames.requireRange(request.a1, 0);
        final PageLog log = spaces.log(request.owner, request.incarnation, request.a0 >>> SPACE_SHIFT);
        final UnsafeBuffer answer = new UnsafeBuffer(new byte[Math.min(
            CheckpointFormat.PART_LENGTH_MAX, frames.memory().pageLength() - request.a1)]);
        final Page page = spaces.find(request.owner, request.incarnation, request.a0);
        return log.read(request.a0 & PAGE_MASK, page, request.a1, answer) ? answer : null;
    }

    UnsafeBuffer end(final Request request)
    {
        spaces.log(request.owner, request.incarnation, request.a0 & PAGE_MASK).end(request.a1);
        return NOTHING;
    }

    UnsafeBuffer restore(final Request request)
    {
        final int space = request.a0 & PAGE_MASK;
        final int stream = request.a0 >>> SPACE_SHIFT;
        final long runs = CheckpointFormat.runs(request.buffer, request.offset, request.length);
        if (space == 0)
        {
            throw new IllegalArgumentException("space=0 has no checkpoints");
        }
        spaces.requireFree(request.owner, request.incarnation, space, stream);
        entries.free(request.owner, request.incarnation, space);
        return CheckpointFormat.restored(spaces.beginRestore(request.owner, request.incarnation, space, stream,
            request.a1, runs), frames.memory().pageLength());
    }

    UnsafeBuffer write(final Request request)
    {
        frames.requireRange(request.a1, request.length);
        final PageLog log = spaces.log(request.owner, request.incarnation, request.a0 >>> SPACE_SHIFT);
        final Page page = spaces.page(request.owner, request.incarnation, request.a0);
        if (!frames.write(page, request.a1, request.buffer, request.offset, request.length))
        {
            return null;
        }
        log.isOwners(page);
        return NOTHING;
    }
}
