// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Makes directories of tests in memory, where clusters have theirs: mapped files cost half of the time there, and no
 * disk is written. Where that file system is missing or small, they are made where the JDK makes them.
 */
public final class MemoryTempDirFactory implements TempDirFactory
{
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final long FREE_BYTES_MIN = 1L << 30;
    private static final String PREFIX = "junit-";

    @Override
    public Path createTempDirectory(final AnnotatedElementContext element, final ExtensionContext context)
        throws IOException
    {
        return isRoomy() ? Files.createTempDirectory(MEMORY, PREFIX) : Files.createTempDirectory(PREFIX);
    }

    private static boolean isRoomy() throws IOException
    {
        return Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() >= FREE_BYTES_MIN;
    }
}
