// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/**
 * Implementations of a service. GRIM's own are also found by their class names: a build tool that merges jars keeps one
 * of several files of the same path unless configured otherwise, and each transport names itself in the same file. Any
 * thread; no state.
 */
final class Providers
{
    private Providers()
    {
    }

    /**
     * Returns implementations named to the {@link ServiceLoader}, and GRIM's own on the class path.
     *
     * @param service that is asked for.
     * @param named   to the loader.
     * @param own     class names of GRIM's implementations.
     */
    static <T> List<T> of(final Class<T> service, final ServiceLoader<T> named, final List<String> own)
    {
        final List<T> providers = new ArrayList<>();
        named.forEach(providers::add);
        for (final String name : own)
        {
            if (providers.stream().noneMatch(provider -> provider.getClass().getName().equals(name)))
            {
                addIfPresent(service, name, providers);
            }
        }
        return providers;
    }

    private static <T> void addIfPresent(final Class<T> service, final String name, final List<T> providers)
    {
        final Class<?> provider;
        try
        {
            provider = Class.forName(name, true, Providers.class.getClassLoader());
        }
        catch (final ClassNotFoundException notOnClassPath)
        {
            return;
        }
        try
        {
            providers.add(service.cast(provider.getConstructor().newInstance()));
        }
        catch (final InvocationTargetException ex)
        {
            throw new IllegalStateException(name + " cannot be made", ex.getCause());
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new IllegalStateException(name + " cannot be made", ex);
        }
    }
}
