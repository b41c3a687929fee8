// SPDX-License-Identifier: Apache-2.0
package org.grim.device.video;

import java.io.IOException;

/** A place where a display's picture is seen. Thread: that of the display; {@link #close()} the runner's, behind it. */
interface DisplaySink extends AutoCloseable
{
    /**
     * Shows a picture; may block.
     *
     * @param screen  that does not change meanwhile.
     * @param changed part of it.
     * @throws IOException if the system refuses.
     */
    void show(Screen screen, Screen.Area changed) throws IOException;

    @Override
    default void close()
    {
        // Nothing is held.
    }
}
