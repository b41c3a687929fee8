// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.run;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Passes on one stream of a process, whole lines at a time.
 * <p>Thread: one of its own. Bounds: a line of more than {@value #LINE_LENGTH_MAX} bytes is passed on in parts.
 */
final class RankOutput implements Runnable
{
    static final int LINE_LENGTH_MAX = 1 << 20;

    private static final int READ_LENGTH = 1 << 16;
    /** The label of {@code srun -l}. */
    private static final Pattern LABEL = Pattern.compile(" *([0-9]{1,4}): ?");
    private static final String NOTE = "NOTE: Picked up " + RankCommand.OPTIONS_VARIABLE + ":";

    private final InputStream input;
    private final Target target;
    private final int rank;
    private final LastLines lastLines;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final ByteArrayOutputStream batch = new ByteArrayOutputStream();

    /**
     * Receiver of the lines of all ranks, which shares a lock with other streams. It knows the run's id, which only the
     * JVM's note on its options has in it: that line is left out. One action runs if nobody reads the stream.
     */
    record Target(PrintStream output, Object lock, boolean isTagged, String id, Runnable onBroken)
    {
        void write(final byte[] lines)
        {
            synchronized (lock)
            {
                output.write(lines, 0, lines.length);
                if (output.checkError())
                {
                    onBroken.run();                 // Ranks end; until then their output is read and dropped.
                }
            }
        }
    }

    /** Of {@link RunPlan#ALL_RANKS} each line has a label with the rank. Lines are kept where there is a keeper. */
    RankOutput(final InputStream input, final Target target, final int rank, final LastLines lastLines)
    {
        this.input = input;
        this.target = target;
        this.rank = rank;
        this.lastLines = lastLines;
    }

    @Override
    public void run()
    {
        final byte[] bytes = new byte[READ_LENGTH];
        try (input)
        {
            for (int length = input.read(bytes); length >= 0; length = input.read(bytes))
            {
                for (int i = 0; i < length; i++)
                {
                    line.write(bytes[i]);
                    if (bytes[i] == '\n' || line.size() == LINE_LENGTH_MAX)
                    {
                        endLine();
                    }
                }
                flush();
            }
        }
        catch (final IOException ex)
        {
            line.writeBytes(("grim: its output cannot be read: " + ex.getMessage()).getBytes(UTF_8));
        }
        if (line.size() > 0)
        {
            line.write('\n');                       // The next line of another rank is a line of its own.
            endLine();
            flush();
        }
    }

    private void endLine()
    {
        final byte[] bytes = line.toByteArray();
        line.reset();
        int begin = 0;
        int number = rank;
        if (rank == RunPlan.ALL_RANKS)
        {
            final Matcher label = LABEL.matcher(new String(bytes, ISO_8859_1));
            if (label.lookingAt())
            {
                number = Integer.parseInt(label.group(1));
                begin = label.end();
            }
        }
        if (lastLines != null)
        {
            final String text = new String(bytes, begin, bytes.length - begin, UTF_8).stripTrailing();
            if (text.startsWith(NOTE) && text.contains(target.id()))
            {
                return;
            }
            lastLines.add(number, text);
        }
        if (target.isTagged() && number != RunPlan.ALL_RANKS)
        {
            batch.writeBytes(("[" + number + "] ").getBytes(UTF_8));
        }
        batch.write(bytes, begin, bytes.length - begin);
    }

    private void flush()
    {
        if (batch.size() > 0)
        {
            target.write(batch.toByteArray());
            batch.reset();
        }
    }
}
