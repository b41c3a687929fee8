// SPDX-License-Identifier: Apache-2.0
package org.grim;

import org.agrona.DirectBuffer;

/**
 * The way to one endpoint's registered memory on one logical channel, in one order with the messages of the
 * {@link Link} between the same two channels: operations take effect in the order in which they were accepted, a
 * message sent after an operation arrives after it, and a notification word says that everything sent before it on the
 * channel has been published and every operation before it is complete. An operation may overtake messages sent before
 * it, but none that waits in the overflow queue.
 * <p>Length: any. More than the transport moves at once is cut; only the last piece has the notification. If the next
 * hop takes only a part at once, the rest is copied to the overflow queue, as far as its ceiling goes
 * ({@link SendStatus#QUEUED}); else nothing is begun ({@link SendStatus#BACK_PRESSURED}).
 * <p>Statuses say whether an operation was accepted. Whether its addresses are good, only the target knows: what it
 * refuses is counted and told to the {@link org.grim.RemoteMemory.RefusalListener}.
 * <p>Thread: the endpoint's owner; handlers may use it. Never blocks; allocates nothing after the first operations.
 */
public interface RemoteLink
{
    /** Address that means: no notification word. */
    long NO_NOTIFICATION = 0;

    /** {@return whose memory it is: the name of the endpoint} */
    EndpointId destination();

    /**
     * Writes by virtual address (RM-V).
     *
     * @param remoteAddress       {@link MemoryRegion#virtualAddress()} of the target's region, plus an offset in bytes.
     * @param source              of the data; free for reuse on return.
     * @param offset              first byte of the data.
     * @param length              bytes.
     * @param notificationAddress virtual address of a word of the target, a multiple of 4; or {@link #NO_NOTIFICATION}.
     * @param notificationValue   to store there when all bytes are there.
     * @return what became of it.
     */
    SendStatus write(
        long remoteAddress, DirectBuffer source, int offset, int length, long notificationAddress,
        int notificationValue);

    /**
     * Writes by physical address (RM-P): no look-up at the target, only bounds.
     *
     * @param remoteAddress       {@link MemoryRegion#physicalAddress()} of the target's region, plus an offset.
     * @param source              of the data; free for reuse on return.
     * @param offset              first byte of the data.
     * @param length              bytes.
     * @param notificationAddress physical address of a word of the target, a multiple of 4; or
     *                            {@link #NO_NOTIFICATION}.
     * @param notificationValue   to store there when all bytes are there.
     * @return what became of it.
     */
    SendStatus writePhysical(
        long remoteAddress, DirectBuffer source, int offset, int length, long notificationAddress,
        int notificationValue);

    /**
     * Writes a block of rows, such as a part of an image into a frame buffer, by virtual addresses (RM-V).
     *
     * @param remoteAddress       of the first row's first byte.
     * @param remoteStride        bytes from one row's first byte to the next one's at the target; may be negative.
     * @param source              of the rows; free for reuse on return.
     * @param offset              first byte of the first row.
     * @param sourceStride        bytes from one row's first byte to the next one's in the source.
     * @param rowLength           bytes of a row.
     * @param rowCount            rows, 1 or more.
     * @param notificationAddress of a word of the target, written after the last row; or {@link #NO_NOTIFICATION}.
     * @param notificationValue   to store there.
     * @return what became of it: of all rows, or of none.
     */
    SendStatus writeRows(
        long remoteAddress, long remoteStride, DirectBuffer source, int offset, int sourceStride, int rowLength,
        int rowCount, long notificationAddress, int notificationValue);

    /**
     * Reads by virtual address (RM-RV).
     *
     * @param remoteAddress       of the first byte there.
     * @param target              registered memory of this node; must stay registered until the read is complete.
     * @param targetOffset        first byte in it.
     * @param length              bytes.
     * @param notificationAddress virtual address of a word of this node, written when all bytes are there; or
     *                            {@link #NO_NOTIFICATION}.
     * @param notificationValue   to store there.
     * @return what became of it.
     */
    SendStatus read(
        long remoteAddress, MemoryRegion target, long targetOffset, int length, long notificationAddress,
        int notificationValue);

    /**
     * Reads by virtual address (RM-RV); a handle tells when it is complete.
     *
     * @param remoteAddress of the first byte there.
     * @param target        registered memory of this node; must stay registered until the read is complete.
     * @param targetOffset  first byte in it.
     * @param length        bytes.
     * @param completion    not in use; made by {@link org.grim.RemoteMemory#newRead()}.
     * @return what became of it.
     */
    SendStatus read(long remoteAddress, MemoryRegion target, long targetOffset, int length, RemoteRead completion);
}
