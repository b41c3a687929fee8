// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pair.peers;

import org.agrona.DirectBuffer;

/**
 * Memory elsewhere, written and read without anybody's help there.
 * <p>Thread: the measuring one. Allocates nothing per operation.
 */
public interface MemoryAccess
{
    /**
     * Copies there, always to the same place.
     *
     * @param source of the bytes, from its beginning; free for reuse on return.
     * @param length bytes.
     * @return false if there is no room now.
     */
    boolean tryPut(DirectBuffer source, int length);

    /** Begins to copy what the last put left there to {@link #target()}. Returns false if there is no room now. */
    boolean tryGet(int length);

    /** Looks whether the last get has ended. Returns true if all bytes are there. */
    boolean isGot();

    /** Does what lets operations move. */
    void step();

    /** {@return where gets copy to; memory of this process} */
    DirectBuffer target();

    /** {@return first byte of what gets bring: an index in {@link #target()}} */
    int targetOffset();
}
