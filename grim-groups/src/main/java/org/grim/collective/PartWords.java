// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

/**
 * The last argument of a message of a collective operation: what the message is, and what its sender called. Two
 * descriptions are equal if and only if the operations are: nothing is hashed.
 * <pre>
 *  +----------+---------------+--------------------------------------------------+
 *  | kind (4) | operation (4) | root, reduction, length; all ones if too long 24 |
 *  +----------+---------------+--------------------------------------------------+
 * </pre>
 * If they are too long, the <em>description</em> stands before the payload, 8 bytes, little endian:
 * <pre>
 *  +------------+-----------+------------+-------------+----------------+-----------+---------------+
 *  | unused (3) | parts (1) | receipt(1) | length (31) | reduction (14) | root (10) | operation (4) |
 *  +------------+-----------+------------+-------------+----------------+-----------+---------------+
 * </pre>
 * A part that its receiver has asked for has none: the question had it. Where members may have parts of different
 * lengths, all messages are described, the length is that of the part, and <em>receipt</em> says that the sender is to
 * receive it.
 * <p>Thread: any; no state.
 */
public final class PartWords
{
    /** A part, or a fragment of one. */
    public static final int PART = 0;
    /** Flag of a part with the description before it. */
    public static final int DESCRIBED = 1 << 28;
    /** Names memory that holds a part. */
    public static final int OFFER = 2 << 28;
    /** The sender does not belong to the group: of no operation. */
    public static final int LEFT = 3 << 28;
    /** Flag of all kinds that no receipt of a schedule waits for. */
    public static final int WORD = 1 << 31;
    /** The member is ready to receive a long part. */
    public static final int READY = WORD;
    /** The member has read the part that was offered to it. */
    public static final int TAKEN = WORD | 1 << 28;
    /** The member cannot read the part that was offered to it. */
    public static final int REFUSED = WORD | 2 << 28;
    /** Nobody changed the part while it was read. */
    public static final int CONFIRMED = WORD | 3 << 28;
    /** The member waits for another one: it is to answer if its operation is another one, or over. */
    public static final int ASK = WORD | 4 << 28;
    /** The operation has ended at the member: its part is done. */
    public static final int ENDED = WORD | 5 << 28;
    /** Members did different things. */
    public static final int MISMATCHED = WORD | 6 << 28;
    /** A member's reduction has thrown. */
    public static final int FAILED = WORD | 7 << 28;

    /** Bytes of a description before a payload. */
    public static final int DESCRIPTION_LENGTH = Long.BYTES;
    /** Most reductions of numbers: theirs are the numbers from 0 on. */
    public static final int NUMBER_REDUCTIONS_MAX = 127;
    /** Number of the reduction of an operation without one. */
    public static final int NO_REDUCTION = NUMBER_REDUCTIONS_MAX;

    private static final int OWN_REDUCTION = 1 << 12;       // And the length of an element, less 1.
    private static final int ORDERED_REDUCTION = 1 << 13;
    private static final int KIND_MASK = 0xF << 28;
    private static final int OPERATION_SHIFT = 24;
    private static final int CONTENT_MASK = (1 << OPERATION_SHIFT) - 1;
    private static final int ROOT_LIMIT = 1 << 7;           // Greater ones stand in the description.
    private static final int ROOT_SHIFT = 17;               // Before a length.
    private static final int REDUCTION_SHIFT = 17;          // Before a count, or a root and a count.
    private static final int ROOT_OF_REDUCTION_SHIFT = 10;

    private static final int DESCRIPTION_ROOT_SHIFT = 4;
    private static final int DESCRIPTION_REDUCTION_SHIFT = 14;
    private static final int DESCRIPTION_LENGTH_SHIFT = 28;
    private static final long OF_RECEIPT = 1L << 59;
    private static final long OF_PARTS = 1L << 60;
    private static final long PART_MASK = OF_RECEIPT | (long)Integer.MAX_VALUE << DESCRIPTION_LENGTH_SHIFT;

    private PartWords()
    {
    }

    /** Returns the kind of a message. */
    public static int kind(final int word)
    {
        return word & KIND_MASK;
    }

    /** Returns the word without the kind. */
    public static int signature(final int word)
    {
        return word & ~KIND_MASK;
    }

    /**
     * Returns whether a signature says all.
     *
     * @param signature of an operation; a kind beside it is ignored.
     * @return false if the description says the rest.
     */
    public static boolean isShort(final int signature)
    {
        return (signature & CONTENT_MASK) != CONTENT_MASK;
    }

    /**
     * Length of the description of a message.
     *
     * @param word of the message.
     * @return bytes before its payload.
     */
    public static int descriptionLength(final int word)
    {
        return isShort(word) || kind(word) == PART ? 0 : DESCRIPTION_LENGTH;
    }

    /**
     * Number of a reduction that is none of numbers.
     *
     * @param elementLength bytes of an element, 1 to 4,096.
     * @param isCommutative whether its sides may be exchanged.
     * @return equal for all of such elements.
     */
    public static int ownReduction(final int elementLength, final boolean isCommutative)
    {
        return OWN_REDUCTION | (elementLength - 1) | (isCommutative ? 0 : ORDERED_REDUCTION);
    }

    /**
     * All that has to be the same at all members.
     *
     * @param operation number of the operation, 0 to 15.
     * @param root      rank of the root, 0 to 1,023.
     * @param reduction number of the reduction.
     * @param length    bytes.
     * @return all of it.
     */
    public static long description(final int operation, final int root, final int reduction, final int length)
    {
        return operation | (long)root << DESCRIPTION_ROOT_SHIFT | (long)reduction << DESCRIPTION_REDUCTION_SHIFT |
            (long)length << DESCRIPTION_LENGTH_SHIFT;
    }

    /**
     * All that has to be the same at all members of an operation whose parts may have different lengths.
     *
     * @param operation number of the operation, 0 to 15.
     * @param root      rank of the root, 0 to 1,023.
     * @param reduction number of the reduction.
     * @return all of it, for a part of length 0.
     */
    public static long descriptionOfParts(final int operation, final int root, final int reduction)
    {
        return OF_PARTS | description(operation, root, reduction, 0);
    }

    /** Returns whether a description is of an operation whose parts may have different lengths. */
    public static boolean isOfParts(final long description)
    {
        return (description & OF_PARTS) != 0;
    }

    /**
     * Description of one part.
     *
     * @param description of the operation.
     * @param length      of the part.
     * @param isReceipt   whether the member that says so is to receive it.
     * @return description for its messages.
     */
    public static long ofPart(final long description, final int length, final boolean isReceipt)
    {
        return description | (long)length << DESCRIPTION_LENGTH_SHIFT | (isReceipt ? OF_RECEIPT : 0);
    }

    /** Returns a description without what is of one part. */
    public static long withoutPart(final long description)
    {
        return description & ~PART_MASK;
    }

    /** Returns the length in a description. */
    public static int partLength(final long description)
    {
        return (int)(description >> DESCRIPTION_LENGTH_SHIFT) & Integer.MAX_VALUE;
    }

    /** Returns whether the member that sent a description is to receive the part. */
    public static boolean isOfReceipt(final long description)
    {
        return (description & OF_RECEIPT) != 0;
    }

    /**
     * The same in short, if it fits.
     *
     * @param operation     number of the operation, 0 to 15: it has a reduction or never has one.
     * @param hasRoot       whether the operation has a root.
     * @param root          its rank; 0 if it has none.
     * @param reduction     number of the reduction.
     * @param length        bytes.
     * @param elementLength of a reduction of numbers: a power of two.
     * @return what stands in the word beside the kind.
     */
    public static int signature(
        final int operation, final boolean hasRoot, final int root, final int reduction, final int length,
        final int elementLength)
    {
        int content = CONTENT_MASK;
        if (root < ROOT_LIMIT && reduction == NO_REDUCTION)
        {
            content = length < (1 << (hasRoot ? ROOT_SHIFT : OPERATION_SHIFT)) - 1 ? root << ROOT_SHIFT | length :
                content;
        }
        else if (root < ROOT_LIMIT && reduction < NUMBER_REDUCTIONS_MAX)
        {
            final int count = length >> Integer.numberOfTrailingZeros(elementLength);
            content = count < 1 << (hasRoot ? ROOT_OF_REDUCTION_SHIFT : REDUCTION_SHIFT) ?
                reduction << REDUCTION_SHIFT | root << ROOT_OF_REDUCTION_SHIFT | count : content;
        }
        return operation << OPERATION_SHIFT | content;
    }

    /** Returns the signature of an operation all of whose messages are described. */
    public static int describedSignature(final int operation)
    {
        return operation << OPERATION_SHIFT | CONTENT_MASK;
    }
}
