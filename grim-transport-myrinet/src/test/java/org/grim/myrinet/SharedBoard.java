// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.util.HashMap;
import java.util.Map;

import org.grim.ContractSupport;
import org.grim.Grim;
import org.grim.LocalCluster;
import org.grim.TransportCluster;

/**
 * A cluster whose two nodes use the board of a third one, which is there before them and goes after them.
 * <p>Thread: the test's.
 */
final class SharedBoard implements TransportCluster
{
    /** Name of the node that has the board. */
    static final String NAME = "board";

    private static final int CONTEXT_COUNT = 3;
    private static final int BOARD_CHANNEL_COUNT = 12;      // 4 for each of the three nodes.

    private final AutoCloseable board;
    private TransportCluster nodes;

    private SharedBoard(final AutoCloseable board)
    {
        this.board = board;
    }

    /** Starts the node with the board. */
    interface Opener
    {
        AutoCloseable open(Map<String, Object> boardSettings);
    }

    /** Starts the two nodes. */
    interface NodesOpener
    {
        TransportCluster open(Map<String, Object> settings);
    }

    /** All three nodes in this JVM; a thread of it polls the board's. */
    static SharedBoard inThisJvm(final Map<String, Object> settings, final long firstPosition)
    {
        return start(settings, boardSettings ->
        {
            final Grim board =
                Grim.enable(ContractSupport.builder(boardSettings, firstPosition).nodeName(NAME).build());
            board.startPolling();
            return board;
        }, nodeSettings -> LocalCluster.ofTwo(nodeSettings, firstPosition));
    }

    /**
     * The board first, and yet as node 2: the suite's near node is node 0.
     *
     * @param settings of the two nodes; they get the name of the board.
     */
    static SharedBoard start(final Map<String, Object> settings, final Opener opener, final NodesOpener nodesOpener)
    {
        final Map<String, Object> boardSettings = new HashMap<>(settings);
        boardSettings.put("grim.myrinet.firmware", "duty-cycle");
        boardSettings.put("grim.myrinet.contexts", CONTEXT_COUNT);
        boardSettings.put("grim.myrinet.board-channels", BOARD_CHANNEL_COUNT);
        boardSettings.put("grim.myrinet.sram-length", "4MiB");
        final SharedBoard cluster;
        // A node that comes again gets the number that it had.
        try (Grim near = Grim.enable(ContractSupport.builder(settings, 0).nodeName("near").build());
            Grim far = Grim.enable(ContractSupport.builder(settings, 0).nodeName("far").build()))
        {
            near.endpoint().poll();
            far.endpoint().poll();
            cluster = new SharedBoard(opener.open(boardSettings));
        }
        try
        {
            settings.put("grim.myrinet.board", NAME);
            cluster.nodes = nodesOpener.open(settings);
            return cluster;
        }
        catch (final RuntimeException ex)
        {
            cluster.closeBoard();
            throw ex;
        }
    }

    @Override
    public Grim near()
    {
        return nodes.near();
    }

    @Override
    public String far(final String command)
    {
        return nodes.far(command);
    }

    @Override
    public boolean hasPeer()
    {
        return true;
    }

    @Override
    public int pollNear()
    {
        return nodes.pollNear();
    }

    @Override
    public int stepFar()
    {
        return nodes.stepFar();
    }

    @Override
    public void close()
    {
        try
        {
            nodes.close();
        }
        finally
        {
            closeBoard();
        }
    }

    private void closeBoard()
    {
        try
        {
            board.close();
        }
        catch (final Exception ex)
        {
            throw new IllegalStateException("the board's node does not close", ex);
        }
    }
}
