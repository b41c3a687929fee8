// SPDX-License-Identifier: Apache-2.0
package org.grim.network.campaign;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

import org.grim.death.PeerJvm;

/**
 * A {@link NodeMain}, as the campaign sees it.
 * <p>Thread: the campaign's; one of its own reads what the process says.
 */
final class NodeProcess implements AutoCloseable
{
    final int host;
    final String name;
    final PeerJvm jvm;
    private final Thread reader;
    private int askCount;
    private volatile String identity = "";
    private volatile String view = "";
    private volatile String last = "";

    /** Starts it. The consumer takes what happens to it, on the reading thread. */
    NodeProcess(
        final int host, final String name, final Path log, final UnaryOperator<List<String>> place,
        final BiConsumer<NodeProcess, String> consumer, final String... arguments)
    {
        this.host = host;
        this.name = name;
        jvm = new PeerJvm(log, List.of("-ea"), place, NodeMain.class, arguments);
        reader = new Thread(() -> read(consumer), "reader-" + name);
        reader.setDaemon(true);
        reader.start();
    }

    /** {@return number, incarnation, name and state as a view has them; empty while it is not in the cluster} */
    String identity()
    {
        return identity;
    }

    /** Asks who is there. */
    void ask()
    {
        askCount++;
        jvm.tell("nodes " + askCount);
    }

    /** {@return the nodes that it sees, comma between; null before it has answered the last question} */
    String view()
    {
        final String now = view;
        final String prefix = askCount + " ";
        return now.startsWith(prefix) ? now.substring(prefix.length()) : null;
    }

    /** Has it leave and end. */
    void leave()
    {
        try
        {
            jvm.process().getOutputStream().close();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** {@return number of a question and the nodes that it saw then, for the text of a failure} */
    String lastView()
    {
        return view;
    }

    /** {@return what it said last, for the text of a failure} */
    String last()
    {
        return last;
    }

    @Override
    public void close()
    {
        jvm.close();
        try
        {
            reader.join(5_000);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private void read(final BiConsumer<NodeProcess, String> consumer)
    {
        final BufferedReader input = jvm.process().inputReader(StandardCharsets.UTF_8);
        try
        {
            for (String line = input.readLine(); line != null; line = input.readLine())
            {
                final String[] words = line.split(" ", 2);
                if (words[0].equals("nodes"))
                {
                    view = words[1];
                    continue;
                }
                if (!words[0].equals("error"))
                {
                    identity = words[0].equals("joined") ? identity(words[1].split(" ", -1)) : "";
                }
                last = line;
                consumer.accept(this, line);
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private String identity(final String[] words)
    {
        return words[0] + ":" + words[1] + ":" + name + ":UP";
    }
}
