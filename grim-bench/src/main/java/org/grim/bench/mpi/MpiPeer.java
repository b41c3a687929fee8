// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.mpi;

import java.nio.file.Files;
import java.nio.file.Path;

import org.grim.bench.compare.OpenMpi;

/** The libraries, and the one of ours beside which each stands. */
enum MpiPeer
{
    GRIM_MPI("grim-mpi", OpenMpiRank.class),
    RAW("grim", RawRank.class),
    OPEN_MPI_JAVA("open-mpi-java", OpenMpiRank.class),
    OPEN_MPI("open-mpi", null),
    GRIM_MPI_JAVA("grim-mpijava", MpiJavaRank.class),
    MPJ_EXPRESS("mpj-express", MpiJavaRank.class);

    /** Beyond it raw GRIM wants registered memory. */
    private static final int RAW_LENGTH_MAX = 4_096;

    final String label;
    final Class<?> program;                 // Null for the one in C.

    MpiPeer(final String label, final Class<?> program)
    {
        this.label = label;
        this.program = program;
    }

    /** The one of ours that it stands beside. */
    MpiPeer ours()
    {
        return program == MpiJavaRank.class ? GRIM_MPI_JAVA : GRIM_MPI;
    }

    boolean isOurs()
    {
        return ours() == this;
    }

    boolean takesPart(final MpiOperation operation, final int length)
    {
        return switch (operation)
        {
            case LATENCY, RATE -> this != RAW || length <= RAW_LENGTH_MAX;
            case LATENCY_DIRECT -> program == OpenMpiRank.class;
            default -> true;
        };
    }

    /** Why it cannot be started; null if it can. */
    String absence(final String searchPath, final Path openMpiJar, final Path mpjHome)
    {
        return switch (this)
        {
            case OPEN_MPI -> OpenMpi.absence(searchPath);
            case OPEN_MPI_JAVA -> OpenMpi.launcher(searchPath) == null ? "no mpirun on the path" :
                fileAbsence(openMpiJar, "--open-mpi-jar");
            case GRIM_MPI_JAVA, MPJ_EXPRESS -> fileAbsence(mpjJar(mpjHome), "--mpj-home");
            default -> null;
        };
    }

    private static String fileAbsence(final Path file, final String option)
    {
        return file == null ? option + " is not given" : Files.isReadable(file) ? null : file + " is not there";
    }

    static Path mpjJar(final Path mpjHome)
    {
        return mpjHome == null ? null : mpjHome.resolve("lib").resolve("mpj.jar");
    }
}
