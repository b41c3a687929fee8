// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pair;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.grim.GrimException;

import static org.grim.GrimException.Reason.SYSTEM_REFUSED;

/**
 * Gives each peer its own copy of the measuring code. The compiler then sees one kind of peer at each call and inlines
 * it, as it would in an application that uses nothing else; in shared code every call would go through a table.
 * <p>Thread: any.
 */
final class SideLoader extends ClassLoader
{
    private static final String OWN_PACKAGE = "org.grim.tools.pair.peers";
    private static final String SIDE_CLASS = OWN_PACKAGE + ".PeerSide";
    private static final Set<String> PACKAGES = Stream.concat(Stream.of(OWN_PACKAGE),
        ServiceLoader.load(PeerFactory.class).stream().map(factory -> factory.type().getPackageName()))
        .collect(Collectors.toUnmodifiableSet());

    private SideLoader()
    {
        super(SideLoader.class.getClassLoader());
    }

    static Side open(final PeerKind kind, final Ends ends, final Path directory, final int sizeMax)
    {
        try
        {
            return (Side)new SideLoader().loadClass(SIDE_CLASS)
                .getConstructor(PeerKind.class, Ends.class, Path.class, int.class)
                .newInstance(kind, ends, directory, sizeMax);
        }
        catch (final InvocationTargetException ex)
        {
            throw new GrimException(SYSTEM_REFUSED,
                "peer=" + kind + " does not start: " + describe(ex.getCause()), ex.getCause());
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new IllegalStateException(SIDE_CLASS + " is not as it should be", ex);
        }
    }

    /** An error in words, with its class where the message alone says nothing. */
    static String describe(final Throwable error)
    {
        return error instanceof GrimException ? error.getMessage() :
            error.getClass().getSimpleName() + " " + error.getMessage();
    }

    @Override
    protected Class<?> loadClass(final String name, final boolean isResolved) throws ClassNotFoundException
    {
        if (!PACKAGES.contains(name.substring(0, Math.max(0, name.lastIndexOf('.')))))
        {
            return super.loadClass(name, isResolved);
        }
        synchronized (getClassLoadingLock(name))
        {
            final Class<?> known = findLoadedClass(name);
            return known == null ? define(name) : known;
        }
    }

    private Class<?> define(final String name) throws ClassNotFoundException
    {
        try (InputStream input = getParent().getResourceAsStream(name.replace('.', '/') + ".class"))
        {
            if (input == null)
            {
                throw new ClassNotFoundException(name);
            }
            final byte[] bytes = input.readAllBytes();
            return defineClass(name, bytes, 0, bytes.length);
        }
        catch (final IOException ex)
        {
            throw new ClassNotFoundException(name, ex);
        }
    }
}
