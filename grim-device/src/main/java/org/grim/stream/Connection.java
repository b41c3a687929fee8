// SPDX-License-Identifier: Apache-2.0
package org.grim.stream;

import java.util.List;

import org.agrona.DirectBuffer;
import org.grim.SendStatus;

/**
 * Owner's end of a line of stages, which injects items. Made by {@link Streams#open}.
 * <p>Thread: the one that polls the {@link Streams}.
 */
public interface Connection extends AutoCloseable
{
    /**
     * Injects an item. Without deaths each item arrives once, in order; over a death at most once, and the accounts
     * and the listener name each lost one.
     *
     * @param source of the payload; free for reuse on return.
     * @param offset first byte.
     * @param length bytes.
     * @return {@link SendStatus#SENT}: the item has the next sequence, {@link Accounts#injected()};
     *     {@link SendStatus#BACK_PRESSURED} if the window is full, or a stage is being replaced by another device after
     *     a death: poll, and inject again; {@link SendStatus#CLOSED} if the connection is closed, has stopped at a
     *     failed item, or its sink is gone.
     * @throws IllegalArgumentException if the length exceeds that of the connection's items.
     */
    SendStatus inject(DirectBuffer source, int offset, int length);

    /**
     * Injects an item with an address: it is added to the addresses of the first stage's operands in pages.
     *
     * @param address of {@link org.grim.device.accelerator.PageOperands#address}; 0 adds nothing.
     * @param source  of the payload; free for reuse on return.
     * @param offset  first byte.
     * @param length  bytes.
     * @return as {@link #inject(DirectBuffer, int, int)}.
     * @throws IllegalArgumentException as there, or if the first stage has a constant, which takes the same place.
     */
    SendStatus inject(int address, DirectBuffer source, int offset, int length);

    /**
     * Replaces a stage while items flow: no item is lost, and the order stays. Goes on while the streams are polled.
     *
     * @param index of the stage, from 0.
     * @param stage to take its place.
     * @throws IllegalArgumentException if there is no such stage, or it would leave the device of its checkpoints.
     * @throws IllegalStateException    if another change is under way ({@link #isSettled()}), or the connection is
     *                                  closed.
     */
    void replace(int index, Stage stage);

    /** {@return whether no change of the path is under way} */
    boolean isSettled();

    /** {@return why the last change of the path has failed; null if it has not} */
    String failure();

    /** {@return stages of the present path} */
    List<Stage> stages();

    /**
     * Has checkpoints of all stages that have some begin soon, before as many items have passed.
     */
    void requestCheckpoint();

    /**
     * Returns the last complete checkpoint of a stage.
     *
     * @param index of the stage, from 0.
     * @return account of it; null if there is none.
     * @throws IllegalArgumentException if there is no such stage.
     */
    Checkpoint checkpoint(int index);

    /** {@return accounts at this moment} */
    Accounts accounts();

    /** {@return whether nothing can be injected any more} */
    boolean isClosed();

    /**
     * Ends the connection behind all items that were injected: polls until all are accounted for, for 5 s at most.
     * Does nothing the second time.
     */
    @Override
    void close();
}
