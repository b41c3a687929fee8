// SPDX-License-Identifier: Apache-2.0
package org.grim.mpi;

import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

import org.agrona.MutableDirectBuffer;
import org.grim.buffer.Buffers;
import org.grim.buffer.PrimitiveArray;
import org.grim.group.Reduction;
import org.grim.mpi.Operation.Outcome;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Collective operations of communicators, against a plain computation. */
@Timeout(120)
final class CollectiveTest
{
    private static final Layout INTS = Layout.of(PrimitiveArray.INTS);
    private static final Reduction SUM = Reduction.of(Reduction.Type.INT, Reduction.Operation.SUM);
    private static final int[] COUNTS = {0, 1, 5, 17_001};
    private static final int EMPTY = -7;

    @TempDir
    private Path directory;

    /** Where elements of a test are. */
    private enum Form
    {
        ARRAY, MEMORY,
        /** Every third value, behind two of the array. */
        GAPS
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void shouldDoWhatAPlainComputationDoes(final int size)
    {
        try (Jobs jobs = new Jobs(directory, size))
        {
            jobs.all(rank ->
            {
                final Checks checks = new Checks(jobs.engine(rank).world());
                for (final Form form : Form.values())
                {
                    for (final int count : COUNTS)
                    {
                        checks.checkAll(form, count);
                    }
                }
                return null;
            });
        }
    }

    @ParameterizedTest
    @CsvSource({"1", "4", "5"})
    void shouldMakeCommunicators(final int size)
    {
        try (Jobs jobs = new Jobs(directory, size))
        {
            jobs.all(rank ->
            {
                final Communicator world = jobs.engine(rank).world();
                new Checks(jobs.engine(rank).self()).checkAll(Form.ARRAY, 3);
                final Communicator twin = world.duplicate();
                assertEquals(rank, twin.rank());
                new Checks(twin).checkAll(Form.ARRAY, 3);
                final Communicator half = twin.split(rank % 2, -rank);
                assertEquals((size + 1 - rank % 2) / 2, half.size());
                assertEquals(half.size() - 1 - rank / 2, half.rank());
                new Checks(half).checkAll(Form.ARRAY, 3);
                final Communicator last = world.create(size - 1);
                assertEquals(rank == size - 1, last != null);
                if (last != null)
                {
                    new Checks(last).checkAll(Form.ARRAY, 3);
                }
                assertEquals(rank == 0, world.split(rank == 0 ? 4 : -1, 0) != null);
                half.close();
                twin.close();
                new Checks(world).checkAll(Form.ARRAY, 3);
                return null;
            });
        }
    }

    /** All operations of a communicator. */
    private static final class Checks
    {
        private final Communicator all;
        private final int rank;
        private final int size;
        private final Collective c = new Collective();
        private Form form;
        private int count;

        Checks(final Communicator all)
        {
            this.all = all;
            rank = all.rank();
            size = all.size();
        }

        void checkAll(final Form newForm, final int newCount)
        {
            form = newForm;
            count = newCount;
            call(all::barrier);
            for (int root = 0; root < size; root++)
            {
                checkRooted(root);
                checkRootedParts(root);
            }
            checkGathers();
            checkExchanges();
            checkReductions();
        }

        private void checkRooted(final int root)
        {
            final Place place = place(rank == root ? root : EMPTY, count);
            call(x -> all.broadcast(x, root, place.elements()));
            place.check(i -> value(root, i), count);

            final Place receive = place(EMPTY, count * size);
            call(x -> all.gather(x, root, place(rank, count).elements(), receive.elements(count)));
            receive.check(i -> rank == root ? value(i / count, i % count) : EMPTY, count * size);
            final Place inPlace = place(EMPTY, count * size);
            inPlace.fill(rank * count, count, i -> value(rank, i - rank * count));
            call(x -> all.gather(
                x, root, rank == root ? null : place(rank, count).elements(), inPlace.elements(count)));
            inPlace.check(i -> rank == root || i / count == rank ? value(i / count, i % count) : EMPTY, count * size);

            final Place part = place(EMPTY, count);
            call(x -> all.scatter(x, root, rank == root ? place(root, count * size).elements(count) : null,
                part.elements()));
            part.check(i -> value(root, rank * count + i), count);
            final Place other = place(EMPTY, count);
            call(x -> all.scatter(x, root, rank == root ? place(root, count * size).elements(count) : null,
                rank == root ? null : other.elements()));
            other.check(i -> rank == root ? EMPTY : value(root, rank * count + i), count);

            final Place sum = place(EMPTY, count);
            call(x -> all.reduce(x, root, place(rank, count).elements(), sum.elements(), SUM));
            sum.check(i -> rank == root ? sum(size, i) : EMPTY, count);
            final Place own = place(rank, count);
            call(x -> all.reduce(x, root, rank == root ? null : own.elements(), own.elements(), SUM));
            own.check(i -> rank == root ? sum(size, i) : value(rank, i), count);
        }

        private void checkRootedParts(final int root)
        {
            final int[] counts = IntStream.range(0, size).map(i -> count * (i + root) % (count + 2)).toArray();
            final int[] displacements = turned(counts);
            final int total = 1 + IntStream.of(counts).sum() + size;
            final Place receive = place(EMPTY, total);
            call(x -> all.gatherV(x, root, place(rank, counts[rank]).elements(), receive.elements(0),
                rank == root ? counts : null, rank == root ? displacements : null));
            receive.check(i -> rank == root ? inParts(counts, displacements, i, EMPTY) : EMPTY, total);
            final Place part = place(EMPTY, counts[rank]);
            call(x -> all.scatterV(x, root, rank == root ? place(root, total).elements(0) : null,
                rank == root ? counts : null, rank == root ? displacements : null, part.elements()));
            part.check(i -> value(root, displacements[rank] + i), counts[rank]);
        }

        private void checkGathers()
        {
            final Place receive = place(EMPTY, count * size);
            call(x -> all.allGather(x, place(rank, count).elements(), receive.elements(count)));
            receive.check(i -> value(i / count, i % count), count * size);
            final Place inPlace = place(EMPTY, count * size);
            inPlace.fill(rank * count, count, i -> value(rank, i - rank * count));
            call(x -> all.allGather(x, null, inPlace.elements(count)));
            inPlace.check(i -> value(i / count, i % count), count * size);

            final int[] counts = IntStream.range(0, size).map(i -> count * i % (count + 1)).toArray();
            final int[] displacements = turned(counts);
            final int total = 1 + IntStream.of(counts).sum() + size;
            final Place parts = place(EMPTY, total);
            call(x -> all.allGatherV(x, place(rank, counts[rank]).elements(), parts.elements(0), counts,
                displacements));
            parts.check(i -> inParts(counts, displacements, i, EMPTY), total);
            final Place partsInPlace = place(EMPTY, total);
            partsInPlace.fill(displacements[rank], counts[rank], i -> value(rank, i - displacements[rank]));
            call(x -> all.allGatherV(x, null, partsInPlace.elements(0), counts, displacements));
            partsInPlace.check(i -> inParts(counts, displacements, i, EMPTY), total);
        }

        private void checkExchanges()
        {
            final Place receive = place(EMPTY, count * size);
            call(x -> all.allToAll(x, place(rank, count * size).elements(count), receive.elements(count)));
            receive.check(i -> value(i / count, rank * count + i % count), count * size);
            final Place inPlace = place(rank, count * size);
            call(x -> all.allToAll(x, null, inPlace.elements(count)));
            inPlace.check(i -> value(i / count, rank * count + i % count), count * size);

            final int[] sendCounts = IntStream.range(0, size).map(i -> length(rank, i)).toArray();
            final int[] receiveCounts = IntStream.range(0, size).map(i -> length(i, rank)).toArray();
            final int[] sendPlaces = turned(sendCounts);
            final int[] receivePlaces = turned(receiveCounts);
            final int total = 1 + IntStream.of(receiveCounts).sum() + size;
            final Place parts = place(EMPTY, total);
            call(x -> all.allToAllV(x, place(rank, 1 + IntStream.of(sendCounts).sum() + size).elements(0),
                sendCounts, sendPlaces, parts.elements(0), receiveCounts, receivePlaces));
            parts.check(i ->
            {
                final int from = partOf(receiveCounts, receivePlaces, i);
                return from < 0 ? EMPTY : value(from, i - receivePlaces[from] +
                    turned(IntStream.range(0, size).map(to -> length(from, to)).toArray())[rank]);
            }, total);
        }

        private void checkReductions()
        {
            final Place result = place(EMPTY, count);
            call(x -> all.allReduce(x, place(rank, count).elements(), result.elements(), SUM));
            result.check(i -> sum(size, i), count);
            final Place inPlace = place(rank, count);
            call(x -> all.allReduce(x, null, inPlace.elements(), SUM));
            inPlace.check(i -> sum(size, i), count);
            final Place scan = place(EMPTY, count);
            call(x -> all.scan(x, place(rank, count).elements(), scan.elements(), SUM));
            scan.check(i -> sum(rank + 1, i), count);
            final Place exclusive = place(rank, count);
            call(x -> all.exclusiveScan(x, null, exclusive.elements(), SUM));
            exclusive.check(i -> rank == 0 ? value(0, i) : sum(rank, i), count);

            final int[] counts = IntStream.range(0, size).map(i -> count * (i + 1) % (count + 2)).toArray();
            final int before = IntStream.range(0, rank).map(i -> counts[i]).sum();
            final int total = IntStream.of(counts).sum();
            final Place part = place(EMPTY, counts[rank]);
            call(x -> all.reduceScatter(x, place(rank, total).elements(0), part.elements(0), counts, SUM));
            part.check(i -> sum(size, before + i), counts[rank]);
            final Place partInPlace = place(rank, total);
            call(x -> all.reduceScatter(x, null, partInPlace.elements(0), counts, SUM));
            partInPlace.check(i -> i < counts[rank] ? sum(size, before + i) : value(rank, i), total);
        }

        private int length(final int from, final int to)
        {
            return (count * (from + 2 * to + 1)) % (count + 3);
        }

        private Place place(final int ofRank, final int valueCount)
        {
            final Place place = new Place(form, valueCount);
            place.fill(0, valueCount, i -> ofRank == EMPTY ? EMPTY : value(ofRank, i));
            return place;
        }

        private void call(final Consumer<Collective> operation)
        {
            operation.accept(c);
            all.engine().await(c);
            assertEquals(Outcome.DONE, c.outcome());
        }
    }

    /** Values, each of which is an element. */
    private static final class Place
    {
        private final Form form;
        private final int count;
        private final int[] values;
        private final MutableDirectBuffer memory;
        private final Layout layout;

        Place(final Form form, final int count)
        {
            this.form = form;
            this.count = count;
            values = new int[3 * count + 3];
            memory = Buffers.wrap(new byte[(count + 1) * Integer.BYTES]);
            layout = form == Form.GAPS ? INTS.resized(0, 3) : INTS;
        }

        Elements elements()
        {
            return elements(count);
        }

        Elements elements(final int newCount)
        {
            return new Elements().set(form == Form.MEMORY ? memory : values, form == Form.GAPS ? 2 : 1, newCount,
                layout);
        }

        void fill(final int from, final int valueCount, final IntUnaryOperator value)
        {
            for (int i = from; i < from + valueCount; i++)
            {
                values[form == Form.GAPS ? 3 * i + 2 : i + 1] = value.applyAsInt(i);
                memory.putInt((i + 1) * Integer.BYTES, value.applyAsInt(i));
            }
        }

        void check(final IntUnaryOperator expected, final int valueCount)
        {
            final int[] actual = IntStream.range(0, valueCount).map(i -> form == Form.MEMORY ?
                memory.getInt((i + 1) * Integer.BYTES) : values[form == Form.GAPS ? 3 * i + 2 : i + 1]).toArray();
            assertArrayEquals(IntStream.range(0, valueCount).map(expected).toArray(), actual);
            assertEquals(0, values[0]);
            assertEquals(0, memory.getInt(0));
            if (form == Form.GAPS)
            {
                assertEquals(0, IntStream.range(0, count).map(i -> values[3 * i + 1] | values[3 * i]).sum());
            }
        }
    }

    private static int value(final int rank, final int i)
    {
        return rank * 1_000_003 + i * 7 + 1;
    }

    private static int sum(final int ranks, final int i)
    {
        return IntStream.range(0, ranks).map(rank -> value(rank, i)).sum();
    }

    /** Places of parts in the opposite order, with a gap before each. */
    private static int[] turned(final int[] counts)
    {
        final int[] displacements = new int[counts.length];
        int next = 1;
        for (int i = counts.length - 1; i >= 0; i--)
        {
            displacements[i] = next;
            next += counts[i] + 1;
        }
        return displacements;
    }

    private static int partOf(final int[] counts, final int[] displacements, final int i)
    {
        return IntStream.range(0, counts.length)
            .filter(rank -> i >= displacements[rank] && i < displacements[rank] + counts[rank]).findFirst().orElse(-1);
    }

    private static int inParts(final int[] counts, final int[] displacements, final int i, final int otherwise)
    {
        final int rank = partOf(counts, displacements, i);
        return rank < 0 ? otherwise : value(rank, i - displacements[rank]);
    }
}
