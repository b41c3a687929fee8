// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.fabric;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;

/** A packet of a {@link DirectFabric}, from its begin until both its sender and its receiver are done with it. */
final class DirectPacket
{
    final AtomicBuffer buffer;
    int length;
    int arrivedLength;
    boolean isCut;
    boolean isReleased;

    DirectPacket(final int lengthMax)
    {
        buffer = Buffers.allocate(lengthMax);
    }

    DirectPacket begin(final int newLength)
    {
        length = newLength;
        arrivedLength = 0;
        isCut = false;
        isReleased = false;
        return this;
    }

    void append(final DirectBuffer source, final int offset, final int feedLength)
    {
        buffer.putBytes(arrivedLength, source, offset, feedLength);
        arrivedLength += feedLength;
    }

    boolean isEnded()
    {
        return isCut || arrivedLength == length;
    }
}
