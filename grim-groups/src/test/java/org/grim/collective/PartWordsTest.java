// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class PartWordsTest
{
    private static final int OPERATION_COUNT = 16;
    private static final int ROOT_MAX = 1023;
    private static final int OWN = PartWords.ownReduction(8, true);
    private static final int ELEVEN = PartWords.ownReduction(11, false);
    private static final Set<Integer> WITH_ROOT = Set.of(1, 2, 4, 6, 11, 12);
    private static final Set<Integer> WITH_REDUCTION = Set.of(2, 3, 8, 9, 10);
    private static final int[] KINDS = {PartWords.PART, PartWords.DESCRIBED, PartWords.OFFER, PartWords.READY,
        PartWords.TAKEN, PartWords.REFUSED, PartWords.CONFIRMED, PartWords.ASK, PartWords.ENDED, PartWords.MISMATCHED,
        PartWords.FAILED};
    private static final int[] ROOTS = {0, 1, 2, 127, 128, 511, 512, 1022, ROOT_MAX};
    private static final int[] COUNTS = {0, 1, 2, 1023, 1024, 4096, 32_766, 32_767, 32_768, 131_070, 131_071, 131_072,
        (1 << 20) - 1, 1 << 20, 1_000_003, (1 << 24) - 2, (1 << 24) - 1, (1 << 24) + 10, (1 << 25) - 2, (1 << 25) - 1,
        1 << 25, Integer.MAX_VALUE / 4096};

    /**
     * A message's description of its operation: the word, and the words before the payload if the first is not enough.
     */
    private record Described(int signature, long rest)
    {
    }

    @Test
    void shouldTellAnyTwoOperationsApart()
    {
        final Set<Described> seen = new HashSet<>();
        int count = 0;
        for (int operation = 0; operation < OPERATION_COUNT; operation++)
        {
            final int[] roots = WITH_ROOT.contains(operation) ? ROOTS : new int[1];
            for (final int root : roots)
            {
                count += addAll(seen, operation, roots == ROOTS, root);
            }
        }

        assertEquals(count, seen.size());
    }

    @Test
    void shouldSayUsualOperationsInTheWordAlone()
    {
        assertTrue(PartWords.isShort(describe(0, false, 0, PartWords.NO_REDUCTION, 0).signature));
        assertTrue(PartWords.isShort(describe(1, true, 127, PartWords.NO_REDUCTION, 131_070).signature));
        assertTrue(PartWords.isShort(describe(2, true, 127, 126, 1023).signature));
        assertTrue(PartWords.isShort(describe(3, false, 0, 126, 131_071).signature));
        assertTrue(PartWords.isShort(describe(5, false, 0, PartWords.NO_REDUCTION, (1 << 24) - 2).signature));

        assertFalse(PartWords.isShort(describe(1, true, 128, PartWords.NO_REDUCTION, 1).signature));
        assertFalse(PartWords.isShort(describe(1, true, 127, PartWords.NO_REDUCTION, 131_071).signature));
        assertFalse(PartWords.isShort(describe(2, true, 128, 0, 1).signature));
        assertFalse(PartWords.isShort(describe(2, true, 0, 0, 1024).signature));
        assertFalse(PartWords.isShort(describe(3, false, 0, 0, 131_072).signature));
        assertFalse(PartWords.isShort(describe(3, false, 0, OWN, 1).signature));
    }

    @Test
    void shouldKeepKindAndSignatureApart()
    {
        final int signature = describe(7, false, 0, PartWords.NO_REDUCTION, 1 << 26).signature;
        assertEquals(KINDS.length, Arrays.stream(KINDS).distinct().count());
        for (final int kind : KINDS)
        {
            assertEquals(kind, PartWords.kind(kind | signature));
            assertEquals(signature, PartWords.signature(kind | signature));
            assertEquals(kind == PartWords.PART ? 0 : Long.BYTES, PartWords.descriptionLength(kind | signature));
        }
    }

    @Test
    void shouldDescribeEachPartOfAnOperationWithPartsOfDifferentLengths()
    {
        final long whole = PartWords.descriptionOfParts(15, ROOT_MAX, ELEVEN);
        for (final int length : new int[] {0, 1, 32_768, Integer.MAX_VALUE})
        {
            for (final boolean isReceipt : new boolean[] {false, true})
            {
                final long part = PartWords.ofPart(whole, length, isReceipt);
                assertTrue(PartWords.isOfParts(part));
                assertEquals(length, PartWords.partLength(part));
                assertEquals(isReceipt, PartWords.isOfReceipt(part));
                assertEquals(whole, PartWords.withoutPart(part));
            }
        }
        assertFalse(PartWords.isOfParts(PartWords.description(15, ROOT_MAX, ELEVEN, Integer.MAX_VALUE)));
        assertFalse(PartWords.isShort(PartWords.describedSignature(15)));
    }

    private static int addAll(
        final Set<Described> seen, final int operation, final boolean hasRoot, final int root)
    {
        final int[] reductions = reductions(WITH_REDUCTION.contains(operation));
        for (final int reduction : reductions)
        {
            for (final int count : COUNTS)
            {
                seen.add(describe(operation, hasRoot, root, reduction, count));
            }
        }
        return reductions.length * COUNTS.length;
    }

    private static Described describe(
        final int operation, final boolean hasRoot, final int root, final int reduction, final int count)
    {
        final int elementLength = reduction == ELEVEN ? 11 : reduction == OWN || reduction % 2 == 0 ? 8 : 4;
        final int length = reduction == PartWords.NO_REDUCTION ? count : count * elementLength;
        final int signature = PartWords.signature(operation, hasRoot, root, reduction, length, elementLength);
        return new Described(signature, PartWords.isShort(signature) ? 0 :
            PartWords.description(operation, root, reduction, length));
    }

    /** All of numbers, and three of one's own; or none. */
    private static int[] reductions(final boolean isWith)
    {
        return isWith ? IntStream.concat(IntStream.range(0, PartWords.NUMBER_REDUCTIONS_MAX),
            IntStream.of(OWN, ELEVEN, PartWords.ownReduction(8, false))).toArray() : new int[] {PartWords.NO_REDUCTION};
    }
}
