// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.delivery;

/**
 * Triples that timed out, first come first served: each has a message that holds its token and must leave again. Those
 * that have left another way, or must wait, are taken off when they come to the front.
 * <p>Thread: the board's stepper. The list goes through the triples; never allocates.
 */
final class RepeatList
{
    private SendTriple first;
    private SendTriple last;

    void add(final SendTriple triple)
    {
        if (triple.isRepeatListed)
        {
            return;
        }
        triple.isRepeatListed = true;
        triple.followingRepeat = null;
        if (first == null)
        {
            first = triple;
        }
        else
        {
            last.followingRepeat = triple;
        }
        last = triple;
    }

    /** The message that the first triple repeats, or null. */
    MessageRecord next()
    {
        while (first != null && !first.isRepeatable())
        {
            first.isRepeatListed = false;
            first = first.followingRepeat;
        }
        return first == null ? null : first.cursor;
    }
}
