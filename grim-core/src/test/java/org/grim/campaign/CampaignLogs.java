// SPDX-License-Identifier: Apache-2.0
package org.grim.campaign;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.grim.death.ShmDirectory;

/** Output of a campaign's processes, and the reports of crashed JVMs: kept below the build directory. */
public final class CampaignLogs
{
    private static final int TAIL_LENGTH = 4_000;

    private CampaignLogs()
    {
    }

    /** An empty directory for a campaign. */
    public static Path create(final String campaign)
    {
        final Path directory = Path.of(System.getProperty("build.directory", "target"), "campaign", campaign)
            .toAbsolutePath();
        try
        {
            if (Files.exists(directory))
            {
                ShmDirectory.delete(directory);
            }
            return Files.createDirectories(directory);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Names of all files, and the last of what each says; of a crash the first. */
    public static String tail(final Path directory)
    {
        final StringBuilder text = new StringBuilder();
        for (final Path path : ShmDirectory.tree(directory))
        {
            final String all = Files.isDirectory(path) ? "" : ShmDirectory.text(path);
            final boolean isCrash = path.getFileName().toString().startsWith("hs_err");
            final int first = isCrash ? 0 : Math.max(0, all.length() - TAIL_LENGTH);
            if (!all.isBlank())
            {
                text.append(path).append(":\n").append(all, first, Math.min(all.length(), first + TAIL_LENGTH))
                    .append('\n');
            }
        }
        return text.toString();
    }
}
