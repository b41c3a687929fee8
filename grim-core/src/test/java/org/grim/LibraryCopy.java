// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Another copy of the library: the test's class path in a class loader of its own. Any thread; no state. */
public final class LibraryCopy
{
    private LibraryCopy()
    {
    }

    /** {@return a loader of everything on the class path} */
    public static URLClassLoader load() throws MalformedURLException
    {
        return load(entry -> true);
    }

    /** {@return a loader of those entries of the class path that are wanted} */
    public static URLClassLoader load(final Predicate<Path> isWanted) throws MalformedURLException
    {
        final List<URL> urls = new ArrayList<>();
        for (final String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1))
        {
            if (isWanted.test(Path.of(entry)))
            {
                urls.add(Path.of(entry).toUri().toURL());
            }
        }
        return new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }
}
