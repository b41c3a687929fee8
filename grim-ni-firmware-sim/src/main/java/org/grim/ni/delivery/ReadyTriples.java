// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.delivery;

/** A channel's triples that have something to send, in the order of their turns. Thread: the board's stepper. */
final class ReadyTriples
{
    private SendTriple first;
    private SendTriple last;

    /** A triple may send. */
    void add(final SendTriple triple)
    {
        if (triple.isListed)
        {
            return;
        }
        triple.isListed = true;
        triple.followingReady = null;
        if (first == null)
        {
            first = triple;
        }
        else
        {
            last.followingReady = triple;
        }
        last = triple;
    }

    /**
     * The first triple that may send; those that may no more are taken off the list. While no token is free, only a
     * message that has one may go: it was sent before, and its token comes back only by sending it again.
     */
    SendTriple first(final boolean hasFreeToken)
    {
        SendTriple firstWithout = null;
        while (first != null && first != firstWithout)
        {
            final SendTriple triple = first;
            if (!triple.isSendable())
            {
                removeFirst();
            }
            else if (hasFreeToken || triple.cursor.token != MessageRecord.NO_TOKEN)
            {
                return triple;
            }
            else
            {
                firstWithout = firstWithout == null ? triple : firstWithout;
                rotate();
            }
        }
        return null;
    }

    /** The first triple had its turn: the others come before it again. */
    void rotate()
    {
        final SendTriple triple = first;
        removeFirst();
        if (triple.isSendable())
        {
            add(triple);
        }
    }

    private void removeFirst()
    {
        assert first.isListed;
        first.isListed = false;
        first = first.followingReady;
    }
}
