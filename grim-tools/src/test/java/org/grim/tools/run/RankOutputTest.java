// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.run;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(60)
final class RankOutputTest
{
    private static final String ID = "grim-run-1-2";

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final AtomicInteger brokenCount = new AtomicInteger();
    private final LastLines lastLines = new LastLines();

    @Test
    void shouldPassOnBytesAsTheyAre()
    {
        final byte[] any = {0, (byte)0xFF, '\r', '\n', '\n', (byte)0xC3, '\n'};

        run(any, 0, false, null);

        assertArrayEquals(any, bytes.toByteArray());
    }

    @Test
    void shouldTagLinesAndEndTheLastOne()
    {
        run("a\n\nb", 12, true, lastLines);

        assertEquals("[12] a\n[12] \n[12] b\n", bytes.toString(UTF_8));
        assertEquals(List.of("a", "", "b"), lastLines.of(12));
    }

    @Test
    void shouldReadLabelsOfSrun()
    {
        run(" 3: a\n11: 7: b\nsrun: error: x\n", RunPlan.ALL_RANKS, true, lastLines);

        assertEquals("[3] a\n[11] 7: b\nsrun: error: x\n", bytes.toString(UTF_8));
        assertEquals(List.of("7: b"), lastLines.of(11));
        assertEquals(List.of("srun: error: x"), lastLines.of(RunPlan.ALL_RANKS));
    }

    @Test
    void shouldLeaveOutTheNoteOnOptionsOfTheRunOnly()
    {
        run("NOTE: Picked up JDK_JAVA_OPTIONS: -Dx=/dev/shm/" + ID + "-0\nNOTE: Picked up JDK_JAVA_OPTIONS: -Xmx1g\n",
            0, false, lastLines);

        assertEquals("NOTE: Picked up JDK_JAVA_OPTIONS: -Xmx1g\n", bytes.toString(UTF_8));
    }

    @Test
    void shouldPassOnLongLinesInParts()
    {
        final byte[] line = "x".repeat(RankOutput.LINE_LENGTH_MAX + 10).getBytes(UTF_8);

        run(line, 0, false, lastLines);

        assertEquals(RankOutput.LINE_LENGTH_MAX + 11, bytes.size());
    }

    @Test
    void shouldMixNoLinesOfTwoRanks() throws Exception
    {
        final List<Thread> threads = new ArrayList<>();
        final RankOutput.Target target = target(new PrintStream(bytes, true, UTF_8), true);
        for (int rank = 0; rank < 2; rank++)
        {
            final PipedOutputStream writer = new PipedOutputStream();
            final RankOutput output = new RankOutput(new PipedInputStream(writer, 7), target, rank, null);
            threads.add(new Thread(output));
            threads.add(new Thread(() -> write(writer)));
        }
        threads.forEach(Thread::start);
        for (final Thread thread : threads)
        {
            thread.join();
        }

        final List<String> lines = bytes.toString(UTF_8).lines().toList();
        assertEquals(1_000, lines.size());
        for (int rank = 0; rank < 2; rank++)
        {
            final String tag = "[" + rank + "] ";
            assertEquals(IntStream.range(0, 500).mapToObj(i -> tag + "line " + i).toList(),
                lines.stream().filter(line -> line.startsWith(tag)).toList());
        }
    }

    @Test
    void shouldReadOnWhenNobodyReadsItsOutput()
    {
        final PrintStream broken = new PrintStream(new OutputStream()
        {
            @Override
            public void write(final int value) throws IOException
            {
                throw new IOException("nobody reads");
            }
        });
        final ByteArrayInputStream input = new ByteArrayInputStream("a\nb".getBytes(UTF_8));

        new RankOutput(input, target(broken, false), 0, null).run();

        assertTrue(brokenCount.get() > 0);
        assertEquals(0, input.available());
    }

    private static void write(final PipedOutputStream writer)
    {
        try (writer)
        {
            for (int i = 0; i < 500; i++)
            {
                writer.write(("line " + i + "\n").getBytes(UTF_8));
            }
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    private void run(final String text, final int rank, final boolean isTagged, final LastLines kept)
    {
        run(text.getBytes(UTF_8), rank, isTagged, kept);
    }

    private void run(final byte[] input, final int rank, final boolean isTagged, final LastLines kept)
    {
        final PrintStream output = new PrintStream(bytes, true, UTF_8);
        new RankOutput(new ByteArrayInputStream(input), target(output, isTagged), rank, kept).run();
    }

    private RankOutput.Target target(final PrintStream output, final boolean isTagged)
    {
        return new RankOutput.Target(output, this, isTagged, ID, brokenCount::incrementAndGet);
    }
}
