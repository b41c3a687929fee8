// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;

/**
 * Registered memory of the far side: regions by name, commands about them, and eyes that watch words while the node
 * polls.
 * <p>Thread: the far node's.
 */
final class FarMemory
{
    /** Checks that slot a0 of region "slots" holds its number's pattern when the message arrives. */
    static final String CHECK = "far.check-slot";
    /** Writes a0 times to the region in its payload, each time another pattern, the last with notification. */
    static final String PUT = "far.put";
    /** Changes word 0 of the region in its payload: by a notification, a signal or an atomic operation, as a0 says. */
    static final String POKE = "far.poke";
    /** Kinds of these changes. */
    static final int POKE_KIND_COUNT = 5;
    /** Checks that the word at a0 of region "words" holds a1 or more when the message arrives. */
    static final String CHECK_WORD = "far.check-word";
    /** Bytes of a slot. */
    static final int SLOT_LENGTH = 64;

    private final Grim grim;
    private final AtomicBuffer scratch = Buffers.allocate(SLOT_LENGTH);
    private final Map<String, MemoryRegion> regions = new HashMap<>();
    private final Map<String, Eye> eyes = new HashMap<>();
    private FrameReceiver frames;
    private boolean isTakingFrames = true;
    private int frameCount;
    private int badFrameCount;
    private int checkedCount;
    private int badCount;
    private int putRefusedCount;
    private RemoteRegion addedTo;
    private RemoteMemory.Atomic added;
    private int addedAt;
    private int flippedBit;
    private int addCount;
    private int addedCount;

    /** Values that it saw of a word. */
    private static final class Eye
    {
        private final AtomicBuffer buffer;
        private int last;
        private int decreasedCount;
        private int tornCount;

        Eye(final AtomicBuffer buffer)
        {
            this.buffer = buffer;
        }

        /** Word 0 says which pattern the rest has that is behind the first line. */
        void look(final boolean isPatterned)
        {
            final int value = buffer.getIntVolatile(0);
            decreasedCount += value < last ? 1 : 0;
            if (isPatterned && value != last && value != 0)
            {
                tornCount += firstBad(buffer, SLOT_LENGTH, buffer.capacity() - SLOT_LENGTH, value) < 0 ? 0 : 1;
            }
            last = value;
        }

        @Override
        public String toString()
        {
            return "last=" + last + " decreased=" + decreasedCount + " torn=" + tornCount;
        }
    }

    /** Registers its handlers as the far node does. */
    FarMemory(final Grim grim, final BiConsumer<String, ActiveMessage.Handler> handlers)
    {
        this.grim = grim;
        handlers.accept(CHECK, this::onCheck);
        handlers.accept(PUT, this::onPut);
        handlers.accept(POKE, this::onPoke);
        handlers.accept(CHECK_WORD, message ->
        {
            checkedCount++;
            badCount += buffer("words").getIntVolatile(message.argument(0)) >= message.argument(1) ? 0 : 1;
        });
    }

    /** First byte that does not have the pattern; -1 if all have. */
    static int firstBad(final AtomicBuffer buffer, final int offset, final int length, final int seed)
    {
        for (int i = 0; i < length; i++)
        {
            if (buffer.getByte(offset + i) != Payloads.at(seed, i))
            {
                return i;
            }
        }
        return -1;
    }

    /** Looks at what is watched, and goes on adding. */
    void step()
    {
        if (frames != null && isTakingFrames)
        {
            takeFrames();
        }
        if (addedCount < addCount && added.isComplete())
        {
            final RemoteLink link = grim.endpoint().memory().link(addedTo);
            addedCount += (flippedBit < 0 ? link.fetchAddLong(addedTo, addedAt, 1, added) :
                link.fetchXorLong(addedTo, addedAt, 1L << flippedBit, added)).isAccepted() ? 1 : 0;
        }
        eyes.forEach((name, eye) -> eye.look(name.startsWith("pattern")));
    }

    /** Frame i has the pattern of i. Two are held at a time. */
    private void takeFrames()
    {
        while (frames.next())
        {
            badFrameCount += Payloads.crc(frames.buffer(), frames.offset(), frames.length()) ==
                crc(frames.length(), frameCount) ? 0 : 1;
            frameCount++;
            if (frameCount > 1)
            {
                frames.release();
            }
        }
    }

    private int crc(final int length, final int seed)
    {
        final AtomicBuffer expected = Buffers.allocate(Math.max(1, length));
        Payloads.fill(expected, 0, length, seed);
        return Payloads.crc(expected, 0, length);
    }

    private String openFrames(final int slotCount, final int frameLength)
    {
        frames = grim.endpoint().memory().receiveFrames(slotCount, frameLength);
        final RemoteRegion window = frames.remote();
        return window.endpoint().key() + " " + window.address() + " " + window.length();
    }

    private String closeFrames()
    {
        frames.close();
        frames = null;
        return "closed";
    }

    private String takeFrames(final boolean isTaking)
    {
        isTakingFrames = isTaking;
        return "frames=" + frameCount + " bad=" + badFrameCount;
    }

    @SuppressWarnings("StringSplitter")
    String run(final String command)
    {
        final String[] words = command.split(" ");
        final String name = words.length > 1 ? words[1] : "";
        return switch (words[0])
        {
            case "register" -> register(name, number(words[2]), MemoryRegion.Rights.valueOf(words[3]));
            case "frames-open" -> openFrames(number(words[1]), number(words[2]));
            case "frames-hold" -> takeFrames(false);
            case "frames-close" -> closeFrames();
            case "frames" -> takeFrames(true);
            case "free" -> free(name);
            case "clear" -> clear(name);
            case "fill" -> fill(name, number(words[2]));
            case "word" -> Integer.toString(buffer(name).getIntVolatile(number(words[2])));
            case "check" -> Integer.toString(
                firstBad(buffer(name), number(words[2]), number(words[3]), number(words[4])));
            case "crc" -> Integer.toString(Payloads.crc(buffer(name), 0, buffer(name).capacity()));
            case "watch" -> watch(name);
            case "seen" -> eyes.get(name).toString();
            case "checked" -> "checked=" + checkedCount + " bad=" + badCount;
            case "add" -> change(name, number(words[2]), -1, number(words[3]));
            case "flip" -> change(name, number(words[2]), number(words[3]), number(words[4]));
            case "added" -> Integer.toString(added.isComplete() ? addedCount : addedCount - 1);
            case "put-refused" -> Integer.toString(putRefusedCount);
            case "churn" -> churn(name, number(words[2]), number(words[3]), Thread::onSpinWait);
            case "churn-polling" -> churn(name, number(words[2]), number(words[3]), grim.endpoint()::poll);
            default -> throw new IllegalArgumentException("memory command=" + command + " is unknown");
        };
    }

    private AtomicBuffer buffer(final String name)
    {
        return regions.get(name).buffer();
    }

    private String register(final String name, final int bytes, final MemoryRegion.Rights rights)
    {
        final MemoryRegion region = grim.endpoint().memory().register(bytes, rights);
        regions.put(name, region);
        return region.remote().address() + " " + region.remotePhysical().address();
    }

    private String free(final String name)
    {
        regions.get(name).close();
        return "freed";
    }

    private String clear(final String name)
    {
        buffer(name).setMemory(0, buffer(name).capacity(), (byte)0);
        return "cleared";
    }

    private String fill(final String name, final int seed)
    {
        Payloads.fill(buffer(name), 0, buffer(name).capacity(), seed);
        return "filled";
    }

    /** Adds 1 to a word, or inverts a bit, as peers do, by a link to this node, once in each step. */
    private String change(final String name, final int at, final int bit, final int count)
    {
        addedTo = regions.get(name).remote();
        added = grim.endpoint().memory().newAtomic();
        addedAt = at;
        flippedBit = bit;
        addedCount = 0;
        addCount = count;
        return "adding";
    }

    private String watch(final String name)
    {
        eyes.put(name, new Eye(buffer(name)));
        return "watching";
    }

    /**
     * Registers, publishes both kinds of address in a mail box, frees, and looks whether the next region of the same
     * pages stays zero as long as no peer knows its address.
     */
    private String churn(final String mailBox, final int count, final int bytes, final Runnable wait)
    {
        int dirtyCount = 0;
        MemoryRegion region = registerWhenThereIsRoom(bytes);
        for (int i = 0; i < count; i++)
        {
            region.remotePhysical().writeTo(buffer(mailBox), RemoteRegion.LENGTH);
            region.remote().writeTo(buffer(mailBox), 0);
            buffer(mailBox).putLongVolatile(0, region.remote().address());
            final long writtenNs = System.nanoTime();
            while (region.buffer().getIntVolatile(0) == 0 && System.nanoTime() - writtenNs < 5_000_000)
            {
                wait.run();
            }
            region.close();
            region = registerWhenThereIsRoom(bytes);
            final long freedNs = System.nanoTime();
            while (System.nanoTime() - freedNs < 200_000)
            {
                wait.run();
            }
            for (int at = 0; at < bytes; at += 8)
            {
                dirtyCount += region.buffer().getLong(at) == 0 ? 0 : 1;
            }
        }
        region.close();
        return "dirty=" + dirtyCount;
    }

    /** Freed pages are usable again when no peer writes them any more. */
    @SuppressWarnings("ThreadPriorityCheck")
    private MemoryRegion registerWhenThereIsRoom(final int bytes)
    {
        final long startNs = System.nanoTime();
        while (true)
        {
            try
            {
                return grim.endpoint().memory().register(bytes);
            }
            catch (final GrimException ex)
            {
                if (System.nanoTime() - startNs > 50_000_000_000L)
                {
                    throw ex;
                }
                Thread.yield();
            }
        }
    }

    private void onCheck(final ActiveMessage message)
    {
        final int slot = message.argument(0);
        checkedCount++;
        badCount += firstBad(buffer("slots"), slot * SLOT_LENGTH, SLOT_LENGTH, slot) < 0 ? 0 : 1;
    }

    private void onPut(final ActiveMessage message)
    {
        final int count = message.argument(0);
        final RemoteRegion region =
            RemoteRegion.readFrom(message.buffer(), message.offset(), message.length());
        final RemoteLink link = grim.endpoint().memory().link(region);
        for (int i = 0; i < count; i++)
        {
            Payloads.fill(scratch, 0, SLOT_LENGTH, i);
            final boolean isLast = i == count - 1;
            final SendStatus status = link.write(region, (i + 1L) * SLOT_LENGTH, scratch, 0, SLOT_LENGTH,
                isLast ? region.slice(0, 4) : null, count);
            putRefusedCount += status.isAccepted() ? 0 : 1;
        }
    }

    private void onPoke(final ActiveMessage message)
    {
        final RemoteRegion region = RemoteRegion.readFrom(message.buffer(), message.offset(), message.length());
        final RemoteLink link = grim.endpoint().memory().link(region);
        final RemoteRegion word = region.slice(0, 4);
        final SendStatus status = switch (message.argument(0))
        {
            case 0 -> link.write(region, SLOT_LENGTH, scratch, 0, SLOT_LENGTH, word, 1);
            case 1 -> link.writeWithSignal(region, SLOT_LENGTH, scratch, 0, SLOT_LENGTH, word, 1);
            case 2 -> link.writeWithSignal(region, SLOT_LENGTH, scratch, 0, SLOT_LENGTH,
                RemoteLink.SignalOperation.SET_LONG, region.slice(0, 8), 1);
            case 3 -> link.fetchOrInt(region, 0, 1, grim.endpoint().memory().newAtomic());
            default -> link.fetchAddInt(region, 0, 1, grim.endpoint().memory().newAtomic());
        };
        putRefusedCount += status.isAccepted() ? 0 : 1;
    }

    private static int number(final String word)
    {
        return Integer.parseInt(word);
    }
}
