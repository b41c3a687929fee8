// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.guard;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

import org.agrona.BitUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardGeometry;
import org.grim.board.ChannelRegisters;
import org.grim.board.QueueFormat;
import org.grim.ni.event.NiListener;
import org.grim.ni.event.Outcome;
import org.grim.wire.MessageHeader;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static org.agrona.BitUtil.SIZE_OF_LONG;
import static org.grim.board.ChannelRegisters.FRONT;

/**
 * Filter between the firmware and its listener: hides losses, or moves a channel's front past each settled message,
 * even when unsettled ones stand before it.
 */
final class PlantedListener
{
    private final NiListener listener;
    private final Guard missing;
    private final AtomicBuffer sram;
    private final BoardGeometry geometry;

    private PlantedListener(
        final NiListener listener, final Guard missing, final AtomicBuffer sram, final BoardGeometry geometry)
    {
        this.listener = listener;
        this.missing = missing;
        this.sram = sram;
        this.geometry = geometry;
    }

    static NiListener over(
        final NiListener listener, final Guard missing, final AtomicBuffer sram, final BoardGeometry geometry)
    {
        final PlantedListener planted = new PlantedListener(listener, missing, sram, geometry);
        return (NiListener)Proxy.newProxyInstance(
            NiListener.class.getClassLoader(), new Class<?>[]{NiListener.class}, planted::call);
    }

    private Object call(final Object proxy, final Method method, final Object[] arguments) throws Throwable
    {
        final boolean isSettled = "onSettled".equals(method.getName());
        if (isSettled && missing == Guard.LOSS_REPORTED && arguments[2] != Outcome.ACKNOWLEDGED &&
            arguments[2] != Outcome.REFUSED)
        {
            return null;
        }
        try
        {
            final Object result = method.invoke(listener, arguments);
            if (isSettled && missing == Guard.FRONT_IN_ORDER)
            {
                pass((Integer)arguments[0], (Integer)arguments[1]);
            }
            return result;
        }
        catch (final InvocationTargetException ex)
        {
            throw ex.getCause();
        }
    }

    private void pass(final int channel, final int position)
    {
        final int index =
            geometry.queueOffset(channel) + QueueFormat.offset(position, geometry.queueLength());
        final int payloadLength = MessageHeader.payloadLength(
            sram.getLong(index, BIG_ENDIAN), sram.getLong(index + SIZE_OF_LONG, BIG_ENDIAN));
        final int end = position + QueueFormat.MESSAGE_LENGTH_MIN +
            BitUtil.align(payloadLength, QueueFormat.ALIGNMENT);
        final ChannelRegisters registers = new ChannelRegisters(sram, geometry, channel);
        if (end - registers.get(FRONT) > 0)
        {
            registers.putRelease(FRONT, end);
        }
    }
}
