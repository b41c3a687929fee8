// SPDX-License-Identifier: Apache-2.0
package org.grim.device.video;

import org.agrona.DirectBuffer;
import org.grim.device.DeviceException;
import org.grim.device.DeviceRequest;

/**
 * A picture to show: an area of a frame buffer, or a frame.
 * <p>Thread: the runner's, then that of the display, then the runner's again; the queues between publish all fields.
 */
final class DisplayJob
{
    /** Null for a frame of a window. */
    final DeviceRequest request;
    /** Null for a frame of a request. */
    final DisplayWindow window;
    final DirectBuffer buffer;
    /** Of a frame buffer; null for a frame. */
    final Screen.Area area;
    final int offset;
    final int length;
    /** Argument 1 of the answer. */
    final int result;
    /** Line about a frame that was shown; null for none. */
    String shown;
    boolean isLast;
    DeviceException refusal;

    DisplayJob(
        final DeviceRequest request, final DirectBuffer buffer, final Screen.Area area, final int result)
    {
        this.request = request;
        window = null;
        this.buffer = buffer;
        this.area = area;
        offset = 0;
        length = 0;
        this.result = result;
    }

    DisplayJob(
        final DeviceRequest request, final DisplayWindow window, final DirectBuffer buffer, final int offset,
        final int length)
    {
        this.request = request;
        this.window = window;
        this.buffer = buffer;
        area = null;
        this.offset = offset;
        this.length = length;
        result = 0;
    }
}
