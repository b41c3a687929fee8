// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

import org.agrona.CloseHelper;

/**
 * An image in a jar. The attribute {@code Grim-Kernels} of its manifest names the kernels, separated by commas; its
 * service file for {@link Kernel} their classes. Each load has a class loader of its own.
 */
final class JarImage implements KernelImage
{
    private static final String ATTRIBUTE = "Grim-Kernels";

    private final Path file;
    private final List<String> kernels;
    private final long length;
    private URLClassLoader loader;

    private JarImage(final Path file, final List<String> kernels, final long length)
    {
        this.file = file;
        this.kernels = kernels;
        this.length = length;
    }

    /** Reads the names of a jar's kernels. */
    static JarImage of(final Path file) throws IOException
    {
        return new JarImage(file, names(file), Files.size(file));
    }

    private static List<String> names(final Path file) throws IOException
    {
        try (JarFile jar = new JarFile(file.toFile()))
        {
            final Manifest manifest = jar.getManifest();
            return KernelImage.names(file.toString(), ATTRIBUTE,
                manifest == null ? null : manifest.getMainAttributes().getValue(ATTRIBUTE));
        }
    }

    @Override
    public String name()
    {
        return file.getFileName().toString();
    }

    @Override
    public List<String> kernels()
    {
        return kernels;
    }

    @Override
    public long length()
    {
        return length;
    }

    @Override
    public List<Kernel> load() throws IOException
    {
        loader = new URLClassLoader(name(), new URL[] {file.toUri().toURL()}, Kernel.class.getClassLoader());
        final Map<String, Kernel> found = new HashMap<>();
        try
        {
            for (final ServiceLoader.Provider<Kernel> provider :
                (Iterable<ServiceLoader.Provider<Kernel>>)ServiceLoader.load(Kernel.class, loader).stream()::iterator)
            {
                if (provider.type().getClassLoader() == loader)
                {
                    final Kernel kernel = provider.get();
                    found.put(kernel.name(), kernel);
                }
            }
        }
        catch (final ServiceConfigurationError ex)
        {
            unload();
            throw new IOException(ex.getMessage(), ex);
        }
        if (!found.keySet().containsAll(kernels))
        {
            unload();
            throw new IOException("image " + name() + " promises kernels " + kernels + " and has " + found.keySet());
        }
        return kernels.stream().map(found::get).toList();
    }

    @Override
    public void unload()
    {
        CloseHelper.quietClose(loader);
        loader = null;
    }
}
