// SPDX-License-Identifier: Apache-2.0
package org.grim.shared;

/** A channel that threads wait for in blocking calls. */
public interface Awaited
{
    /** {@return operations that would not wait, as far as they do not need the kernel; any thread} */
    int readyOperations();

    /** {@return false after it was closed} */
    boolean isOpen();

    /** {@return a number that changes as long as bytes pass; who waits looks for longer then} */
    default long progress()
    {
        return 0;
    }

    /** {@return what a thread waits for, in words; thread: the endpoint's owner} */
    default String inWords()
    {
        return "";
    }

    /** {@return the peer whose turn it is, as its user counts them; -1 if not one alone; thread: the owner} */
    default int awaitedPeer()
    {
        return -1;
    }

    /** {@return how long those that wait look before they sleep} */
    SpinTime spinTime();

    /**
     * Notes that a thread waits, and must be woken when something changes.
     *
     * @param operations any of which it waits for.
     * @param sleeper    where it sleeps; null for no longer.
     */
    void waiting(int operations, Sleeper sleeper);
}
