// SPDX-License-Identifier: Apache-2.0
package org.grim.network.campaign;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.NodeInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A node of a host: directory, host, name, address of the host's agent, addresses of all. Joins, and joins again when
 * it is fenced or refused, until its input ends; then it leaves. Says so in lines; {@code nodes K} asks who is there.
 */
final class NodeMain
{
    private static final Logger LOGGER = LoggerFactory.getLogger(NodeMain.class);
    private static final PrintStream OUTPUT =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8);
    private static final String END = "@end";
    private static final long RETRY_MS = 200;
    private static final long LOOK_MS = 5;

    private NodeMain()
    {
    }

    public static void main(final String[] args) throws InterruptedException
    {
        final BlockingQueue<String> commands = new LinkedBlockingQueue<>();
        final Thread reader = new Thread(() -> readCommands(commands), "commands");
        reader.setDaemon(true);
        reader.start();
        while (!END.equals(commands.peek()))
        {
            serve(args, commands);
            answerForNobody(commands);
        }
    }

    /** From joining to leaving, in whatever way. */
    private static void serve(final String[] args, final BlockingQueue<String> commands) throws InterruptedException
    {
        final AtomicBoolean isFenced = new AtomicBoolean();
        try (Grim grim = Grim.enable(config(args).errorHandler(error -> onError(error, isFenced)).build()))
        {
            final HandlerId handler = grim.handlers().register("of-" + args[2], message ->
            {
            });
            grim.startPolling();
            grim.join();
            final NodeInfo self = grim.node();
            OUTPUT.println("joined " + self.number() + " " + self.incarnation() + " " + handler.number());
            while (!isFenced.get() && !END.equals(commands.peek()))
            {
                if (commands.peek() == null)
                {
                    Thread.sleep(LOOK_MS);
                }
                else if (!END.equals(commands.peek()))
                {
                    OUTPUT.println(commands.poll() + " " + text(grim.nodes()));
                }
            }
        }
        catch (final GrimException ex)
        {
            OUTPUT.println("refused " + ex.getMessage());
            Thread.sleep(RETRY_MS);
        }
    }

    /** Who is not in the cluster sees nobody. */
    private static void answerForNobody(final BlockingQueue<String> commands)
    {
        while (commands.peek() != null && !END.equals(commands.peek()))
        {
            OUTPUT.println(commands.poll() + " nobody");
        }
    }

    private static GrimConfig.Builder config(final String[] args)
    {
        return GrimConfig.builder().set("grim.cluster.directory", args[0]).set("grim.cluster.name", "campaign")
            .set("grim.cluster.nodes-max", 16).set("grim.node.host", args[1]).set("grim.node.name", args[2])
            .set("grim.network.bind", args[3]).set("grim.network.discovery.hosts", List.of(args[4].split(",", -1)))
            .set("grim.network.succession-timeout", "1s").set("grim.network.silence-timeout", "2s");
    }

    private static void onError(final Throwable error, final AtomicBoolean isFenced)
    {
        final boolean isFencing =
            error instanceof final GrimException failure && failure.reason() == GrimException.Reason.FENCED;
        if (isFencing)
        {
            isFenced.set(true);
        }
        else
        {
            LOGGER.error("not expected", error);
        }
        OUTPUT.println((isFencing ? "fenced " : "error ") + error);
    }

    /** Who is there, by number. */
    private static String text(final List<NodeInfo> nodes)
    {
        return nodes.stream().filter(node -> node.state() != NodeInfo.State.GONE)
            .map(node -> node.number() + ":" + node.incarnation() + ":" + node.name() + ":" + node.state())
            .sorted().collect(Collectors.joining(","));
    }

    private static void readCommands(final BlockingQueue<String> commands)
    {
        final BufferedReader input = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        try
        {
            input.lines().forEach(commands::add);
            input.close();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        finally
        {
            commands.add(END);
        }
    }
}
