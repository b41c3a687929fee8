// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

import org.grim.GrimConfig;
import org.grim.buffer.OwnFiles;
import org.grim.transport.Settings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A process that holds the media driver of a cluster on this host for nodes that come and go, until its standard input
 * ends. Its settings are those of the nodes. If it is killed, a node starts the next driver.
 * <p>Thread: main; a daemon thread waits for the end of standard input. Owns: the host's driver.
 */
public final class DriverProcess
{
    private static final Logger LOGGER = LoggerFactory.getLogger(DriverProcess.class);
    private static final long LOOK_MS = 100;

    private DriverProcess()
    {
    }

    /**
     * Holds the driver.
     *
     * @param arguments path of a file that is made when the driver can be used.
     * @throws IOException          if a file cannot be made.
     * @throws InterruptedException if the thread is interrupted.
     */
    public static void main(final String[] arguments) throws IOException, InterruptedException
    {
        final GrimConfig config = GrimConfig.load();
        final Path cluster = config.clusterDirectory().toAbsolutePath().normalize();
        OwnFiles.makeDirectory(cluster);
        final HostDriver driver = HostDriver.acquire(
            cluster, AeronConfig.of(new Settings(config.settings())), config.errorHandler());
        try
        {
            driver.directory();
            Files.createFile(Path.of(arguments[0]));
            final Thread input = new Thread(() -> awaitEnd(System.in), "grim-driver-input");
            input.setDaemon(true);
            input.start();
            while (input.isAlive())
            {
                input.join(LOOK_MS);
                driver.directory();                     // Starts another one if a thread of it has ended.
            }
        }
        finally
        {
            driver.release();
        }
    }

    private static void awaitEnd(final InputStream input)
    {
        try
        {
            while (input.read() >= 0)
            {
                LOGGER.debug("standard input says something, which has no meaning");
            }
        }
        catch (final IOException ex)
        {
            LOGGER.debug("standard input failed, which ends this process as its end does", ex);
        }
    }
}
