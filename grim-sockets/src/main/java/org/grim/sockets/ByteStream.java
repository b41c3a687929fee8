// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads and writes of a connected channel, as {@link java.nio.channels.SocketChannel} has them. */
interface ByteStream
{
    /** Reads what is there, or waits for it if the channel blocks. */
    int read(ByteBuffer target) throws IOException;

    /** Reads into several buffers. */
    long read(ByteBuffer[] targets, int offset, int length) throws IOException;

    /** Writes: all if the channel blocks, what there is room for if not. */
    int write(ByteBuffer source) throws IOException;

    /** Writes from several buffers. */
    long write(ByteBuffer[] sources, int offset, int length) throws IOException;

    /** Nothing is read any more. */
    void shutInput() throws IOException;

    /** The other end reads what was written, and then the end. */
    void shutOutput() throws IOException;

    /** {@return operations that would not wait, as far as they do not need the kernel} */
    int readyOperations();
}
