// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.compare;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.grim.GrimException;
import org.grim.tools.process.ForeignProcess;

import static org.grim.GrimException.Reason.SYSTEM_REFUSED;

/**
 * Open MPI's compiler and launcher, as they are installed.
 * <p>Thread: any; no state.
 */
public final class OpenMpi
{
    /** Variables that the tools need besides: in a container everybody is root. */
    public static final Map<String, String> ENVIRONMENT =
        Map.of("OMPI_ALLOW_RUN_AS_ROOT", "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");

    private static final String COMPILER = "mpicc";
    private static final String LAUNCHER = "mpirun";
    private static final String SOURCE_END = ".c";
    private static final long COMPILE_TIMEOUT_MS = 30_000;

    private OpenMpi()
    {
    }

    /** {@return why programs cannot be compiled and run; null if they can} */
    public static String absence(final String searchPath)
    {
        return List.of(COMPILER, LAUNCHER).stream().filter(tool -> ForeignProcess.find(tool, searchPath) == null)
            .findFirst().map(tool -> "no " + tool + " on the path (Debian has it in openmpi-bin and libopenmpi-dev)")
            .orElseGet(() -> headerAbsence(ForeignProcess.find(COMPILER, searchPath)));
    }

    /** Debian's compiler comes without the header. */
    private static String headerAbsence(final Path compiler)
    {
        try
        {
            ForeignProcess.run(
                List.of(compiler.toString(), "-fsyntax-only", "-include", "mpi.h", "-x", "c", "/dev/null"),
                ENVIRONMENT, COMPILE_TIMEOUT_MS);
            return null;
        }
        catch (final GrimException ex)
        {
            return COMPILER + " cannot use mpi.h (Debian has it in libopenmpi-dev): " + ex.getMessage();
        }
    }

    /** {@return the launcher; null if it is nowhere} */
    public static Path launcher(final String searchPath)
    {
        return ForeignProcess.find(LAUNCHER, searchPath);
    }

    /** Compiles a program whose source stands beside a class, into a directory that takes the source, too. */
    public static Path compile(
        final String searchPath, final Class<?> owner, final String source, final Path directory)
    {
        final Path file = directory.resolve(source);
        try (InputStream resource = owner.getResourceAsStream(source))
        {
            if (resource == null)
            {
                throw new IllegalStateException(source + " is not in the jar");
            }
            Files.write(file, resource.readAllBytes());
        }
        catch (final IOException ex)
        {
            throw new GrimException(SYSTEM_REFUSED, file + " cannot be written: " + ex.getMessage(), ex);
        }
        final Path program = directory.resolve("mpi-" + source.substring(0, source.length() - SOURCE_END.length()));
        ForeignProcess.run(List.of(ForeignProcess.find(COMPILER, searchPath).toString(), "-O2", "-o",
            program.toString(), file.toString()), ENVIRONMENT, COMPILE_TIMEOUT_MS);
        return program;
    }
}
