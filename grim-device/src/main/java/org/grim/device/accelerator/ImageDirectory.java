// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.grim.buffer.MappedFile;

/** Directory of images: jars, and files of OpenCL C. */
final class ImageDirectory
{
    private ImageDirectory()
    {
    }

    /** Finds the images, by name. */
    static List<KernelImage> read(final Path directory, final OpenClSupport support) throws IOException
    {
        final List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, "*.{jar,cl}"))
        {
            found.forEach(files::add);
        }
        files.sort(null);
        final List<KernelImage> images = new ArrayList<>();
        for (final Path file : files)
        {
            images.add(image(file, support));
        }
        return images;
    }

    private static KernelImage image(final Path file, final OpenClSupport support)
    {
        if (!Files.isRegularFile(file))             // To open a named pipe waits for its writer.
        {
            throw new IllegalArgumentException("image " + file + " is no regular file");
        }
        try
        {
            return file.toString().endsWith(".jar") ? JarImage.of(file) : OpenClImage.of(file, support);
        }
        catch (final IOException ex)
        {
            throw new IllegalArgumentException("image " + file + " cannot be read: " + MappedFile.describe(ex), ex);
        }
    }
}
