// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.util.concurrent.ExecutionException;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Runs kernels on items: finds operands in payloads and pages, and puts results where they belong. A result that does
 * not overlap an operand is written to its page in place: if that kernel fails, this part of the page is undefined.
 * <p>Thread: the runner's.
 */
class ItemRunner
{
    private final PageSpaces spaces;
    private final PageFrames pages;
    private final KernelCall call = new KernelCall();
    private final UnsafeBuffer viewA = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer viewB = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer viewC = new UnsafeBuffer(0, 0);
    private UnsafeBuffer result = new UnsafeBuffer(new byte[0]);

    /** Space of an item's operands, and what is added to their addresses. */
    private record Addresses(int owner, int incarnation, int space, int ofItem)
    {
    }

    ItemRunner(final PageSpaces spaces, final PageFrames pages)
    {
        this.spaces = spaces;
        this.pages = pages;
    }

    /**
     * Says whether the pages of an item are all in frames: they stay there until {@link #release}. Refuses addresses
     * that are out of bounds.
     */
    boolean isReady(final StreamItem item, final int owner, final int incarnation, final PageOperands operands)
    {
        if (!ItemFormat.isWellFormed(item.a0))
        {
            throw new IllegalArgumentException("operand bits of argument 0=" + item.a0 + " have no meaning");
        }
        if (!ItemFormat.hasPages(item.a0))
        {
            return true;
        }
        final PageNeed need = item.need;
        if (!pages.isHeld(need))
        {
            if (!pages.isCurrent(need))
            {
                pages.release(need);            // The owner has freed a page meanwhile.
            }
            final int address = ItemFormat.hasConstant(item.a0) ? 0 : item.constant;
            final int length = lengthOf(item, operands);
            final Addresses addresses = new Addresses(owner, incarnation, operands.space(), address);
            find(need, PageNeed.A, ItemFormat.isAInPage(item.a0), addresses, operands.a(), length);
            find(need, PageNeed.B, ItemFormat.isBInPage(item.a0), addresses, operands.b(), length);
            find(need, PageNeed.C, ItemFormat.isCInPage(item.a0), addresses, operands.c(), 0);
            requireFrames(need);
        }
        return pages.isReady(need);
    }

    void requireFrames(final PageNeed need)
    {
        if (need.pageCount() > pages.frameCount())
        {
            throw new IllegalArgumentException(
                "item needs pages=" + need.pageCount() + " at a time, device has frames=" + pages.frameCount());
        }
    }

    private void find(
        final PageNeed need, final int operand, final boolean isInPage, final Addresses addresses, final int base,
        final int length)
    {
        if (!isInPage)
        {
            need.set(operand, null, 0);
            return;
        }
        final int offset = PageOperands.offset(base) + PageOperands.offset(addresses.ofItem);
        final int pageLength = pages.memory().pageLength();
        if ((long)offset + length > pageLength || offset >= pageLength)
        {
            throw new IllegalArgumentException("operand at offset=" + offset + " of length=" + length +
                " exceeds page=" + pageLength);
        }
        final int number = PageOperands.page(base) + PageOperands.page(addresses.ofItem);
        spaces.requireNumber(number);
        need.set(operand, spaces.page(addresses.owner, addresses.incarnation,
            PageSpaces.number(addresses.space, number)), offset);
    }

    private static int lengthOf(final StreamItem item, final PageOperands operands)
    {
        return operands.length() == 0 ? item.length : operands.length();
    }

    /**
     * Lets the pages of an item go that waits for its image: otherwise an item with another image could wait for these
     * pages, and this item for the room of that image.
     */
    void onFunctionFault(final StreamItem item)
    {
        release(item);
    }

    /** Lets an item's pages go. */
    void release(final StreamItem item)
    {
        pages.release(item.need);
    }

    /** Runs a kernel; then the item has the result. Returns bytes of the result. */
    int run(final StreamItem item, final Kernel kernel, final PageOperands operands, final int lengthMax)
        throws Exception
    {
        final PageNeed need = item.need;
        final int length = lengthOf(item, operands);
        call.wrap(item.a0, item.constant, item.data, item.length);
        if (ItemFormat.isAInPage(item.a0))
        {
            call.withA(view(viewA, need, PageNeed.A, length), length);
        }
        if (ItemFormat.isBInPage(item.a0))
        {
            call.withB(view(viewB, need, PageNeed.B, length), length);
        }
        final int roomLength = roomLength(item, kernel, call.length(), lengthMax);
        final boolean isInPlace = !ItemFormat.isForwarded(item.a0) && !overlaps(need, PageNeed.A, length, roomLength) &&
            !overlaps(need, PageNeed.B, length, roomLength);
        if (isInPlace)
        {
            pages.written(need.page(PageNeed.C));
            item.length = 0;
            return checked(run(kernel, view(viewC, need, PageNeed.C, roomLength)), roomLength);
        }
        result = StreamItem.roomIn(result, roomLength);
        viewC.wrap(result, 0, roomLength);          // The kernel may wrap other memory.
        final int resultLength = checked(run(kernel, viewC), roomLength);
        result = accept(item, result, resultLength);
        return resultLength;
    }

    /** An error of a kernel is that of its item: the device goes on. */
    private int run(final Kernel kernel, final UnsafeBuffer target) throws Exception
    {
        try
        {
            return kernel.run(call, target);
        }
        catch (final Error ex)
        {
            throw new ExecutionException(ex);
        }
    }

    /**
     * Prepares the run of a blocking kernel. It gets copies of what is in pages, as the owner may free these meanwhile.
     */
    void start(
        final KernelRun run, final StreamItem item, final Kernel kernel, final PageOperands operands,
        final int lengthMax) throws Exception
    {
        final PageNeed need = item.need;
        final int length = lengthOf(item, operands);
        final KernelCall callOfRun = run.prepare(kernel, item);
        if (ItemFormat.isAInPage(item.a0))
        {
            callOfRun.withA(run.copyA(view(viewA, need, PageNeed.A, length), length), length);
        }
        if (ItemFormat.isBInPage(item.a0))
        {
            callOfRun.withB(run.copyB(view(viewB, need, PageNeed.B, length), length), length);
        }
        run.begin(item.kernel.slot(), roomLength(item, kernel, callOfRun.length(), lengthMax));
    }

    /** Takes the result of a blocking kernel. Returns its bytes, or throws what the kernel threw. */
    int finish(final KernelRun run, final StreamItem item) throws Exception
    {
        final int resultLength = checked(run.length(), run.roomLength());
        if (!pages.isCurrent(item.need))
        {
            throw new IllegalStateException("the owner has freed a page meanwhile");
        }
        run.result(accept(item, run.result(), resultLength));
        return resultLength;
    }

    private int roomLength(
        final StreamItem item, final Kernel kernel, final int sourceLength, final int lengthMax) throws Exception
    {
        final int pageRoom = ItemFormat.isCInPage(item.a0) ?
            pages.memory().pageLength() - item.need.offset(PageNeed.C) : Integer.MAX_VALUE;
        try
        {
            return Math.min(kernel.resultLengthMax(sourceLength),
                Math.min(pageRoom, ItemFormat.isForwarded(item.a0) ? lengthMax : Integer.MAX_VALUE));
        }
        catch (final Error ex)              // As in run.
        {
            throw new ExecutionException(ex);
        }
    }

    private static int checked(final int resultLength, final int roomLength)
    {
        if (resultLength < 0 || resultLength > roomLength)
        {
            throw new IllegalArgumentException("result of length=" + resultLength + " exceeds max=" + roomLength);
        }
        return resultLength;
    }

    /** Puts a result where it belongs. Returns the buffer for the next one. */
    private UnsafeBuffer accept(final StreamItem item, final UnsafeBuffer taken, final int resultLength)
    {
        if (ItemFormat.isCInPage(item.a0))
        {
            pages.written(item.need.page(PageNeed.C));
            view(viewC, item.need, PageNeed.C, resultLength).putBytes(0, taken, 0, resultLength);
        }
        final boolean isForwarded = ItemFormat.isForwarded(item.a0);
        item.length = isForwarded ? resultLength : 0;
        if (!isForwarded)
        {
            return taken;
        }
        final UnsafeBuffer spare = item.data;
        item.data = taken;
        return spare;
    }

    private UnsafeBuffer view(final UnsafeBuffer view, final PageNeed need, final int operand, final int length)
    {
        final UnsafeBuffer frame = pages.memory().frame(need.page(operand).frame);
        view.wrap(frame, need.offset(operand), length);
        return view;
    }

    /** Says whether the room of the result has bytes of an operand: then these are read before it is written. */
    boolean overlaps(final PageNeed need, final int operand, final int length, final int roomLength)
    {
        return need.page(operand) != null && need.page(operand) == need.page(PageNeed.C) &&
            need.offset(operand) < need.offset(PageNeed.C) + roomLength &&
            need.offset(PageNeed.C) < need.offset(operand) + length;
    }
}
