// SPDX-License-Identifier: Apache-2.0
package org.grim.device.video;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import javax.imageio.ImageIO;

/** Writes each picture as a PNG file {@code frame-00000001.png} and so on. Thread: that of the display. */
final class PngSink implements DisplaySink
{
    private final Path directory;

    PngSink(final Path directory)
    {
        if (!Files.isDirectory(directory))
        {
            throw new IllegalArgumentException("png=" + directory + " is no directory");
        }
        this.directory = directory;
    }

    @Override
    public void show(final Screen screen, final Screen.Area changed) throws IOException
    {
        final BufferedImage image = new BufferedImage(screen.width, screen.height, BufferedImage.TYPE_INT_RGB);
        final int[] row = new int[screen.width];
        for (int y = 0; y < screen.height; y++)
        {
            for (int x = 0; x < screen.width; x++)
            {
                final int offset = (y * screen.width + x) * Screen.PIXEL_LENGTH;
                row[x] = (screen.pixels[offset] & 0xFF) | ((screen.pixels[offset + 1] & 0xFF) << 8) |
                    ((screen.pixels[offset + 2] & 0xFF) << 16);
            }
            image.setRGB(0, y, screen.width, 1, row, 0, screen.width);
        }
        final Path file = directory.resolve(String.format(Locale.ROOT, "frame-%08d.png", screen.number()));
        try (OutputStream output = Files.newOutputStream(file))
        {
            if (!ImageIO.write(image, "png", output))
            {
                throw new IOException("this JVM writes no PNG files");
            }
        }
    }
}
