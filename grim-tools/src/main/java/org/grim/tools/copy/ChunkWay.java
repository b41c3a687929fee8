// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.copy;

import java.io.IOException;
import java.nio.channels.FileChannel;

/** How a part of the file gets to the receiver. Thread: the sender's. */
interface ChunkWay
{
    /** Most bytes of a part. */
    int chunkLengthMax();

    /** Reads the next part from where the file stands, digests it and hands it over; waits while there is no room. */
    void send(FileChannel source, long position, int length) throws IOException;
}
