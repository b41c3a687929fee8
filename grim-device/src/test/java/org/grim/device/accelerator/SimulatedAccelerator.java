// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

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
    private static final int HANDLER_BASE = 100;
    private static final int IMAGE_LENGTH = 10;

    private final List<KernelReference> kernels = new ArrayList<>();
    private final boolean[] isPaused = new boolean[CHANNEL_COUNT];
    private final FrameDirectory directory = new FrameDirectory(new UnsafeBuffer(new byte[FrameDirectory.LENGTH]));
    private final Deque<ImageSlot> loads = new ArrayDeque<>();
    private final FunctionFaults faults;
    private final FrameMachine machine;
    private long loadEndNs = Long.MAX_VALUE;
    private long loadNs;
    private boolean isBroken;

    /** Sends a message of the device. */
    public interface Network
    {
        SendStatus send(int endpoint, int handler, int a0, int a1, int a2, byte[] payload);
    }

    /** An image with one kernel, which adds its letter to the payload. */
    private record Image(int letter) implements KernelImage
    {
        @Override
        public String name()
        {
            return "image" + letter;
        }

        @Override
        public List<String> kernels()
        {
            return List.of("k" + letter);
        }

        @Override
        public long length()
        {
            return IMAGE_LENGTH;
        }

        @Override
        public List<Kernel> load()
        {
            return List.of(new LetterKernel(letter));
        }

        @Override
        public void unload()
        {
            // Nothing was loaded.
        }
    }

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
            result.putBytes(0, call.source(), 0, call.length());
            result.putByte(call.length(), (byte)letter);
            return call.length() + 1;
        }
    }

    public SimulatedAccelerator(
        final int kernelCount, final int slotCount, final int itemCountMax, final Network network)
    {
        final List<ImageSlot> slots = new ArrayList<>();
        for (int i = 0; i < kernelCount; i++)
        {
            slots.add(new ImageSlot(new Image(i)));
            kernels.add(new KernelReference("k" + i, HandlerId.of(handler(i)), slots.get(i), 0));
        }
        faults = new FunctionFaults(slots, slotCount, 10L * IMAGE_LENGTH, loads::add);
        machine = new FrameMachine(directory, faults, new FrameMachine.Port()
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

    public void clear(final int owner, final int slot)
    {
        machine.clear(owner, slot);
    }

    public void onNodeGone(final int node, final int incarnation)
    {
        machine.freeOwner(node, incarnation);
    }

    public long items(final int slot)
    {
        return machine.items(slot);
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
            faults.onLoaded(slot, isGood ? List.of(new LetterKernel(slot.image.name().charAt(5) - '0')) : null,
                "broken on purpose", loadNs, nowNs);
        }
        return machine.step(nowNs);
    }

    /** {@return entries and items that were not given back; empty if there are none} */
    public String remains()
    {
        return machine.entryCount() == 0 && machine.waitingCount() == 0 ? "" : machine.entryCount() + " entries, " +
            machine.waitingCount() + " items, " + faults.state() + " " + Arrays.toString(isPaused);
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
