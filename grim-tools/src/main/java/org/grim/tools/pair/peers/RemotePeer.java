// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pair.peers;

import java.nio.file.Path;
import java.time.Duration;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.Endpoint;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.MemoryRegion;
import org.grim.RemoteLink;
import org.grim.RemoteMemory;
import org.grim.RemoteRefusal;
import org.grim.RemoteRegion;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.tools.pair.Benchmark;
import org.grim.tools.pair.Cell;
import org.grim.tools.pair.MessageReceiver;
import org.grim.tools.pair.Peer;
import org.grim.tools.pair.SharedFile;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;
import static org.grim.GrimException.Reason.BAD_DATA;
import static org.grim.GrimException.Reason.UNREACHABLE;

/**
 * This library's remote memory as its users meet it: each side has a region, and looks at a notification word in it.
 * All defaults.
 * <pre>
 *  +--------------------------+ WORD_OFFSET     u32 notification word, the other side writes, this side reads
 *  | word | payload that fits |
 *  +--------------------------+ DATA_OFFSET     the other side writes, this side reads
 *  | payload                  |
 *  +--------------------------+ target          this side's gets write, this side reads
 *  | payload                  |
 *  +--------------------------+
 * </pre>
 */
public final class RemotePeer implements Peer, MemoryAccess
{
    private static final String FIRST_NAME = "first";
    private static final String SECOND_NAME = "second";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int WORD_OFFSET = 0;
    private static final int LINE_DATA_OFFSET = WORD_OFFSET + SIZE_OF_LONG;
    private static final int LINE_DATA_LENGTH_MAX = Buffers.CACHE_LINE_LENGTH - LINE_DATA_OFFSET;
    private static final int DATA_OFFSET = Buffers.CACHE_LINE_LENGTH * 2;
    private static final int READY_OFFSET = 0;
    private static final int VIRTUAL_OFFSET = READY_OFFSET + SIZE_OF_LONG;
    private static final int PHYSICAL_OFFSET = VIRTUAL_OFFSET + RemoteRegion.LENGTH;
    private static final int POLL_MASK = (1 << 10) - 1;

    private final boolean isPhysical;
    private final Grim grim;
    private final Endpoint endpoint;
    private final String otherName;
    private final SharedFile addresses;
    private final AtomicBuffer others;
    private final int pollMask;
    private final MemoryRegion region;
    private final AtomicBuffer buffer;
    private final int targetOffset;
    private final RemoteMemory.Read read;
    private final MessageReceiver receiver;
    private RemoteLink link;
    private RemoteRegion readable;
    private RemoteRegion writable;
    private RemoteRegion word;
    private int dataOffset;
    private int size;
    private int sentWord;
    private int receivedWord;
    private int pollCount;
    private RemoteRefusal refusal;

    /**
     * Joins a cluster of this peer's own, and registers a region.
     *
     * @param directory   of the files.
     * @param name        of the cluster.
     * @param isPhysical  whether writes are by physical address.
     * @param isInitiator whether this is the first process.
     * @param sizeMax     most payload bytes.
     * @param transport   completes the settings.
     * @param receiver    of what was written here.
     */
    public RemotePeer(
        final Path directory, final String name, final boolean isPhysical, final boolean isInitiator,
        final int sizeMax, final RemoteTransport transport, final MessageReceiver receiver)
    {
        this.isPhysical = isPhysical;
        this.receiver = receiver;
        otherName = isInitiator && !transport.isLoop() ? SECOND_NAME : FIRST_NAME;
        pollMask = transport.isStepped() ? 0 : POLL_MASK;
        grim = Grim.enable(transport.settings().apply(GrimConfig.builder().directory(directory)
            .set("grim.cluster.name", name).nodeName(isInitiator ? FIRST_NAME : SECOND_NAME).build()));
        endpoint = grim.endpoint();
        grim.start();
        targetOffset = DATA_OFFSET + sizeMax;
        region = grim.endpoint().memory().register((long)targetOffset + sizeMax);
        buffer = region.buffer();
        read = grim.endpoint().memory().newRead();
        grim.endpoint().memory().onRefused((destination, refused, length, reason) -> refusal = reason);
        addresses = new SharedFile(directory.resolve(name + "-addresses"), isInitiator,
            PHYSICAL_OFFSET + RemoteRegion.LENGTH);
        region.remote().writeTo(addresses.outbound(), VIRTUAL_OFFSET);
        region.remotePhysical().writeTo(addresses.outbound(), PHYSICAL_OFFSET);
        addresses.outbound().putLongRelease(READY_OFFSET, 1);       // partner: connect()
        others = transport.isLoop() ? addresses.outbound() : addresses.inbound();
    }

    @Override
    public void connect()
    {
        grim.awaitNode(otherName, PATIENCE);            // Of another host it may not be known yet.
        // Partner: the release store in the other side's constructor, which has run before anybody connects.
        if (others.getLongVolatile(READY_OFFSET) == 0)
        {
            throw new GrimException(UNREACHABLE, "the other side has not said where its memory is");
        }
        readable = RemoteRegion.readFrom(others, VIRTUAL_OFFSET, RemoteRegion.LENGTH);
        writable = isPhysical ? RemoteRegion.readFrom(others, PHYSICAL_OFFSET, RemoteRegion.LENGTH) : readable;
        word = writable.slice(WORD_OFFSET, SIZE_OF_INT);
        link = grim.endpoint().memory().link(grim.locate(otherName));
    }

    @Override
    public void prepare(final Cell cell)
    {
        size = cell.size();
        // Beside the word where one cache line takes both; but not where one side looks at the word meanwhile.
        dataOffset = cell.benchmark() == Benchmark.PUT_LATENCY && size <= LINE_DATA_LENGTH_MAX ? LINE_DATA_OFFSET :
            DATA_OFFSET;
    }

    @Override
    public boolean trySend(final DirectBuffer source, final int offset, final int length)
    {
        final int next = sentWord + 1;
        if (!isAccepted(link.write(writable, dataOffset, source, offset, length, word, next)))
        {
            return false;
        }
        sentWord = next;
        return true;
    }

    @Override
    public int poll()
    {
        final int current = buffer.getIntVolatile(WORD_OFFSET);     // partner: the transport's release store
        if (current == receivedWord)
        {
            if ((++pollCount & pollMask) == 0)
            {
                step();
            }
            return 0;
        }
        receivedWord++;
        receiver.onMessage(buffer, dataOffset, size);
        return 1;
    }

    @Override
    public boolean tryPut(final DirectBuffer source, final int length)
    {
        return isAccepted(link.write(writable, DATA_OFFSET, source, 0, length));
    }

    @Override
    public boolean tryGet(final int length)
    {
        return isAccepted(link.read(readable, DATA_OFFSET, region, targetOffset, length, read));
    }

    @Override
    public boolean isGot()
    {
        if (!read.isComplete())
        {
            return false;
        }
        requireExecuted(read.refusal());
        return true;
    }

    @Override
    public void step()
    {
        endpoint.poll();
        requireExecuted(refusal);
    }

    @Override
    public DirectBuffer target()
    {
        return buffer;
    }

    @Override
    public int targetOffset()
    {
        return targetOffset;
    }

    @Override
    public void idle()
    {
        endpoint.poll();
    }

    @Override
    public void close()
    {
        addresses.close();
        grim.close();
    }

    private boolean isAccepted(final SendStatus status)
    {
        if (status == SendStatus.SENT)
        {
            return true;
        }
        if (status.isAccepted() || status == SendStatus.BACK_PRESSURED)
        {
            return status.isAccepted();
        }
        throw new GrimException(UNREACHABLE, "remote memory of " + link.destination() + " failed: status=" + status);
    }

    private static void requireExecuted(final RemoteRefusal reason)
    {
        if (reason != null)
        {
            throw new GrimException(BAD_DATA, "remote memory refused an operation: " + reason);
        }
    }
}
