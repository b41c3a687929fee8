// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;

import org.grim.GrimConfig;
import org.grim.GrimException;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class LibrariesTest
{
    @Test
    void shouldNameTheLibraryThatIsMissingWhenAConfigurationBegins() throws Exception
    {
        try (URLClassLoader loader = withoutAgrona())
        {
            final Runnable application =
                (Runnable)loader.loadClass(Application.class.getName()).getDeclaredConstructor().newInstance();

            final RuntimeException failure = assertThrows(RuntimeException.class, application::run);

            assertEquals(GrimException.class.getName(), failure.getClass().getName());
            assertTrue(failure.getMessage().startsWith("GRIM needs agrona"), failure.getMessage());
            assertTrue(failure.getMessage().contains("which is not on the class path"), failure.getMessage());
        }
    }

    /** Makes a configuration; public for a loader of its own. */
    public static final class Application implements Runnable
    {
        @Override
        public void run()
        {
            GrimConfig.builder();
        }
    }

    private static URLClassLoader withoutAgrona() throws IOException
    {
        final URL[] urls = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> !Path.of(entry).getFileName().toString().startsWith("agrona")).map(LibrariesTest::url)
            .toArray(URL[]::new);
        return new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
    }

    private static URL url(final String entry)
    {
        try
        {
            return Path.of(entry).toUri().toURL();
        }
        catch (final MalformedURLException ex)
        {
            throw new IllegalArgumentException(entry, ex);
        }
    }
}
