// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.DeviceInfo;
import org.grim.DeviceSpec;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.NodeInfo;
import org.grim.SendStatus;
import org.grim.device.DeviceRunner;
import org.grim.stream.Connection;
import org.grim.stream.ConnectionSpec;
import org.grim.stream.Stage;
import org.grim.stream.Streams;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The command {@code why} beside a stage whose image does not end loading; all nodes are in this process. */
@Tag("process")
@Timeout(300)
final class WhyStreamIT extends CommandRun
{
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    private Path directory;

    private GrimConfig config(final String name)
    {
        return GrimConfig.builder().directory(directory.resolve("clusters")).nodeName(name).transports("shmem")
            .set("grim.channels.count", 6).build();
    }

    @Test
    void shouldNameTheImageThatAStreamWaitsFor() throws Exception
    {
        final Path images = Files.createDirectory(directory.resolve("images"));
        final Path end = directory.resolve("end");
        KernelJar.make(images, "slow", """
            public Slow() throws Exception
            {
                while (!java.nio.file.Files.exists(java.nio.file.Path.of("%s")))
                {
                    Thread.sleep(10);
                }
            }
            public int run(org.grim.device.accelerator.KernelCall call, org.agrona.MutableDirectBuffer result)
            {
                return 4;
            }
            """.formatted(end));
        try (Grim device = Grim.enable(config("gpu2")); Grim owner = Grim.enable(config("display")))
        {
            device.startPolling();
            owner.startPolling();
            try (DeviceRunner runner = DeviceRunner.open(device,
                DeviceSpec.of(NodeInfo.Device.ACCELERATOR).onChannels(DeviceSpec.ANY_CHANNEL, 3),
                Map.of("images", images.toString())); Streams streams = Streams.open(owner))
            {
                runner.start();
                device.start();
                owner.start();
                streams.onItems("edges", (sequence, buffer, offset, length) -> assertEquals(4, length));
                final long startNs = System.nanoTime();
                while (runner.state() != DeviceInfo.State.UP)
                {
                    assertTrue(System.nanoTime() - startNs < PATIENCE.toNanos(), "the device is not up");
                    streams.idleStrategy().idle(streams.poll());
                }
                final Connection connection = streams.open(ConnectionSpec.of("edges", streams.id(),
                    Stage.of(runner.device().id(), "slow")), PATIENCE);
                while (connection.inject(new UnsafeBuffer(new byte[4]), 0, 4) == SendStatus.BACK_PRESSURED)
                {
                    streams.idleStrategy().idle(streams.poll());
                }

                assertWhy(streams);
                Files.createFile(end);
                connection.close();
                assertEquals(1, connection.accounts().delivered());
            }
            finally
            {
                Files.writeString(end, "");
            }
        }
    }

    /** Until the item is there, and the device has answered in time. */
    private void assertWhy(final Streams streams) throws InterruptedException
    {
        final long startNs = System.nanoTime();
        int exitCode = why(streams);
        while (!output.toString().matches("(?s)connection edges of display to display: open, " +
            "1 of 32 items under way, for [^\n]* m?s\n" +
            "  display waits for slow on gpu2: image slow.jar is loading, since [^\n]* m?s\n" +
            "  cause: image-not-loaded\n.*"))
        {
            assertTrue(System.nanoTime() - startNs < PATIENCE.toNanos(), () -> error + output.toString());
            exitCode = why(streams);
        }
        assertEquals(3, exitCode, () -> error + output.toString());
    }

    /** The owner is polled by this thread, and the command runs on another one. Returns its exit code. */
    private int why(final Streams streams) throws InterruptedException
    {
        output.getBuffer().setLength(0);
        final int[] exitCode = {-1};
        final Thread command = new Thread(() -> exitCode[0] =
            execute("why", "--directory", directory.resolve("clusters").toString()), "why");
        command.start();
        while (command.isAlive())
        {
            streams.idleStrategy().idle(streams.poll());
        }
        command.join();
        return exitCode[0];
    }
}
