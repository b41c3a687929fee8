// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.boards;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.grim.tools.process.SecondJvm;

/**
 * The third JVM of a command, which serves the board that the two others use.
 * <p>Thread: any. Owns: the process.
 */
public final class BoardJvm implements AutoCloseable
{
    /** Name of the command. */
    public static final String COMMAND = "board";
    /** Its hidden option: it ends with its standard input. */
    public static final String CHILD_OPTION = "--child";

    private final SecondJvm process;

    private BoardJvm(final SecondJvm process)
    {
        this.process = process;
    }

    /**
     * Starts the process where one is needed, and waits until others can attach to its board.
     *
     * @param kind      of board.
     * @param cluster   to join.
     * @param directory of clusters; null for the usual one.
     * @return the process, or one that is none.
     */
    public static BoardJvm start(final BoardKind kind, final String cluster, final Path directory)
    {
        if (kind != BoardKind.PROCESS)
        {
            return new BoardJvm(null);
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
            return new BoardJvm(process);
        }
        catch (final RuntimeException ex)
        {
            process.close();
            throw ex;
        }
    }

    /** Throws if the board's process is no more. */
    public void requireAlive()
    {
        if (process != null)
        {
            process.requireAlive();
        }
    }

    @Override
    public void close()
    {
        if (process != null)
        {
            process.close();
        }
    }
}
