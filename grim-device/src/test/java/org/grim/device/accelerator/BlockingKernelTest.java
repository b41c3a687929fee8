// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.HandlerId;
import org.grim.SendStatus;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

/** Kernels that block, two images with room for one, and a worker that runs when the test says so. */
final class BlockingKernelTest
{
    private static final int OWNER = 0x1100;
    private static final int SLOW = 100;
    private static final int OTHER = 101;
    private static final int FAILING = 13;
    private static final int FULL = 14;
    private static final int LENGTH_WITHOUT_RESULT = 2;
    private static final int PAGE_LENGTH = 4_096;

    private final List<String> sent = new ArrayList<>();
    private final List<String> unloaded = new ArrayList<>();
    private final Deque<KernelRun> runs = new ArrayDeque<>();
    private final Deque<ImageSlot> loads = new ArrayDeque<>();
    private final List<ImageSlot> slots = List.of(new ImageSlot(new Image("slow")), new ImageSlot(new Image("other")));
    private final FunctionFaults faults = new FunctionFaults(slots, 1, 100, loads::add);
    private final PageFrames frames = new PageFrames(4, new HeapPages(4, PAGE_LENGTH));
    private final PageSpaces spaces = new PageSpaces(frames, 8, 8);
    private final FrameMachine machine = new FrameMachine(
        new FrameMachine.Parts(new FrameDirectory(new UnsafeBuffer(new byte[FrameDirectory.LENGTH]),
            ItemFormat.slot(0, 1)), faults, frames,
            spaces, new ItemRunner(spaces, frames)), new Port(), 3, 8, 1 << 20);
    private int messageLengthMax = Integer.MAX_VALUE;
    private long nowNs;

    private record Slow(String name) implements Kernel
    {
        @Override
        public boolean isBlocking()
        {
            return true;
        }

        @Override
        public int resultLengthMax(final int length)
        {
            if (length == LENGTH_WITHOUT_RESULT)
            {
                throw new AssertionError("no result on purpose");
            }
            return length;
        }

        @Override
        public int run(final KernelCall call, final MutableDirectBuffer result)
        {
            if (call.source().getByte(0) == FULL)
            {
                throw new OutOfMemoryError("full on purpose");
            }
            if (call.source().getByte(0) == FAILING)
            {
                throw new IllegalStateException("failed on purpose");
            }
            result.putByte(0, (byte)-call.source().getByte(0));
            return 1;
        }
    }

    private final class Image implements KernelImage
    {
        private final String name;

        private Image(final String name)
        {
            this.name = name;
        }

        @Override
        public String name()
        {
            return name;
        }

        @Override
        public List<String> kernels()
        {
            return List.of(name);
        }

        @Override
        public long length()
        {
            return 1;
        }

        @Override
        public List<Kernel> load()
        {
            return List.of(new Slow(name));
        }

        @Override
        public void unload()
        {
            unloaded.add(name);
        }
    }

    private final class Port implements FrameMachine.Port
    {
        @Override
        public SendStatus send(
            final int endpoint, final int handler, final int a0, final int a1, final int a2,
            final DirectBuffer buffer, final int length)
        {
            if (length > messageLengthMax)
            {
                throw new IllegalArgumentException("length=" + length + " exceeds max=" + messageLengthMax);
            }
            sent.add(a1 + " " + (ItemFormat.isFailed(a0) ? buffer.getStringWithoutLengthUtf8(0, length) :
                Integer.toString(buffer.getByte(0))));
            return SendStatus.SENT;
        }

        @Override
        public void pause(final int channel)
        {
            // The test sends few items.
        }

        @Override
        public void resume(final int channel)
        {
            // Nothing to resume.
        }

        @Override
        public void execute(final KernelRun run)
        {
            runs.add(run);
        }

        @Override
        public KernelReference kernel(final int handler)
        {
            final ImageSlot slot = slots.get(handler - SLOW);
            return new KernelReference(slot.image.name(), HandlerId.of(handler), slot, 0);
        }
    }

    private int set(final int stream, final int kernel)
    {
        return set(stream, kernel, PageOperands.NONE);
    }

    private int set(final int stream, final int kernel, final PageOperands operands)
    {
        return machine.set(new FrameEntry(OWNER, 1, stream, 1, 0, kernel, 7, 300, 0, 0, 4, 64, operands));
    }

    private void item(final int slotAndChannel, final int kernel, final int sequence, final int value)
    {
        item(slotAndChannel, kernel, sequence, value, PageOperands.NONE);
    }

    private void item(
        final int slotAndChannel, final int kernel, final int sequence, final int value, final PageOperands operands)
    {
        machine.onItem(slotAndChannel >>> 16, new Port().kernel(kernel),
            ItemFormat.slot(slotAndChannel) | operands.bits(), sequence, 0,
            new UnsafeBuffer(new byte[] {(byte)value}), 0, 1);
    }

    private byte firstByte(final int page)
    {
        return frames.memory().frame(spaces.find(OWNER, 1, page).frame).getByte(0);
    }

    private void steps(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            nowNs++;
            machine.step(nowNs);
            if (!loads.isEmpty())
            {
                final ImageSlot slot = loads.poll();
                faults.onLoaded(slot, ((Image)slot.image).load(), null, 1, nowNs);
            }
        }
    }

    @Test
    void shouldRunItemsOfAChannelInOrderWhileOthersGoOn()
    {
        final int first = set(1, SLOW);
        final int second = set(2, SLOW);
        item(first, SLOW, 1, 10);
        item(first, SLOW, 2, FAILING);
        item(first, SLOW, 3, 30);
        item(second, SLOW, 4, 40);
        steps(20);
        assertEquals(2, runs.size());
        final KernelRun late = runs.poll();

        runs.poll().run();
        steps(1);

        assertEquals(List.of("4 -40"), sent);
        late.run();
        steps(2);
        assertEquals(1, runs.size());
        runs.poll().run();
        steps(2);
        runs.poll().run();
        steps(1);
        assertEquals(List.of("4 -40", "1 -10",
            "2 kernel slow: java.lang.IllegalStateException: failed on purpose", "3 -30"), sent);
        assertEquals("3 1", machine.itemCount() + " " + machine.failedCount());
    }

    @Test
    void shouldGoOnAfterErrorsOfKernels()
    {
        final int slot = set(1, SLOW);
        item(slot, SLOW, 1, FULL);
        machine.onItem(slot >>> 16, new Port().kernel(SLOW), ItemFormat.slot(slot), 2, 0,
            new UnsafeBuffer(new byte[LENGTH_WITHOUT_RESULT]), 0, LENGTH_WITHOUT_RESULT);
        item(slot, SLOW, 3, 30);
        for (int i = 0; i < 2; i++)
        {
            steps(20);
            runs.poll().run();
        }
        steps(20);

        assertEquals(List.of("1 kernel slow: java.lang.OutOfMemoryError: full on purpose",
            "2 kernel slow: java.lang.AssertionError: no result on purpose", "3 -30"), sent);
        assertFalse(slots.get(0).isRunning());
    }

    @Test
    void shouldFailAnItemThatNoMessageCanCarry()
    {
        final int slot = set(1, SLOW);
        messageLengthMax = 0;
        item(slot, SLOW, 1, 10);
        item(slot, SLOW, 2, 20);
        steps(20);
        runs.poll().run();
        steps(1);
        assertEquals(List.of(), sent);
        messageLengthMax = 100;             // Enough for the reason.

        steps(20);
        runs.poll().run();
        steps(20);

        assertEquals(List.of("1 result cannot be sent: length=1 exceeds max=0", "2 -20"), sent);
        assertEquals(0, machine.undeliveredCount());
    }

    @Test
    void shouldPassOverAnItemOfWhichNotEvenTheReasonCanBeSent()
    {
        final int slot = set(1, SLOW);
        messageLengthMax = 0;
        item(slot, SLOW, 1, 10);
        steps(20);
        runs.poll().run();
        steps(20);

        assertEquals(List.of(), sent);
        assertEquals(1, machine.undeliveredCount());
        assertEquals(0, machine.waitingCount());
    }

    @Test
    void shouldNotEvictAnImageThatRuns()
    {
        final int slow = set(1, SLOW);
        final int other = set(2, OTHER);
        item(slow, SLOW, 1, 1);
        steps(20);
        for (int i = 0; i < FunctionFaults.QUANTUM; i++)
        {
            slots.get(0).use(0, nowNs);
        }
        item(other, OTHER, 2, 2);
        steps(1_000);
        assertEquals(List.of(), unloaded);

        runs.poll().run();
        steps(20);

        assertEquals(List.of("slow"), unloaded);
        assertEquals(List.of("1 -1"), sent);
        runs.poll().run();
        steps(1);
        assertEquals(List.of("1 -1", "2 -2"), sent);
    }

    @Test
    void shouldDropTheResultOfAnEntryThatWasFreedMeanwhile()
    {
        final int slow = set(1, SLOW);
        item(slow, SLOW, 1, 1);
        steps(20);

        machine.clear(OWNER, slow);
        steps(5);
        assertEquals(0, machine.staleCount());
        runs.poll().run();
        final int again = set(1, SLOW);
        item(again, SLOW, 2, 2);
        steps(5);
        runs.poll().run();
        steps(1);

        assertEquals(1, machine.staleCount());
        assertEquals(List.of("2 -2"), sent);
        assertNull(runs.poll());
    }

    @Test
    void shouldReadAPageAndKeepTheResultInAnother()
    {
        final PageOperands first = PageOperands.NONE.keepC(1, 0);
        final int write = set(1, SLOW, first);
        item(write, SLOW, 1, 10, first);
        steps(20);
        runs.poll().run();
        steps(1);
        assertEquals(-10, firstByte(1));

        final PageOperands second = PageOperands.NONE.readA(1, 0).ofLength(1).keepC(2, 0);
        final int read = set(2, SLOW, second);
        item(read, SLOW, 2, 77, second);
        steps(20);
        runs.poll().run();
        steps(1);

        assertEquals(10, firstByte(2));
        assertEquals(List.of("1 -10", "2 10"), sent);
    }

    @Test
    void shouldNotLetARunTouchAPageThatItsOwnerHasFreedMeanwhile()
    {
        final PageOperands operands = PageOperands.NONE.readA(1, 0).ofLength(1).writeC(1, 0);
        final int slow = set(1, SLOW, operands);
        item(slow, SLOW, 1, 10, operands);
        steps(20);
        spaces.free(OWNER, 1, 1);
        final int frameCount = 4;
        for (int i = 0; i < frameCount; i++)
        {
            frames.memory().frame(i).setMemory(0, PAGE_LENGTH, (byte)5);
        }

        runs.poll().run();
        steps(1);

        for (int i = 0; i < frameCount; i++)
        {
            assertEquals(5, frames.memory().frame(i).getByte(0));
        }
        assertEquals(
            List.of("1 kernel slow: java.lang.IllegalStateException: the owner has freed a page meanwhile"), sent);
        assertEquals(0, spaces.pageCount());
    }
}
