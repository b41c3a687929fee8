// SPDX-License-Identifier: Apache-2.0
package org.grim.example.cli;

import java.util.List;
import java.util.Locale;

import org.grim.example.FileStream;
import org.grim.example.KMeans;
import org.grim.example.NioEcho;
import org.grim.example.OwnTransport;
import org.grim.example.PriceService;
import org.grim.example.PrometheusPage;
import org.grim.example.VideoFrames;
import org.grim.example.WorkQueue;
import org.grim.example.mpi.Jacobi;
import org.grim.example.mpi.Ring;
import org.grim.example.mpi.TaskFarm;

/** A program, the fewest processes that it can have, those that it has, and flags of their JVMs. */
enum Example
{
    /** Messages. */
    PRICE_SERVICE(PriceService.class, 2, 2, "Request and reply: a service and its client."),

    /** Groups. */
    K_MEANS(KMeans.class, 1, 3, "Groups: members find the centers of all their points."),

    /** Atomic operations. */
    WORK_QUEUE(WorkQueue.class, 2, 3, "Atomic operations: workers share a queue of work."),

    /** Streams. */
    FILE_STREAM(FileStream.class, 2, 2, "Streams: a file as one message, from SOURCE to TARGET."),

    /** Remote memory. */
    VIDEO_FRAMES(VideoFrames.class, 2, 2, "Remote memory: frames through a window of four slots."),

    /** Sockets. */
    NIO_ECHO(NioEcho.class, 2, 2, "Sockets: java.nio.channels, unchanged; argument: a PORT.",
        "-Djava.nio.channels.spi.SelectorProvider=org.grim.sockets.GrimSelectorProvider",
        "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED"),

    /** Metrics. */
    PROMETHEUS(PrometheusPage.class, 2, 2, "Metrics: a page for Prometheus; arguments: PORT SECONDS."),

    /** The SPI of transports. */
    OWN_TRANSPORT(OwnTransport.class, 1, 1, "A transport by others: two nodes of one process."),

    /** MPI in the dialect of Open MPI. */
    MPI_RING(Ring.class, 1, 4, "MPI: tokens go round."),

    /** MPI in the dialect of MPJ Express. */
    MPI_JACOBI(Jacobi.class, 1, 4, "MPI: heat in a plate, a grid of processes in two dimensions."),

    /** MPI with a death. */
    MPI_TASK_FARM(TaskFarm.class, 2, 4, "MPI: a farm that goes on when a worker dies.");

    private final Class<?> program;
    private final int fewestProcesses;
    private final int processCount;
    private final String description;
    @SuppressWarnings("ImmutableEnumChecker")        // List.of.
    private final List<String> flags;

    Example(
        final Class<?> program, final int fewestProcesses, final int processCount, final String description,
        final String... flags)
    {
        this.program = program;
        this.fewestProcesses = fewestProcesses;
        this.processCount = processCount;
        this.description = description;
        this.flags = List.of(flags);
    }

    /** As on the command line. */
    String label()
    {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    String program()
    {
        return program.getName();
    }

    int fewestProcesses()
    {
        return fewestProcesses;
    }

    int processCount()
    {
        return processCount;
    }

    String description()
    {
        return description;
    }

    List<String> flags()
    {
        return flags;
    }
}
