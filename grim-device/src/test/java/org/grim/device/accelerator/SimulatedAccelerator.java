// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.function.IntFunction;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.HandlerId;
import org.grim.SendStatus;

/** The frame of an accelerator whose clock, loads and messages are a simulation's. */
public final class SimulatedAccelerator
{
    public static final int CHANNEL_COUNT = 3;
    public static final int FAILING_BYTE = 113;
    /** Index in a payload of a number other than 0 that its owner alone has. */
    public static final int OWNER_INDEX = 5;
    /** Bytes of operand B of a stage with pages. */
    public static final int OPERAND_LENGTH = OWNER_INDEX + 1;
    /** Pages of an owner, more than frames. */
    public static final int PAGE_COUNT = 8;
    private static final int FRAME_COUNT = 3;
    private static final int PAGE_LENGTH = 128;
    private static final int HANDLER_BASE = 100;
    private static final int IMAGE_LENGTH = 10;

    private final List<KernelReference> kernels = new ArrayList<>();
    private final boolean[] isPaused = new boolean[CHANNEL_COUNT];
    private final Deque<ImageSlot> loads = new ArrayDeque<>();
    private final FunctionFaults faults;
    private final PageFrames frames;
    private final PageSpaces spaces;
    private final FrameMachine machine;
    private final Map<String, Function<CheckpointRequests.Request, UnsafeBuffer>> requests = new HashMap<>();
    private long loadEndNs = Long.MAX_VALUE;
    private long loadNs;
    private boolean isBroken;

    /** Sends a message of the device. */
    public interface Network
    {
        SendStatus send(int endpoint, int handler, int a0, int a1, int a2, byte[] payload);
    }

    /** Pages and turns of the device, and a bug in it. */
    record Pages(PlantedBug bug, int quantum, int frameCount, int pageLength, int quota, Random random)
    {
    }

    /** An image with one kernel. */
    private record Image(Kernel kernel) implements KernelImage
    {
        @Override
        public String name()
        {
            return "image of " + kernel.name();
        }

        @Override
        public List<String> kernels()
        {
            return List.of(kernel.name());
        }

        @Override
        public long length()
        {
            return IMAGE_LENGTH;
        }

        @Override
        public List<Kernel> load()
        {
            return List.of(kernel);
        }

        @Override
        public void unload()
        {
            // Nothing was loaded.
        }
    }

    /** A kernel that adds its letter to the payload. */
    private record LetterKernel(int letter) implements Kernel
    {
        @Override
        public String name()
        {
            return "k" + letter;
        }

        @Override
        public int resultLengthMax(final int length)
        {
            return length + 1;
        }

        @Override
        public int run(final KernelCall call, final MutableDirectBuffer result)
        {
            if (call.length() > 4 && call.source().getByte(4) == FAILING_BYTE && letter == 1)
            {
                throw new IllegalStateException("failed on purpose");
            }
            if (call.hasOperandB() && call.operandB().getByte(OWNER_INDEX) != 0 &&
                call.operandB().getByte(OWNER_INDEX) != call.source().getByte(OWNER_INDEX))
            {
                throw new IllegalStateException("page of owner=" + call.operandB().getByte(OWNER_INDEX));
            }
            result.putBytes(0, call.source(), 0, call.length());
            result.putByte(call.length(), (byte)letter);
            return call.length() + 1;
        }
    }

    public SimulatedAccelerator(
        final int kernelCount, final int slotCount, final int itemCountMax, final Network network)
    {
        this(kernelCount, slotCount, itemCountMax, network, LetterKernel::new,
            new Pages(PlantedBug.NONE, FunctionFaults.QUANTUM, FRAME_COUNT, PAGE_LENGTH, PAGE_COUNT,
                new Random(kernelCount)));
    }

    SimulatedAccelerator(
        final int kernelCount, final int slotCount, final int itemCountMax, final Network network,
        final IntFunction<Kernel> kernelOf, final Pages pages)
    {
        final List<ImageSlot> slots = new ArrayList<>();
        for (int i = 0; i < kernelCount; i++)
        {
            slots.add(new ImageSlot(new Image(kernelOf.apply(i))));
            kernels.add(new KernelReference("k" + i, HandlerId.of(handler(i)), slots.get(i), 0));
        }
        faults = pages.bug.faults(slots, slotCount, pages.quantum, loads::add);
        frames = pages.bug.frames(
            pages.frameCount, pages.bug.memory(pages.frameCount, pages.pageLength, pages.random));
        spaces = pages.bug.spaces(frames, pages.quota, 1_000);
        final FrameMachine.Parts parts = new FrameMachine.Parts(
            pages.bug.directory(), faults, frames, spaces, pages.bug.runner(spaces, frames));
        machine = new FrameMachine(parts, new FrameMachine.Port()
        {
            @Override
            public SendStatus send(
                final int endpoint, final int handler, final int a0, final int a1, final int a2,
                final DirectBuffer buffer, final int length)
            {
                final byte[] payload = new byte[length];
                buffer.getBytes(0, payload);
                return network.send(endpoint, handler, a0, a1, a2, payload);
            }

            @Override
            public void pause(final int channel)
            {
                isPaused[channel] = true;
            }

            @Override
            public void resume(final int channel)
            {
                isPaused[channel] = false;
            }

            @Override
            public KernelReference kernel(final int handler)
            {
                return kernels.stream().filter(each -> each.id().number() == handler).findFirst().orElse(null);
            }
        }, CHANNEL_COUNT, itemCountMax, 1 << 20);
        final CheckpointRequests checkpoints = new CheckpointRequests(frames, spaces, machine::freeSpace);
        requests.put(CheckpointFormat.BEGIN, checkpoints::begin);
        requests.put(CheckpointFormat.READ, checkpoints::read);
        requests.put(CheckpointFormat.END, checkpoints::end);
        requests.put(CheckpointFormat.RESTORE, checkpoints::restore);
        requests.put(CheckpointFormat.WRITE, checkpoints::write);
    }

    public static int handler(final int kernel)
    {
        return HANDLER_BASE + kernel;
    }

    /** Says how long loads take, and whether they fail. */
    public void loads(final long durationNs, final boolean isNowBroken)
    {
        loadNs = durationNs;
        isBroken = isNowBroken;
    }

    public boolean isPaused(final int channel)
    {
        return isPaused[channel];
    }

    /** Sets an entry. Returns what frame.set answers. */
    public int set(final int owner, final int incarnation, final byte[] payload)
    {
        return machine.set(
            FrameEntry.readFrom(owner, incarnation, new UnsafeBuffer(payload), 0, payload.length));
    }

    public void clear(final int owner, final int a0, final int a1, final int a2)
    {
        if (a0 == FrameEntry.ALL)
        {
            machine.clear(owner, a1, a2);
        }
        else
        {
            machine.clear(owner, a0);
        }
    }

    public void onNodeGone(final int node, final int incarnation)
    {
        machine.freeOwner(node, incarnation);
    }

    public long items(final int owner, final int a0, final int a1)
    {
        return machine.items(owner, a0, a1 == FrameEntry.ALSO_ENDED);
    }

    public void onItem(
        final int channel, final int handler, final int a0, final int a1, final int a2, final byte[] payload)
    {
        final KernelReference kernel =
            kernels.stream().filter(each -> each.id().number() == handler).findFirst().orElseThrow();
        machine.onItem(channel, kernel, a0, a1, a2, new UnsafeBuffer(payload), 0, payload.length);
    }

    public int step(final long nowNs)
    {
        if (!loads.isEmpty() && loadEndNs == Long.MAX_VALUE)
        {
            loadEndNs = nowNs + loadNs;
        }
        if (nowNs >= loadEndNs)
        {
            loadEndNs = Long.MAX_VALUE;
            final ImageSlot slot = loads.poll();
            final boolean isGood = !isBroken;
            faults.onLoaded(slot, isGood ? kernels(slot.image) : null, "broken on purpose", loadNs, nowNs);
        }
        return machine.step(nowNs);
    }

    private static List<Kernel> kernels(final KernelImage image)
    {
        try
        {
            return image.load();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** {@return entries and items that were not given back; empty if there are none} */
    public String remainingItems()
    {
        return machine.entryCount() == 0 && machine.waitingCount() == 0 ? "" : remains();
    }

    /** {@return entries, items and pages that were not given back; empty if there are none} */
    public String remains()
    {
        final int pageCount = spaces.pageCount() + spaces.ownerCount() + frames.usedCount() + frames.openCount() +
            frames.dirtyCount() + frames.pinnedCount();
        return machine.entryCount() == 0 && machine.waitingCount() == 0 && pageCount == 0 ? "" :
            machine.entryCount() + " entries, " + machine.waitingCount() + " items, " + faults.state() + " " +
            Arrays.toString(isPaused) + " pages=" + spaces.pageCount() + " owners=" + spaces.ownerCount() +
            " frames=" + frames.usedCount() + " open=" + frames.openCount() + " dirty=" + frames.dirtyCount() +
            " pinned=" + frames.pinnedCount();
    }

    /** Returns images that are loaded. */
    int loadedCount()
    {
        return (int)kernels.stream().filter(kernel -> kernel.slot().isLoaded()).count();
    }

    PageFrames frames()
    {
        return frames;
    }

    PageSpaces spaces()
    {
        return spaces;
    }

    /** Executes a request for checkpoints, whose name may be any; null: it is none, or a page is being copied. */
    public UnsafeBuffer checkpoint(
        final String name, final int owner, final int incarnation, final int a0, final int a1, final byte[] payload)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(payload);
        return requests.get(name).apply(
            new CheckpointRequests.Request(owner, incarnation, a0, a1, buffer, 0, payload.length));
    }

    /** {@return what the first item of each channel waits for} */
    String waits(final long nowNs)
    {
        return machine.waits(nowNs);
    }

    /** Says whether checkpoints have such a handler. */
    public boolean hasCheckpoint(final String name)
    {
        return requests.containsKey(name);
    }

    /** {@return a page of an owner, all of it; zeros if it has none} */
    public byte[] page(final int owner, final int incarnation, final int space, final int page)
    {
        final byte[] bytes = new byte[PAGE_LENGTH];
        final Page found = spaces.find(owner, incarnation, PageSpaces.number(space, page));
        if (found != null)
        {
            frames.copy(found).getBytes(0, bytes);
        }
        return bytes;
    }

    public long faultCount()
    {
        return faults.faultCount();
    }

    public long evictionCount()
    {
        return faults.evictionCount();
    }
}
