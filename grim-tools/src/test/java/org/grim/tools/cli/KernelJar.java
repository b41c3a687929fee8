// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import javax.tools.ToolProvider;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Makes an image with one kernel, from the source of its methods. */
final class KernelJar
{
    private KernelJar()
    {
    }

    static void make(final Path images, final String kernel, final String methods) throws IOException
    {
        final String type = kernel.substring(0, 1).toUpperCase(Locale.ROOT) + kernel.substring(1);
        final Path classes = Files.createTempDirectory(images.getParent(), kernel);
        final Path source = Files.writeString(classes.resolve(type + ".java"), """
            public class %s implements org.grim.device.accelerator.Kernel
            {
                public String name()
                {
                    return "%s";
                }
                %s
            }
            """.formatted(type, kernel, methods));
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, "-proc:none", "-cp",
            GrimProcess.classPath(), "-d", classes.toString(), source.toString()));
        final Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Grim-Kernels", kernel);
        try (OutputStream file = Files.newOutputStream(images.resolve(kernel + ".jar"));
            JarOutputStream jar = new JarOutputStream(file, manifest))
        {
            jar.putNextEntry(new JarEntry(type + ".class"));
            jar.write(Files.readAllBytes(classes.resolve(type + ".class")));
            jar.putNextEntry(new JarEntry("META-INF/services/org.grim.device.accelerator.Kernel"));
            jar.write((type + "\n").getBytes(UTF_8));
        }
    }
}
