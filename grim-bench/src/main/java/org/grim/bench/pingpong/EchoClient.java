// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.pingpong;

import org.HdrHistogram.Histogram;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.ActiveMessage;
import org.grim.EndpointId;
import org.grim.Grim;
import org.grim.GrimException;
import org.grim.bench.process.BoundedSpin;
import org.grim.buffer.Buffers;

/**
 * Active messages. The clock stands around the round trip only: from before the send to the first thing that the
 * reply's handler does.
 */
final class EchoClient implements PingClient
{
    private static final String ECHOED = "pingpong.echoed";
    private static final int STREAM_BURST_MAX = 64;
    private static final int STREAM_BURST_LENGTH = 1 << 22;

    private final Grim grim;
    private final BoundedSpin spin;
    private final Requester requester;
    private final AtomicBuffer payload;
    // Two, because each remembers the memory that it saw last.
    private final Checksum sentChecksum = new Checksum();
    private final Checksum echoedChecksum = new Checksum();
    private final int[] windowChecksums = new int[Pattern.WINDOW_COUNT];

    private int echoHandler;
    private int streamHandler;
    private int streamEndHandler;
    private int echoedHandler;

    private int sequence;
    private int size;
    private int expectedChecksum;
    private long arrivalNs;
    private long verifiedCount;
    private boolean hasArrived;
    private boolean isMismatch;

    EchoClient(final Grim grim, final BoundedSpin spin, final int sizeMax)
    {
        this.grim = grim;
        this.spin = spin;
        requester = new Requester(grim, spin);
        payload = Buffers.allocate(sizeMax + Pattern.WINDOWS_LENGTH);
        grim.handlers().register(ECHOED, this::onEchoed);
    }

    @Override
    public void connect(final EndpointId server)
    {
        requester.connect(server);
        echoHandler = grim.handlers().resolve(EchoServer.ECHO);
        streamHandler = grim.handlers().resolve(EchoServer.STREAM);
        streamEndHandler = grim.handlers().resolve(EchoServer.STREAM_END);
        echoedHandler = grim.handlers().resolve(ECHOED);
    }

    @Override
    public long takeVerifiedCount()
    {
        final long count = verifiedCount;
        verifiedCount = 0;
        return count;
    }

    @Override
    public void measure(final int newSize, final long durationNs, final Histogram times)
    {
        size = newSize;
        final long endNs = System.nanoTime() + durationNs;
        do
        {
            sequence++;
            Pattern.write(payload, 0, sequence, size);
            expectedChecksum = sentChecksum.of(payload, 0, size);
            hasArrived = false;
            final long startNs = System.nanoTime();
            requester.send(echoHandler, sequence, 0, 0, echoedHandler, payload, 0, size);
            while (!hasArrived)
            {
                requester.pollOrSpin();
            }
            spin.reset();
            times.recordValue(Math.min(arrivalNs - startNs, times.getHighestTrackableValue()));
            requireMatch();
        }
        while (arrivalNs - endNs < 0);
    }

    /** Counts what was verified there. */
    @Override
    public double stream(final int newSize, final long durationNs)
    {
        size = newSize;
        sequence++;
        Pattern.write(payload, 0, sequence, size + Pattern.WINDOWS_LENGTH);
        for (int window = 0; window < Pattern.WINDOW_COUNT; window++)
        {
            windowChecksums[window] = sentChecksum.of(payload, Pattern.windowOffset(window), size);
        }
        final int burst = Math.max(1, Math.min(STREAM_BURST_MAX, STREAM_BURST_LENGTH / Math.max(1, size)));
        int count = 0;
        final long startNs = System.nanoTime();
        do
        {
            for (int i = 0; i < burst; i++)
            {
                requester.send(streamHandler, count, windowChecksums[count % Pattern.WINDOW_COUNT], 0, 0, payload,
                    Pattern.windowOffset(count), size);
                count++;
            }
        }
        while (System.nanoTime() - startNs < durationNs);
        requester.ask(streamEndHandler, 0, 0, 0);
        if (requester.firstArgument() != count || requester.secondArgument() != 0)
        {
            throw new GrimException("stream of size=" + size + " bytes is broken: sent=" + count + " received=" +
                requester.firstArgument() + " bad=" + requester.secondArgument());
        }
        verifiedCount += count;
        return count * 1e9 / (requester.answerNs() - startNs);
    }

    @Override
    public void requestRaw()
    {
        requester.requestRaw();
    }

    @Override
    public void requestSwitch()
    {
        requester.requestSwitch();
    }

    private void onEchoed(final ActiveMessage message)
    {
        arrivalNs = System.nanoTime();
        isMismatch = message.argument(0) != sequence || message.length() != size ||
            echoedChecksum.of(message.buffer(), message.offset(), message.length()) != expectedChecksum;
        verifiedCount++;
        hasArrived = true;
    }

    private void requireMatch()
    {
        if (isMismatch)
        {
            throw new GrimException("payload came back changed: size=" + size + " bytes sequence=" + sequence +
                " CRC32C=0x" + Integer.toHexString(expectedChecksum));
        }
    }
}
