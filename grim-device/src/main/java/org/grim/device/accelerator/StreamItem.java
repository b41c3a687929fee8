// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** An item in a device, with a copy of its payload, which its result replaces. Thread: the runner's. */
final class StreamItem
{
    private static final int PAYLOAD_LENGTH_KEPT = 1 << 16;

    KernelReference kernel;
    int a0;
    int sequence;
    int constant;
    int length;
    UnsafeBuffer data = new UnsafeBuffer(new byte[0]);
    boolean isReady;                    // To leave, for:
    int nextEndpoint;
    int nextHandler;
    final PageNeed need = new PageNeed();

    void set(
        final KernelReference newKernel, final int newA0, final int newSequence, final int newConstant,
        final DirectBuffer buffer, final int offset, final int newLength)
    {
        kernel = newKernel;
        a0 = newA0;
        sequence = newSequence;
        constant = newConstant;
        length = newLength;
        data = roomIn(data, newLength);
        if (newLength > 0)
        {
            data.putBytes(0, buffer, offset, newLength);
        }
        isReady = false;
    }

    /** Gives a long payload back to the heap. */
    void release()
    {
        if (data.capacity() > PAYLOAD_LENGTH_KEPT)
        {
            data = new UnsafeBuffer(new byte[0]);
        }
    }

    /** Returns the buffer, or a longer one. */
    static UnsafeBuffer roomIn(final UnsafeBuffer buffer, final int length)
    {
        return buffer.capacity() >= length ? buffer :
            new UnsafeBuffer(new byte[Math.max(length, Math.min(2 * buffer.capacity(), PAYLOAD_LENGTH_KEPT))]);
    }
}
