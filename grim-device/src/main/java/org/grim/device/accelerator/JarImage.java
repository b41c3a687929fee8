// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
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

    /** Finds the images of a directory, by name. */
    static List<KernelImage> in(final Path directory) throws IOException
    {
        final List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(directory, "*.jar"))
        {
            jars.forEach(files::add);
        }
        files.sort(null);
        final List<KernelImage> images = new ArrayList<>();
        for (final Path file : files)
        {
            images.add(new JarImage(file, names(file), Files.size(file)));
        }
        return images;
    }

    private static List<String> names(final Path file) throws IOException
    {
        try (JarFile jar = new JarFile(file.toFile()))
        {
            final Manifest manifest = jar.getManifest();
            final String value = manifest == null ? null : manifest.getMainAttributes().getValue(ATTRIBUTE);
            if (value == null)
            {
                throw new IllegalArgumentException("image " + file + " has no attribute " + ATTRIBUTE);
            }
            final List<String> names = Arrays.stream(value.split(",", -1)).map(String::strip).toList();
            if (names.size() > KERNEL_COUNT_MAX || names.contains(""))
            {
                throw new IllegalArgumentException(
                    "image " + file + ": " + ATTRIBUTE + "=" + value + " is not 1 to " + KERNEL_COUNT_MAX + " names");
            }
            return names;
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
