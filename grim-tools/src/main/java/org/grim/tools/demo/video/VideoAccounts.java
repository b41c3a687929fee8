// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.demo.video;

import org.grim.stream.Accounts;
import org.grim.stream.VideoSource;

/**
 * Accounts of a stream at its end: each frame is in exactly one of left out, dropped, delivered, failed, lost, unknown.
 *
 * @param name   of the connection.
 * @param frames counts of its source.
 * @param items  accounts of its connection.
 */
record VideoAccounts(String name, VideoSource.Frames frames, Accounts items)
{
    /** Returns whether each frame of the capture is accounted for. */
    boolean addUp()
    {
        return frames.missing() == 0 && items.pending() == 0 && items.injected() == frames.arrived() - frames.dropped();
    }

    @Override
    public String toString()
    {
        return name + ": captured=" + frames.captured() + " arrived=" + frames.arrived() + " dropped=" +
            (frames.droppedAtCapture() + frames.leftOut() + frames.dropped()) + " injected=" + items.injected() +
            " delivered=" + items.delivered() + " failed=" + items.failed() + " lost=" + items.lost() + " unknown=" +
            items.unknown();
    }
}
