// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.boards;

import java.io.PrintWriter;

import org.agrona.concurrent.IdleStrategy;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.tools.process.EndSignal;
import org.grim.tools.process.ParentWatch;

/**
 * Runs a board for other processes: a node that does nothing but poll, and sleeps on its doorbell while nobody sends.
 * <p>Thread: the one that polls, which steps the firmware, too.
 */
public final class BoardServer
{
    /** The node is one of those that use the board: it takes a context, and one channel. */
    private static final int OWN_CONTEXTS = 1;
    private static final int OWN_CHANNELS = 1;

    private final GrimConfig config;
    private final PrintWriter output;

    /**
     * Makes a server.
     *
     * @param config   with the cluster, and everything that {@link #configure} does not say.
     * @param settings of the board.
     * @param output   gets the line that says that the board can be used.
     */
    public BoardServer(final GrimConfig config, final Settings settings, final PrintWriter output)
    {
        this.config = configure(config, settings);
        this.output = output;
    }

    /**
     * What others find.
     *
     * @param name         of the node, and so of the board.
     * @param contextCount processes that can attach.
     * @param channelCount NI channels for all of them together.
     * @param sramLength   bytes of the board's memory; 0 for as many as the configuration says.
     * @param lanaiModel   4 or 9.
     */
    public record Settings(String name, int contextCount, int channelCount, int sramLength, int lanaiModel)
    {
    }

    /**
     * Serves until this process is told to end.
     *
     * @param isChild whether it also ends with its standard input, as second processes of commands do.
     */
    public void serve(final boolean isChild)
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
                idle.idle(grim.poll());
            }
        }
    }

    private static GrimConfig configure(final GrimConfig config, final Settings settings)
    {
        final GrimConfig.Builder builder = config.toBuilder().nodeName(settings.name())
            .transports(BoardKind.TRANSPORT)
            .set("grim.channels.count", OWN_CHANNELS)
            .set("grim.channels.host", OWN_CHANNELS)
            .set("grim.myrinet.board", "")
            .set("grim.myrinet.firmware", BoardKind.DUTY_CYCLE.toString())
            .set("grim.myrinet.contexts", settings.contextCount() + OWN_CONTEXTS)
            .set("grim.myrinet.board-channels", settings.channelCount() + OWN_CHANNELS)
            .set("grim.myrinet.lanai-model", settings.lanaiModel());
        if (settings.sramLength() > 0)
        {
            builder.set("grim.myrinet.sram-length", settings.sramLength());
        }
        return builder.build();
    }
}
