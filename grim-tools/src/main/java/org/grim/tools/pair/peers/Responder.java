// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pair.peers;

import org.agrona.DirectBuffer;
import org.grim.tools.pair.Benchmark;
import org.grim.tools.pair.Cell;
import org.grim.tools.pair.ControlBlock;
import org.grim.tools.pair.MessageReceiver;
import org.grim.tools.pair.Peer;
import org.grim.tools.pair.PeerKind;
import org.grim.tools.process.BoundedSpin;

/**
 * Receives, in the second process. To a ping it replies from the handler: with what it got where it reads, with a
 * message of its own where it does not, written right after the reply before. Streams get no reply.
 * <p>Thread: the measuring one. Allocates nothing while others measure.
 */
final class Responder implements MessageReceiver
{
    private final Payload payload = new Payload(false);
    private Peer peer;
    private BoundedSpin spin;
    private boolean isRead;
    private boolean isReturned;
    private boolean isEcho;
    private boolean isKept;
    private DirectBuffer lastBuffer;
    private int lastOffset;
    private int lastLength;
    private long receivedCount;
    private long receivedSum;

    @Override
    public void onMessage(final DirectBuffer buffer, final int offset, final int length)
    {
        receivedCount++;
        if (isKept)
        {
            lastBuffer = buffer;
            lastOffset = offset;
            lastLength = length;
        }
        if (isRead)
        {
            receivedSum = Payload.fold(receivedSum, payload.sumOf(buffer, offset, length));
        }
        if (isEcho)
        {
            if (isReturned)
            {
                reply(buffer, offset, length);
            }
            else
            {
                reply(payload.buffer(), 0, length);
                payload.write(length);
            }
        }
    }

    /** Takes part in a cell; see {@link org.grim.tools.pair.Side#respond}. */
    void respond(final Peer newPeer, final Cell cell, final ControlBlock control, final BoundedSpin newSpin)
    {
        peer = newPeer;
        spin = newSpin;
        isEcho = cell.benchmark().isPingPong();
        isKept = cell.benchmark() == Benchmark.PUT_LATENCY;
        // The results of writes and reads from one side are checked when they have ended.
        isRead = cell.isRead() || (!isEcho && (cell.isVerified() || cell.benchmark().ours() != PeerKind.GRIM));
        isReturned = cell.isRead() || cell.isVerified();
        receivedCount = 0;
        receivedSum = 0;
        payload.prepare(cell);
        payload.write(cell.size());
        control.entered();
        while (poll() || !control.isEnded(receivedCount))
        {
            // All is done in poll().
        }
        spin.reset();
        if (isKept)
        {
            receivedSum = payload.sumOf(lastBuffer, lastOffset, lastLength);
        }
        control.done(receivedCount, receivedSum);
    }

    long receivedCount()
    {
        return receivedCount;
    }

    private boolean poll()
    {
        if (peer.poll() == 0)
        {
            spin.spin();
            return false;
        }
        spin.reset();
        return true;
    }

    private void reply(final DirectBuffer buffer, final int offset, final int length)
    {
        while (!peer.trySend(buffer, offset, length))
        {
            spin.spin();
        }
    }
}
