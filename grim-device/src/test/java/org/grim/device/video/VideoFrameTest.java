// SPDX-License-Identifier: Apache-2.0
package org.grim.device.video;

import java.util.HexFormat;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.EndpointId;
import org.grim.GrimException;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class VideoFrameTest
{
    private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[VideoFrame.HEADER_LENGTH + 103]);
    private final EndpointId source = EndpointId.of(5, 3, 2);

    private void write(final int flags, final int length)
    {
        VideoFrame.write(bytes, PixelFormat.YUV_420, 9, 7, 0x0102030405060708L, 0x1112131415161718L, source, flags,
            length);
    }

    @Test
    void shouldHaveTheHeaderOfThePage()
    {
        write(VideoFrame.KEY_FLAG, 103);

        assertEquals("47524d46" + "0002" + "0003" + "0009" + "0007" + "00000009" + "00000005" + "00000005" +
            "0102030405060708" + "1112131415161718" + "%08x".formatted(source.key()) + "00000001" + "00000067" +
            "000000000000000000000000",
            HexFormat.of().formatHex(bytes.byteArray(), 0, VideoFrame.HEADER_LENGTH));
        final VideoFrame frame = new VideoFrame().wrap(bytes, 0, bytes.capacity());
        assertEquals("YUV_420 9x7 " + 0x0102030405060708L + " " + 0x1112131415161718L + " " + source.key() + " 103",
            frame.format() + " " + frame.width() + "x" + frame.height() + " " + frame.number() + " " +
            frame.capturedNs() + " " + frame.sourceKey() + " " + frame.planesLength());
        assertTrue(frame.isKey() && !frame.isLast());
    }

    @Test
    void shouldHaveNoPlanesAtTheEndOnly()
    {
        write(VideoFrame.LAST_FLAG, 0);

        final VideoFrame frame = new VideoFrame().wrap(bytes, 0, VideoFrame.HEADER_LENGTH);

        assertTrue(frame.isLast());
        assertFalse(frame.isKey());
        assertEquals(0, frame.checksum());
        write(VideoFrame.KEY_FLAG, 0);
        assertEquals("video frame of length=64 has planes of length=0, expected 103", assertThrows(
            GrimException.class, () -> frame.wrap(bytes, 0, VideoFrame.HEADER_LENGTH)).getMessage());
    }

    @Test
    void shouldRefuseEachHeaderWithAWrongByteThatMatters()
    {
        for (int offset = 0; offset < 12; offset++)
        {
            write(VideoFrame.KEY_FLAG, 103);
            bytes.putByte(offset, (byte)~bytes.getByte(offset));
            final boolean isPlaneCount = offset == 6 || offset == 7;
            if (isPlaneCount)
            {
                new VideoFrame().wrap(bytes, 0, bytes.capacity());      // The format says how many there are.
            }
            else
            {
                assertThrows(GrimException.class, () -> new VideoFrame().wrap(bytes, 0, bytes.capacity()), "" + offset);
            }
        }
        write(VideoFrame.KEY_FLAG, -1);
        assertThrows(GrimException.class, () -> new VideoFrame().wrap(bytes, 0, bytes.capacity()));
    }
}
