// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import org.grim.group.Group;
import org.grim.group.Reduction;

/**
 * The last argument of a message of a collective operation: what the message is, and what its sender called. Two
 * descriptions are equal if and only if the operations are: nothing is hashed.
 * <pre>
 *  +----------+-----------+----------------------------------------------+
 *  | kind (4) | operation | root, reduction and length; all ones if they |
 *  |          |    (3)    | do not fit                              (25) |
 *  +----------+-----------+----------------------------------------------+
 * </pre>
 * If they do not fit, the <em>description</em> stands before the payload, 8 bytes, little endian:
 * <pre>
 *  +----------------+-------------+----------------+-----------+-----------+
 *  |  unused (7)    | length (31) | reduction (13) | root (10) | operation |
 *  +----------------+-------------+----------------+-----------+-----------+
 * </pre>
 * A part that its receiver has asked for has none: the question had it.
 * <p>Thread: any; no state.
 */
final class PartWords
{
    /** A part, or a fragment of one. */
    static final int PART = 0;
    /** The same, with the description before it. */
    static final int DESCRIBED = 1 << 28;
    /** Names memory that holds a part. */
    static final int OFFER = 2 << 28;
    /** In all kinds that no receipt of a schedule waits for. */
    static final int WORD = 1 << 31;
    /** The member is ready to receive a long part. */
    static final int READY = WORD;
    /** The member has read the part that was offered to it. */
    static final int TAKEN = WORD | 1 << 28;
    /** The member cannot read the part that was offered to it. */
    static final int REFUSED = WORD | 2 << 28;
    /** Nobody changed the part while it was read. */
    static final int CONFIRMED = WORD | 3 << 28;
    /** The member waits for another one: it is to answer if its operation is another one, or over. */
    static final int ASK = WORD | 4 << 28;
    /** The operation is over at the member; the rest of the word says how. */
    static final int ENDED = WORD | 5 << 28;

    /** Bytes of a description before a payload. */
    static final int DESCRIPTION_LENGTH = Long.BYTES;
    /** Reduction of an operation without one. */
    static final int NO_REDUCTION = 31;

    private static final int KIND_MASK = 0xF << 28;
    private static final int OPERATION_SHIFT = 25;
    private static final int CONTENT_MASK = (1 << OPERATION_SHIFT) - 1;
    private static final int ROOT_SHIFT = 15;               // In front of a length.
    private static final int REDUCTION_SHIFT = 20;          // In front of a count, or of a root and a count.
    private static final int ROOT_OF_REDUCTION_SHIFT = 10;
    private static final int OPERATION_COUNT = Reduction.Operation.values().length;
    private static final int OWN_REDUCTION = 1 << 12;       // And the length of an element, less 1.

    private static final int DESCRIPTION_ROOT_SHIFT = 3;
    private static final int DESCRIPTION_REDUCTION_SHIFT = 13;
    private static final int DESCRIPTION_LENGTH_SHIFT = 26;

    private static final Reduction[] NUMBERS = numbers();
    private static final Group.Status[] OUTCOMES = Group.Status.values();

    private PartWords()
    {
    }

    static int kind(final int word)
    {
        return word & KIND_MASK;
    }

    /** What stands in a word beside its kind. */
    static int signature(final int word)
    {
        return word & ~KIND_MASK;
    }

    /** Whether a signature leaves out what does not fit. */
    static boolean isShort(final int signature)
    {
        return (signature & CONTENT_MASK) != CONTENT_MASK;
    }

    /** Bytes before the payload of a message: its description, or none. */
    static int descriptionLength(final int word)
    {
        return isShort(word) || kind(word) == PART ? 0 : DESCRIPTION_LENGTH;
    }

    /** The word that an operation has ended. */
    static int ended(final Group.Status outcome)
    {
        return ENDED | outcome.ordinal();
    }

    /** How it has; null of a word that makes no sense. */
    static Group.Status outcome(final int word)
    {
        final int ordinal = signature(word);
        return ordinal < OUTCOMES.length ? OUTCOMES[ordinal] : null;
    }

    /** Number of a reduction, equal for all that may be the same. */
    static int reduction(final Reduction reduction, final int elementLength)
    {
        if (reduction == null)
        {
            return NO_REDUCTION;
        }
        for (int i = 0; i < NUMBERS.length; i++)
        {
            if (NUMBERS[i] == reduction)
            {
                return i;
            }
        }
        return OWN_REDUCTION | (elementLength - 1);
    }

    /** All that is the same at all members. */
    static long description(final int operation, final int root, final int reduction, final int length)
    {
        return operation | (long)root << DESCRIPTION_ROOT_SHIFT | (long)reduction << DESCRIPTION_REDUCTION_SHIFT |
            (long)length << DESCRIPTION_LENGTH_SHIFT;
    }

    /** The same in short, if it fits. */
    static int signature(
        final int operation, final boolean hasRoot, final int root, final int reduction, final int length,
        final int elementLength)
    {
        int content = CONTENT_MASK;
        if (reduction == NO_REDUCTION)
        {
            content = length < (1 << (hasRoot ? ROOT_SHIFT : OPERATION_SHIFT)) - 1 ? root << ROOT_SHIFT | length :
                content;
        }
        else if (reduction < NO_REDUCTION)
        {
            final int count = length >> Integer.numberOfTrailingZeros(elementLength);       // 4 or 8 bytes each.
            content = count < 1 << (hasRoot ? ROOT_OF_REDUCTION_SHIFT : REDUCTION_SHIFT) ?
                reduction << REDUCTION_SHIFT | root << ROOT_OF_REDUCTION_SHIFT | count : content;
        }
        return operation << OPERATION_SHIFT | content;
    }

    private static Reduction[] numbers()
    {
        final Reduction[] numbers = new Reduction[Reduction.Type.values().length * OPERATION_COUNT];
        for (final Reduction.Type type : Reduction.Type.values())
        {
            for (final Reduction.Operation operation : Reduction.Operation.values())
            {
                if (type.isWhole() || operation.compareTo(Reduction.Operation.AND) < 0)
                {
                    numbers[type.ordinal() * OPERATION_COUNT + operation.ordinal()] = Reduction.of(type, operation);
                }
            }
        }
        return numbers;
    }
}
