// SPDX-License-Identifier: Apache-2.0
package org.grim.device;

import java.nio.ByteOrder;

import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.grim.GrimException;
import org.grim.MemoryRegion;
import org.grim.RemoteRegion;
import org.grim.SendStatus;

import static org.agrona.BitUtil.SIZE_OF_INT;

/**
 * Registered memory of a request's sender that the device fills before it answers, on the path of the answer: a region,
 * and optionally a word that is set behind the bytes. In a request, little endian: region [, word, value u32].
 * <p>Thread: the runner's; immutable.
 */
public final class RequestTarget
{
    /** Bytes of a region, a word and its value in a request. */
    public static final int LENGTH_MAX = 2 * RemoteRegion.LENGTH + SIZE_OF_INT;

    private final DeviceRequest request;
    private final RemoteRegion region;
    /** Null for none. */
    private final RemoteRegion word;
    private final int value;

    private RequestTarget(
        final DeviceRequest request, final RemoteRegion region, final RemoteRegion word, final int value)
    {
        this.request = request;
        this.region = region;
        this.word = word;
        this.value = value;
    }

    /**
     * Reads the target that a request names behind an offset of its payload.
     *
     * @param request   whose sender has the memory.
     * @param offset    of the region in the payload.
     * @param lengthMin least bytes of the region.
     * @return the target; null if the payload ends there.
     * @throws IllegalArgumentException if the region or the word is not the sender's, read-only or too short.
     * @throws GrimException            if the bytes are no region.
     */
    public static RequestTarget readFrom(final DeviceRequest request, final int offset, final int lengthMin)
    {
        if (request.length() <= offset)
        {
            return null;
        }
        final RemoteRegion region = region(request, offset, lengthMin);
        final int wordOffset = offset + RemoteRegion.LENGTH;
        if (request.length() <= wordOffset)
        {
            return new RequestTarget(request, region, null, 0);
        }
        final RemoteRegion word = region(request, wordOffset, SIZE_OF_INT);
        if (!BitUtil.isAligned(word.address(), SIZE_OF_INT))
        {
            throw new IllegalArgumentException("word=" + word + " is not at a multiple of " + SIZE_OF_INT);
        }
        if (request.length() < offset + LENGTH_MAX)
        {
            throw new IllegalArgumentException(
                "request of length=" + request.length() + " has a word and no value for it");
        }
        return new RequestTarget(request, region, word, request.buffer().getInt(
            request.offset() + wordOffset + RemoteRegion.LENGTH, ByteOrder.LITTLE_ENDIAN));
    }

    /** {@return bytes of the region} */
    public long length()
    {
        return region.length();
    }

    /**
     * Writes into the memory.
     *
     * @param source  of the bytes; free for reuse on return.
     * @param offset  first byte.
     * @param length  bytes, 1 or more, up to those of the region.
     * @param isWhole whether to set the word.
     * @return false if there is no room on the path: call again.
     * @throws DeviceException if it cannot be written: the refusal of the request.
     */
    public boolean write(final DirectBuffer source, final int offset, final int length, final boolean isWhole)
    {
        try
        {
            final SendStatus status = request.memory().link(request.destination().channel(), request.source())
                .write(region, 0, source, offset, length, isWhole ? word : null, value);
            if (status == SendStatus.BACK_PRESSURED && request.mayWait())
            {
                return false;
            }
            if (!status.isAccepted())
            {
                throw new DeviceException(DeviceCode.ERROR, "the sender's memory cannot be written: " + status);
            }
            return true;
        }
        catch (final GrimException | IllegalArgumentException ex)
        {
            throw new DeviceException(DeviceCode.BAD_REQUEST, ex.getMessage());
        }
    }

    private static RemoteRegion region(final DeviceRequest request, final int offset, final int lengthMin)
    {
        final RemoteRegion region = RemoteRegion.readFrom(
            request.buffer(), request.offset() + offset, request.length() - offset);
        if (region.endpoint().node() != request.source().node() || region.length() < lengthMin ||
            region.rights() == MemoryRegion.Rights.READ)
        {
            throw new IllegalArgumentException(
                "region=" + region + " is not the sender's, read-only, or shorter than " + lengthMin);
        }
        return region;
    }
}
