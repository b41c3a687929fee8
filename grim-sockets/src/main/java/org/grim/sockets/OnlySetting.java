// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

import org.grim.GrimConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides without the configuration whether {@code grim.sockets.only} may forbid TCP: reading the configuration takes
 * time, and a mistake elsewhere must not allow TCP.
 * <p>Thread: any; no state.
 */
final class OnlySetting
{
    private static final Logger LOGGER = LoggerFactory.getLogger(OnlySetting.class);
    private static final String KEY = "grim.sockets.only";
    private static final List<String> WORDS = List.of("only", "include");       // Another file may have it.
    private static final String FILE_VARIABLE = "GRIM_CONFIG";

    private OnlySetting()
    {
    }

    /** {@return whether a system property or the file that the environment names has the key, rightly or not} */
    static boolean isMentioned()
    {
        final String file = System.getenv(FILE_VARIABLE);
        return System.getProperties().stringPropertyNames().stream().anyMatch(name -> name.startsWith(KEY)) ||
            (file != null && isInFile(file));
    }

    /**
     * Returns whether a configuration has it.
     *
     * @param config of the application.
     * @return false if it is as it is by default.
     */
    static boolean isIn(final GrimConfig config)
    {
        return !List.of().equals(config.settings().get(KEY));
    }

    /**
     * Returns whether a file may have the key: one that is not plain, such as a pipe, can be read once only and may.
     */
    static boolean isInFile(final String name)
    {
        try
        {
            final Path file = Path.of(name);
            if (!Files.isRegularFile(file))
            {
                return Files.exists(file);
            }
            final String text = Files.readString(file, StandardCharsets.ISO_8859_1);
            return WORDS.stream().anyMatch(text::contains);
        }
        catch (final IOException | InvalidPathException ex)
        {
            LOGGER.debug("{} cannot be read: the configuration says so, too", name, ex);
            return false;
        }
    }
}
