// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.board;

import java.nio.ByteOrder;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.RemoteLink.AtomicOperation;

/**
 * The host DMA engine: SRAM to and from host memory. Transfers run in the order in which they were started; bytes land
 * in ascending order. Addresses are physical (see {@link HostMemory}) and were checked by the caller.
 * <p>Thread: the board's stepper. Source and target must stay as they are until {@link #isIdle()}.
 */
public interface HostEngine
{
    /** Returns the number of transfers that can wait, the running one included. */
    int TRANSFER_COUNT_MAX = 64;

    /** {@return whether all transfers are complete; true if source and target of each may be reused} */
    boolean isIdle();

    /**
     * Transfers that can be started now.
     *
     * @return 0 to {@value #TRANSFER_COUNT_MAX}.
     */
    int room();

    /**
     * Starts a transfer to host memory.
     *
     * @param address of the first byte.
     * @param source  holding the bytes.
     * @param offset  of the first.
     * @param length  bytes, more than 0.
     */
    void write(long address, DirectBuffer source, int offset, int length);

    /**
     * Starts a transfer to host memory that ends with one more word, in the same transfer: the word is visible to the
     * host only when all bytes before it are.
     *
     * @param address of the first byte.
     * @param source  holding the bytes.
     * @param offset  of the first.
     * @param length  bytes before the word, a multiple of 4, 0 for the word alone.
     * @param word    big endian behind them; {@code address + length} is a multiple of 4.
     */
    void writeWithTail(long address, DirectBuffer source, int offset, int length, int word);

    /**
     * Starts the transfer of the pointer of an arrival queue: a word at an address that the board knows without a
     * search. It is visible to the host only when all transfers before it are.
     *
     * @param address of the word, a multiple of 4.
     * @param source  as of the message before; not read.
     * @param word    big endian.
     */
    default void writePointer(final long address, final DirectBuffer source, final int word)
    {
        writeWithTail(address, source, 0, 0, word);
    }

    /**
     * Starts the transfer of a notification word. It is visible to the host only when all transfers before it are, and
     * in the byte order of the host's machine, which is that of the machine which runs the firmware.
     *
     * @param address of the word, a multiple of 4.
     * @param source  as of the message before; not read.
     * @param word    its value.
     */
    default void writeNotification(final long address, final DirectBuffer source, final int word)
    {
        writeWithTail(address, source, 0, 0,
            ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? word : Integer.reverseBytes(word));
    }

    /**
     * Starts a transfer from host memory.
     *
     * @param address of the first byte.
     * @param target  that takes the bytes.
     * @param offset  of the first there.
     * @param length  bytes, more than 0.
     */
    void read(long address, MutableDirectBuffer target, int offset, int length);

    /**
     * Starts an atomic operation on a word of host memory, of the byte order of the host's machine. It is visible to
     * the host only when all transfers before it are. Here, as on a bus with atomic transactions, it is atomic with the
     * host's own atomic accesses, too.
     *
     * @param operation to execute.
     * @param address   of the word, a multiple of its length.
     * @param length    bytes of the word, 4 or 8.
     * @param operand   of the operation.
     * @param comparand of the operation.
     * @param target    that takes the word before, little endian; null if nobody wants it.
     * @param offset    of its first byte there.
     */
    void update(
        AtomicOperation operation, long address, int length, long operand, long comparand,
        MutableDirectBuffer target, int offset);
}
