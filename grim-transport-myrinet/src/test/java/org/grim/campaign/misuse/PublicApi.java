// SPDX-License-Identifier: Apache-2.0
package org.grim.campaign.misuse;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.grim.Grim;

/** All public methods and constructors of all public types that the core's module exports to everybody. */
final class PublicApi
{
    private static final String CLASS_SUFFIX = ".class";

    private final List<Executable> all = new ArrayList<>();

    PublicApi()
    {
        for (final Class<?> type : types())
        {
            for (final Method method : type.getDeclaredMethods())
            {
                // Bridges repeat another method.
                if (Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
                {
                    all.add(method);
                }
            }
            for (final Constructor<?> constructor : type.getConstructors())
            {
                if (!Modifier.isAbstract(type.getModifiers()))
                {
                    all.add(constructor);
                }
            }
        }
    }

    List<Executable> all()
    {
        return all;
    }

    static String nameOf(final Executable executable)
    {
        return executable.getDeclaringClass().getName().replace("org.grim.", "") + "." +
            (executable instanceof Constructor ? "new" : executable.getName()) + Stream.of(
            executable.getParameterTypes()).map(Class::getSimpleName).collect(Collectors.joining(",", "(", ")"));
    }

    private static List<Class<?>> types()
    {
        final ModuleReference module = ModuleFinder.of(location()).findAll().iterator().next();
        final Set<String> packages = module.descriptor().exports().stream().filter(exports -> !exports.isQualified())
            .map(exports -> exports.source()).collect(Collectors.toSet());
        try (Stream<String> names = module.open().list())
        {
            final List<Class<?>> types = new ArrayList<>();
            for (final String name : names.filter(name -> name.endsWith(CLASS_SUFFIX)).sorted().toList())
            {
                final int end = name.lastIndexOf('/');
                if (end > 0 && packages.contains(name.substring(0, end).replace('/', '.')))
                {
                    final Class<?> type =
                        Class.forName(name.substring(0, name.length() - CLASS_SUFFIX.length()).replace('/', '.'));
                    if (isPublic(type))
                    {
                        types.add(type);
                    }
                }
            }
            return types;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        catch (final ClassNotFoundException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    private static boolean isPublic(final Class<?> type)
    {
        return Modifier.isPublic(type.getModifiers()) &&
            (type.getDeclaringClass() == null || isPublic(type.getDeclaringClass()));
    }

    private static Path location()
    {
        try
        {
            return Path.of(Grim.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        }
        catch (final URISyntaxException ex)
        {
            throw new IllegalStateException(ex);
        }
    }
}
