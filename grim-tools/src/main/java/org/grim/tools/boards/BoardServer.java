// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.boards;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.agrona.concurrent.IdleStrategy;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.buffer.Cleanup;
import org.grim.tools.process.EndSignal;
import org.grim.tools.process.ParentWatch;
import org.grim.tools.process.SecondJvm;

/**
 * A board for other processes: a node that does nothing but poll, and sleeps on its doorbell while nobody sends.
 * <p>Thread: the one that polls, which steps the firmware, too.
 */
public final class BoardServer
{
    /** Name of the command. */
    public static final String COMMAND = "board";
    /** Its hidden option: it ends with its standard input. */
    public static final String CHILD_OPTION = "--child";

    private BoardServer()
    {
    }

    /**
     * Serves until this process gets a signal to end.
     *
     * @param config  of the node, whose name is the board's.
     * @param isChild whether it also ends with its standard input, as second processes of commands do.
     * @param output  gets the line that says that the board can be used.
     */
    public static void serve(final GrimConfig config, final boolean isChild, final PrintWriter output)
    {
        final ParentWatch watch = isChild ? ParentWatch.start() : null;
        try (EndSignal end = EndSignal.register();
            Grim grim = Grim.enable(config))
        {
            final IdleStrategy idle = grim.endpoint().idleStrategy();
            output.println("board " + config.nodeName() + " ready: cluster=" + config.clusterDirectory() + " node=" +
                grim.node().number() + " process=" + ProcessHandle.current().pid() +
                " (grim.myrinet.board=" + config.nodeName() + ")");
            output.flush();
            if (isChild)
            {
                watch.announceReady();
            }
            while (!end.isEnded() && (watch == null || !watch.isEnded()))
            {
                idle.idle(grim.endpoint().poll());
            }
        }
    }

    /**
     * Starts the third JVM of a command where the kind of board needs one, and waits until others can attach to it.
     *
     * @param kind      of board; null for none.
     * @param cluster   to join.
     * @param directory of clusters; null for the usual one.
     * @return the process; null where none is needed.
     */
    public static SecondJvm startIfNeeded(final BoardKind kind, final String cluster, final Path directory)
    {
        if (kind != BoardKind.PROCESS)
        {
            return null;
        }
        final List<String> arguments =
            new ArrayList<>(List.of(COMMAND, CHILD_OPTION, "--name", BoardKind.SERVER_NAME, "--cluster", cluster));
        if (directory != null)
        {
            arguments.addAll(List.of("--directory", directory.toString()));
        }
        final SecondJvm process = SecondJvm.start(BoardKind.SERVER_NAME, arguments);
        try
        {
            process.awaitReady(() ->
            {
                // The board's node is the first one: it asks nobody.
            });
            return process;
        }
        catch (final RuntimeException | Error ex)
        {
            Cleanup.after(ex, process);
            throw ex;
        }
    }
}
