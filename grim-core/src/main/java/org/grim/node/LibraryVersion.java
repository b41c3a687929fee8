// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Version of the library. The build writes it beside this class: module jars and class directories have it, too. */
final class LibraryVersion
{
    static final String TEXT = read();

    private LibraryVersion()
    {
    }

    private static String read()
    {
        try (InputStream in = LibraryVersion.class.getResourceAsStream("version"))
        {
            return in == null ? "unknown" : new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("the version of the library cannot be read", ex);
        }
    }
}
