// SPDX-License-Identifier: Apache-2.0
package org.grim.device.video;

import java.io.IOException;

/** Frames, one after the other. Thread: that of the capture. */
interface FrameSource
{
    /**
     * Reads the next frame; may block.
     *
     * @param frame to fill, but for number and time.
     * @return false if there is none any more.
     * @throws IOException if the bytes are no frame, or cannot be read.
     */
    boolean read(CapturedFrame frame) throws IOException;

    /** Returns the time from one frame to the next; 0 if the source does not say. Only behind a read. */
    long periodNs();
}
