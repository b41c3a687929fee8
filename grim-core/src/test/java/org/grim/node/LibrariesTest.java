// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.net.URLClassLoader;

import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.LibraryCopy;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class LibrariesTest
{
    @Test
    void shouldNameTheLibraryThatIsMissingWhenAConfigurationBegins() throws Exception
    {
        try (URLClassLoader loader = LibraryCopy.load(entry -> !entry.getFileName().toString().startsWith("agrona")))
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
}
