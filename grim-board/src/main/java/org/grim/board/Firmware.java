// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

/**
 * A board's control program, as its stepper sees it: in a thread of its own, or in the duty cycle of a host.
 * <p>Thread: one at a time, the stepper; who changes it orders the change. Never blocks.
 * <p>Work shows in <em>words</em>: while all of them hold their idle values and {@link #isBusy()} is false,
 * {@link #step()} has nothing to do. So a silent board costs its stepper a load for each word.
 */
public interface Firmware extends AutoCloseable
{
    /** Does the next pieces of work that are ready, each bounded. Returns how many; 0 if nothing was ready. */
    int step();

    /**
     * Returns whether there is work that no word shows: left over by the last step, or due within a millisecond. True
     * if {@link #step()} should be called soon.
     */
    boolean isBusy();

    /**
     * Does what is slow: attaches and detaches contexts, notices that other boards came or went. Called some times per
     * 100 ms, and while a host waits for the board. Returns the number of pieces of work done.
     */
    int housekeep();

    /**
     * Returns the number of words, 1 or more. The count and the words change in {@link #step()} and
     * {@link #housekeep()} only.
     */
    int wordCount();

    /** Which words there are: another number after each change of the words or their count. */
    int wordVersion();

    /**
     * Where a word stands.
     *
     * @param index 0 to {@link #wordCount()} - 1.
     * @return address of an aligned 32-bit word outside the heap, mapped until it has left the list and
     *     {@link #wordsSeen()} was called after that.
     */
    long wordAddress(int index);

    /**
     * Returns a word's value while it shows no work. Ask again after each step.
     *
     * @param index 0 to {@link #wordCount()} - 1.
     * @return the value in the machine's byte order.
     */
    int wordIdle(int index);

    /** Says that nobody looks any more at words that are not in the present list: their memory may be unmapped. */
    void wordsSeen();

    /**
     * The stepper is about to sleep, or wakes. Other boards that send to a sleeping one ring its doorbell. The caller
     * looks at all words once more after it has said so, and after the time that a store may take to be seen.
     *
     * @param bell number of the doorbell, or -1 for awake.
     */
    void asleep(int bell);

    /** Ends it. Messages in flight are lost, and their senders learn of it. */
    @Override
    void close();
}
