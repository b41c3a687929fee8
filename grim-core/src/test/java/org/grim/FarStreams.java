// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.zip.CRC32C;

import org.agrona.DirectBuffer;

/** Takes streams piece by piece: message a0, whose bytes have the checksum a1. Thread: one. */
final class FarStreams implements ActiveMessage.Stream.Handler
{
    private final Recorder recorder;
    private int begunCount;
    private int abortedCount;
    private int pieceCount;

    /** Where what came is recorded. */
    interface Recorder
    {
        void record(int channel, int sequence, boolean isGood);
    }

    /** One stream under way. */
    private static final class Progress
    {
        private final CRC32C crc = new CRC32C();
        private int position;
    }

    FarStreams(final Recorder recorder)
    {
        this.recorder = recorder;
    }

    @Override
    public void onBegin(final ActiveMessage.Stream stream)
    {
        begunCount++;
        stream.attach(new Progress());
    }

    @Override
    public void onPiece(
        final ActiveMessage.Stream stream, final DirectBuffer buffer, final int offset, final int length,
        final long position)
    {
        final Progress progress = (Progress)stream.attachment();
        if (position == progress.position)
        {
            final byte[] bytes = new byte[length];
            buffer.getBytes(offset, bytes);
            progress.crc.update(bytes);
            progress.position += length;
            pieceCount++;
        }
    }

    @Override
    public void onEnd(final ActiveMessage.Stream stream)
    {
        final Progress progress = (Progress)stream.attachment();
        recorder.record(stream.destination().channel(), stream.argument(0),
            progress.position == stream.totalLength() && (int)progress.crc.getValue() == stream.argument(1));
    }

    @Override
    public void onAbort(final ActiveMessage.Stream stream)
    {
        abortedCount++;
    }

    @Override
    public String toString()
    {
        return "begun=" + begunCount + " aborted=" + abortedCount;
    }

    int pieceCount()
    {
        return pieceCount;
    }
}
