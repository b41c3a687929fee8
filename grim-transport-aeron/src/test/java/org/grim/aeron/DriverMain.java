// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;

/** A media driver in a process of its own, which says that it runs, and ends when its standard input does. */
public final class DriverMain
{
    private DriverMain()
    {
    }

    /**
     * Runs.
     *
     * @param arguments directory.
     */
    public static void main(final String[] arguments) throws IOException
    {
        try (PrintStream output =
                new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
            InputStream input = new FileInputStream(FileDescriptor.in);
            MediaDriver driver = MediaDriver.launch(new MediaDriver.Context().aeronDirectoryName(arguments[0])
                .threadingMode(ThreadingMode.SHARED).termBufferSparseFile(true)
                .dirDeleteOnStart(true).dirDeleteOnShutdown(true)))
        {
            output.println(driver.aeronDirectoryName());
            input.transferTo(output);
        }
    }
}
