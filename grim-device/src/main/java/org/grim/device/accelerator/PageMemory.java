// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import org.agrona.concurrent.UnsafeBuffer;

/** Frames in a device's memory, and copies between them and host memory. Thread: the runner's. */
interface PageMemory
{
    /** {@return bytes of a page} */
    int pageLength();

    /** {@return a frame as kernels see it, while a page is present there} */
    UnsafeBuffer frame(int index);

    /**
     * Fills a frame with a page. A page without a copy in host memory is zeros. Called again until it is done.
     *
     * @return whether the frame has all of it.
     */
    boolean load(Page page, int frame);

    /**
     * Copies a page from its frame to host memory. Called again until it is done.
     *
     * @return whether host memory has all of it.
     */
    boolean store(Page page, int frame);

    /** {@return the page in host memory, which is made if there is none} */
    UnsafeBuffer host(Page page);
}
