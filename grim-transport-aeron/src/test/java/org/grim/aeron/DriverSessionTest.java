// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

import org.grim.buffer.Uninterrupted;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import io.aeron.Image;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A client whose driver goes. */
@Timeout(180)
final class DriverSessionTest
{
    private static final String CHANNEL = "aeron:ipc?term-length=64k";
    private static final int STREAM = 7;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

    @TempDir
    private Path directory;

    @Test
    void shouldEndWithoutAnErrorForTheLoopWhenItsDriverGoesBeforeAnImageIsRefused()
    {
        final MediaDriver driver = MediaDriver.launch(new MediaDriver.Context()
            .aeronDirectoryName(directory.resolve("driver").toString()).threadingMode(ThreadingMode.SHARED)
            .dirDeleteOnStart(true).errorHandler(ex -> assertFalse(ex instanceof Error)));
        final DriverSession session =
            new DriverSession(driver.aeronDirectoryName(), "test", TimeUnit.SECONDS.toNanos(10), frame ->
            {
            });
        final AtomicReference<Image> image = new AtomicReference<>();
        session.receiveReports("aeron:udp?endpoint=127.0.0.1:0|term-length=64k", STREAM + 1);
        session.receive(CHANNEL, STREAM, image::set);
        session.beginToPublish(CHANNEL, STREAM);
        await(session, () -> image.get() != null);

        driver.close();
        assertFalse(session.isLost());
        session.reject(image.get(), "nobody wants it");
        await(session, session::isLost);

        session.close();
        assertTrue(image.get().isClosed());
    }

    private static void await(final DriverSession session, final BooleanSupplier isSo)
    {
        final long deadlineNs = System.nanoTime() + PATIENCE_NS;
        while (!isSo.getAsBoolean())
        {
            assertTrue(System.nanoTime() - deadlineNs < 0, "in vain");
            session.doWork();
            Uninterrupted.park(100_000);
        }
    }
}
