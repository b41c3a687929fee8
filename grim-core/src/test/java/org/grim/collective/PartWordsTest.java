// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.grim.group.Group;
import org.grim.group.LongestWord;
import org.grim.group.OwnSum;
import org.grim.group.Reduction;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class PartWordsTest
{
    private static final int OPERATION_COUNT = 8;
    private static final Set<Integer> WITH_ROOT = Set.of(1, 2, 4, 6);
    private static final Set<Integer> WITH_REDUCTION = Set.of(2, 3);
    private static final int[] KINDS = {PartWords.PART, PartWords.DESCRIBED, PartWords.OFFER, PartWords.READY,
        PartWords.TAKEN, PartWords.REFUSED, PartWords.CONFIRMED, PartWords.ASK, PartWords.ENDED};
    private static final int[] ROOTS = {0, 1, 2, 511, 512, 1022, Group.SIZE_MAX - 1};
    private static final int[] COUNTS = {0, 1, 2, 1023, 1024, 4096, 32_766, 32_767, 32_768, (1 << 20) - 1, 1 << 20,
        1_000_003, (1 << 24) + 10, (1 << 25) - 2, (1 << 25) - 1, 1 << 25, Integer.MAX_VALUE / 4096};

    /** What a message says of its operation: the word, and what stands before the payload if that does not say all. */
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
            final boolean hasRoot = WITH_ROOT.contains(operation);
            for (int root = 0; root < (hasRoot ? ROOTS.length : 1); root++)
            {
                for (final Reduction reduction : reductions(WITH_REDUCTION.contains(operation)))
                {
                    for (final int elements : COUNTS)
                    {
                        seen.add(describe(operation, hasRoot, ROOTS[root], reduction, elements));
                        count++;
                    }
                }
            }
        }

        assertEquals(count, seen.size());
    }

    @Test
    void shouldSayUsualOperationsInTheWordAlone()
    {
        final Reduction longs = Reduction.of(Reduction.Type.LONG, Reduction.Operation.SUM);
        assertTrue(PartWords.isShort(describe(0, false, 0, null, 0).signature));
        assertTrue(PartWords.isShort(describe(1, true, Group.SIZE_MAX - 1, null, 32_766).signature));
        assertTrue(PartWords.isShort(describe(2, true, Group.SIZE_MAX - 1, longs, 1023).signature));
        assertTrue(PartWords.isShort(describe(3, false, 0, longs, (1 << 20) - 1).signature));
        assertTrue(PartWords.isShort(describe(5, false, 0, null, (1 << 25) - 2).signature));

        assertFalse(PartWords.isShort(describe(1, true, Group.SIZE_MAX - 1, null, 32_767).signature));
        assertFalse(PartWords.isShort(describe(2, true, 0, longs, 1024).signature));
        assertFalse(PartWords.isShort(describe(3, false, 0, new LongestWord(), 1).signature));
    }

    @Test
    void shouldKeepKindAndSignatureApart()
    {
        final int signature = describe(7, false, 0, null, 1 << 26).signature;
        assertEquals(KINDS.length, new HashSet<>(Arrays.stream(KINDS).boxed().toList()).size());
        for (final int kind : KINDS)
        {
            assertEquals(kind, PartWords.kind(kind | signature));
            assertEquals(signature, PartWords.signature(kind | signature));
            assertEquals(kind == PartWords.PART ? 0 : Long.BYTES, PartWords.descriptionLength(kind | signature));
        }
    }

    @Test
    void shouldSayHowAnOperationHasEnded()
    {
        for (final Group.Status outcome : Group.Status.values())
        {
            assertEquals(PartWords.ENDED, PartWords.kind(PartWords.ended(outcome)));
            assertEquals(outcome, PartWords.outcome(PartWords.ended(outcome)));
        }
        assertNull(PartWords.outcome(PartWords.ENDED | 1000));
    }

    private static Described describe(
        final int operation, final boolean hasRoot, final int root, final Reduction reduction, final int count)
    {
        final int elementLength = reduction == null ? 1 : reduction.elementLength();
        final int number = PartWords.reduction(reduction, elementLength);
        final int signature =
            PartWords.signature(operation, hasRoot, root, number, count * elementLength, elementLength);
        return new Described(signature, PartWords.isShort(signature) ? 0 :
            PartWords.description(operation, root, number, count * elementLength));
    }

    /** All of numbers, and two of one's own; or none. */
    private static List<Reduction> reductions(final boolean isWith)
    {
        final List<Reduction> reductions = new ArrayList<>();
        if (!isWith)
        {
            reductions.add(null);
            return reductions;
        }
        reductions.add(new LongestWord());
        reductions.add(new OwnSum(8));
        for (final Reduction.Type type : Reduction.Type.values())
        {
            for (final Reduction.Operation operation : Reduction.Operation.values())
            {
                if (type.isWhole() || operation.compareTo(Reduction.Operation.AND) < 0)
                {
                    reductions.add(Reduction.of(type, operation));
                }
            }
        }
        return reductions;
    }
}
