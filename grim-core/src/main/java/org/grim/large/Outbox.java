// SPDX-License-Identifier: Apache-2.0
package org.grim.large;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.BlockAllocator;

/**
 * Messages of one endpoint that their receivers read in place: blocks of shared memory, each as
 * {@link BlockDescriptor} draws it. A block is the sender's, then the receiver's until the done word says that it is
 * free, or until the receiver is gone. Which blocks are out is known to this object alone: nothing that a peer writes
 * into the memory can make it write elsewhere.
 * <p>Thread: the endpoint's owner. Allocates only while more blocks are out than ever before.
 * <p>Owns: its areas. Bounds: their length together.
 */
public final class Outbox implements AutoCloseable
{
    private static final long AREA_LENGTH_MIN = 4L << 20;
    private static final int LOOKS_PER_CLAIM = 4;

    private final long lengthMax;
    private final Areas source;
    private final List<OutboxArea> areas = new ArrayList<>();
    private final List<Block> out = new ArrayList<>();
    private final List<Block> free = new ArrayList<>();
    private long length;
    private long takenLength;
    private int nextSequence;
    private int nextLook;
    private boolean isMemoryGone;

    /** Where areas come from. Thread: any; an area is its endpoint's. */
    public interface Areas
    {
        /**
         * Makes an area.
         *
         * @param length bytes of its blocks together.
         * @return the area, or null if there is no room for it.
         */
        OutboxArea tryCreate(long length);

        /**
         * The sender has no use for an area any more, and all its blocks are done.
         *
         * @param area made here.
         */
        void retire(OutboxArea area);

        /**
         * The sender leaves. Receivers keep what they have not read.
         *
         * @param area made here.
         */
        void close(OutboxArea area);
    }

    /** Memory of one message, from its claim until its receiver has handled it. */
    public static final class Block
    {
        private OutboxArea area;
        private Object owner;
        private long offset;
        private long blockLength;
        private int sequence;

        private Block()
        {
            // Outbox.tryClaim() sets everything.
        }

        /** {@return where the message goes: the buffer of its area} */
        public AtomicBuffer buffer()
        {
            return area.buffer;
        }

        /** {@return first byte of the message: an index in {@link #buffer()}} */
        public int payloadIndex()
        {
            return blockOffset() + BlockDescriptor.PAYLOAD_OFFSET;
        }

        /** {@return the area that it lies in: the same object from claim to end} */
        public OutboxArea area()
        {
            return area;
        }

        /** {@return how receivers name the area; 0 or more} */
        public int areaId()
        {
            return area.id;
        }

        /** {@return how receivers name it within the area; offset of the block's first byte} */
        public int blockOffset()
        {
            return OutboxArea.BLOCKS_OFFSET + (int)offset;
        }

        /** {@return what its done word will hold; any number but 0} */
        public int sequence()
        {
            return sequence;
        }

        private int doneIndex()
        {
            return blockOffset() + BlockDescriptor.DONE_OFFSET;
        }
    }

    /**
     * Makes an outbox, without memory yet.
     *
     * @param lengthMax     bytes of all areas together.
     * @param source        where they come from.
     * @param firstSequence where the sequences of blocks start.
     */
    public Outbox(final long lengthMax, final Areas source, final int firstSequence)
    {
        this.lengthMax = lengthMax;
        this.source = source;
        nextSequence = firstSequence;
    }

    /** Returns whether a message can ever be kept here. False if it is too long, or there is no memory. */
    public boolean canHold(final int payloadLength)
    {
        final long needed = needed(payloadLength);
        return needed <= lengthMax && needed <= Integer.MAX_VALUE && !(isMemoryGone && areas.isEmpty());
    }

    /**
     * Claims a block.
     *
     * @param payloadLength bytes of the message.
     * @param owner         whose {@link #releaseAll} frees it.
     * @return the block, or null if there is no room now.
     */
    public Block tryClaim(final int payloadLength, final Object owner)
    {
        final long needed = needed(payloadLength);
        collectSome();      // Else all of the outbox would be used, and leave the caches, before any block is.
        Block block = tryTake(needed, owner);
        if (block == null && collect() > 0)
        {
            block = tryTake(needed, owner);
        }
        return block == null && tryGrow(needed) ? tryTake(needed, owner) : block;
    }

    /**
     * The message is about to be published.
     *
     * @param block claimed.
     */
    public void send(final Block block)
    {
        out.add(block);
    }

    /**
     * The message will not be published.
     *
     * @param block claimed.
     */
    public void abort(final Block block)
    {
        free(block);
    }

    /** Frees the blocks whose receivers are done with them. Returns the count. */
    public int collect()
    {
        int count = 0;
        for (int i = out.size() - 1; i >= 0; i--)
        {
            count += freeIfDone(i) ? 1 : 0;
        }
        return count;
    }

    /**
     * The receiver of these messages is gone: it reads and writes there no more.
     *
     * @param owner as claimed.
     */
    public void releaseAll(final Object owner)
    {
        releaseIf(each -> each == owner);
    }

    /** Frees the blocks of some owners. */
    void releaseIf(final Predicate<Object> isOwner)
    {
        for (int i = out.size() - 1; i >= 0; i--)
        {
            if (isOwner.test(out.get(i).owner))
            {
                removeOut(i);
            }
        }
    }

    /** Gives all areas up if no receiver has a block. False: one has. */
    boolean tryRetire()
    {
        if (!out.isEmpty())
        {
            return false;
        }
        areas.forEach(source::retire);
        areas.clear();
        return true;
    }

    /**
     * The receiver says that it cannot look at a message.
     *
     * @param owner    as claimed.
     * @param sequence of the block.
     * @return false if it holds no such block.
     */
    public boolean release(final Object owner, final int sequence)
    {
        for (int i = out.size() - 1; i >= 0; i--)
        {
            if (out.get(i).owner == owner && out.get(i).sequence == sequence)
            {
                removeOut(i);
                return true;
            }
        }
        return false;
    }

    /** {@return bytes of the blocks that are taken; at most the length that was given} */
    public long takenLength()
    {
        return takenLength;
    }

    /** The sender leaves: its areas go, but for what receivers still have to read. */
    @Override
    public void close()
    {
        areas.forEach(source::close);
        areas.clear();
        out.clear();
    }

    /** Blocks that receivers have, for tests. */
    int outCount()
    {
        return out.size();
    }

    /** Bytes of all areas, for tests. */
    long areasLength()
    {
        return length;
    }

    private void collectSome()
    {
        for (int i = 0; i < LOOKS_PER_CLAIM && !out.isEmpty(); i++)
        {
            nextLook = nextLook >= out.size() ? 0 : nextLook;
            nextLook += freeIfDone(nextLook) ? 0 : 1;
        }
    }

    private boolean freeIfDone(final int index)
    {
        final Block block = out.get(index);
        // Partner: the release store of the receiver, when its handler has returned: it reads there no more.
        final boolean isDone = block.area.buffer.getIntAcquire(block.doneIndex()) == block.sequence;
        if (isDone)
        {
            removeOut(index);
        }
        return isDone;
    }

    private static long needed(final int payloadLength)
    {
        return BlockAllocator.roundedUp((long)payloadLength + BlockDescriptor.PAYLOAD_OFFSET);
    }

    private Block tryTake(final long needed, final Object owner)
    {
        for (int i = 0; i < areas.size(); i++)
        {
            final OutboxArea area = areas.get(i);
            final long offset = area.blocks.tryTake(needed);
            if (offset != BlockAllocator.NONE)
            {
                return take(area, offset, needed, owner);
            }
        }
        return null;
    }

    private Block take(final OutboxArea area, final long offset, final long needed, final Object owner)
    {
        final Block block = free.isEmpty() ? new Block() : free.remove(free.size() - 1);
        block.area = area;
        block.owner = owner;
        block.offset = offset;
        block.blockLength = needed;
        block.sequence = nextSequence == BlockDescriptor.NOT_DONE ? ++nextSequence : nextSequence;
        nextSequence++;
        takenLength += needed;
        // Published with the message that names the block; nobody else knows of it before.
        area.buffer.putInt(block.doneIndex(), BlockDescriptor.NOT_DONE);
        return block;
    }

    /** A new area, in the place of ones that are too small and not in use if there is no other room. */
    private boolean tryGrow(final long needed)
    {
        if (isMemoryGone || needed > lengthMax)
        {
            return false;
        }
        for (int i = areas.size() - 1; i >= 0 && length + needed > lengthMax; i--)
        {
            final OutboxArea area = areas.get(i);
            if (area.blocks.takenLength() == 0)
            {
                length -= area.blocks.length();
                source.retire(area);
                areas.remove(i);
            }
        }
        if (length + needed > lengthMax)
        {
            return false;
        }
        final OutboxArea area = source.tryCreate(Math.max(needed, Math.min(AREA_LENGTH_MIN, lengthMax - length)));
        isMemoryGone = area == null;
        if (area != null)
        {
            areas.add(area);
            length += area.blocks.length();
        }
        return area != null;
    }

    private void removeOut(final int index)
    {
        final Block block = out.get(index);
        final int last = out.size() - 1;
        out.set(index, out.get(last));
        out.remove(last);
        free(block);
    }

    private void free(final Block block)
    {
        takenLength -= block.blockLength;
        assert takenLength >= 0;
        block.area.blocks.free(block.offset, block.blockLength);
        block.area = null;
        block.owner = null;
        free.add(block);
    }
}
