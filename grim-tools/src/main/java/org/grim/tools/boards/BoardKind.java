// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.boards;

import java.util.Arrays;

import org.grim.GrimConfig;

/** Runner of the firmware of the boards in a measurement. */
public enum BoardKind
{
    /** Each process has a board, which it steps in its own duty cycle. */
    DUTY_CYCLE("duty-cycle", 2),
    /** Each process has a board, which has a thread of that process. */
    THREAD("thread", 4),
    /** Both processes use one board, which a third one serves. */
    PROCESS("process", 3);

    /** Name of the transport that goes through boards. */
    public static final String TRANSPORT = "myrinet";
    /** System property by which the processes of a pair learn the kind; without it each steps its own. */
    public static final String PROPERTY = "bench.board";

    /** Name of the node that serves the board. */
    public static final String SERVER_NAME = "board";

    /** Room for what the library itself registers. */
    private static final int LIBRARY_LENGTH = 1 << 20;

    private final String label;
    private final int pollerCount;

    BoardKind(final String label, final int pollerCount)
    {
        this.label = label;
        this.pollerCount = pollerCount;
    }

    /**
     * The kind of a label.
     *
     * @param label as on the command line.
     * @return the kind.
     */
    public static BoardKind ofLabel(final String label)
    {
        return Arrays.stream(values()).filter(kind -> kind.label.equals(label)).findFirst().orElseThrow();
    }

    /** {@return threads that all want to run while two processes talk} */
    public int pollerCount()
    {
        return pollerCount;
    }

    /** Lets a node send through such boards, and through nothing else. Returns the same with transport and board. */
    public GrimConfig apply(final GrimConfig config)
    {
        final GrimConfig.Builder builder = config.toBuilder().transports(TRANSPORT);
        if (this == PROCESS)
        {
            builder.set("grim.myrinet.board", SERVER_NAME);
        }
        else
        {
            builder.set("grim.myrinet.board", "").set("grim.myrinet.firmware", label);
        }
        return builder.build();
    }

    /**
     * As {@link #apply(GrimConfig)}, for nodes that register memory.
     *
     * @param config           of the node.
     * @param registeredLength bytes that the application registers.
     * @return the same with transport, board, and room for that memory.
     */
    public GrimConfig apply(final GrimConfig config, final long registeredLength)
    {
        return apply(config).toBuilder()
            .set("grim.myrinet.registered-length", registeredLength + LIBRARY_LENGTH).build();
    }

    /** As on the command line. */
    @Override
    public String toString()
    {
        return label;
    }
}
