// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;

import org.grim.device.opencl.OpenClDevice;
import org.grim.device.opencl.OpenClException;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A machine without OpenCL, or without JNR-FFI, gets a sentence. */
final class OpenClMissingTest
{
    @Test
    void shouldSayThatTheLibraryIsMissing() throws IOException
    {
        final OpenClSupport support = new OpenClSupport("libNoOpenCL.so.1", 0, 1);

        final String message =
            assertThrows(IOException.class, OpenClImage.builtIn("alu.cl", support)::load).getMessage();

        assertTrue(message.startsWith(
            "image alu.cl: OpenCL is not there: library libNoOpenCL.so.1 cannot be loaded: "), message);
        assertEquals("image alu.cl: " + support.state(), message);
    }

    @Test
    void shouldSayThatADeviceIsMissing()
    {
        WithOpenCl.open().close();

        assertTrue(assertThrows(OpenClException.class, () -> OpenClDevice.open(WithOpenCl.LIBRARY, 1_000, 1))
            .getMessage().startsWith("OpenCL has no device=1000 but 0 to "));
    }

    @Test
    void shouldSayThatJnrIsMissing() throws Exception
    {
        final URL[] path = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> !entry.matches(".*/(jnr|jffi)[^/]*\\.jar")).map(OpenClMissingTest::url)
            .toArray(URL[]::new);
        try (URLClassLoader loader = new URLClassLoader(path, ClassLoader.getPlatformClassLoader()))
        {
            final Throwable thrown = assertThrows(InvocationTargetException.class, () ->
                loader.loadClass(OpenClDevice.class.getName()).getMethod("open", String.class, int.class, long.class)
                .invoke(null, WithOpenCl.LIBRARY, 0, 1L)).getCause();

            assertEquals("OpenCL is not there: JNR-FFI, which it is called with, cannot be loaded: " +
                "java.lang.NoClassDefFoundError: jnr/ffi/Platform", thrown.getMessage());
        }
    }

    private static URL url(final String entry)
    {
        try
        {
            return new File(entry).toURI().toURL();
        }
        catch (final MalformedURLException ex)
        {
            throw new IllegalArgumentException(entry, ex);
        }
    }
}
