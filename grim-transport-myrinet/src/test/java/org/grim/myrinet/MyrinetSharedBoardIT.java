// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.grim.ProcessCluster;
import org.grim.TransportCluster;
import org.junit.jupiter.api.Tag;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigRenderOptions;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Three processes: two nodes on the board of a third one. */
@Tag("process")
@Tag("slow")
final class MyrinetSharedBoardIT extends MyrinetContract
{
    @Override
    protected TransportCluster open(final Map<String, Object> settings, final long firstPosition)
    {
        return SharedBoard.start(withBoards(settings), MyrinetSharedBoardIT::start,
            nodeSettings -> ProcessCluster.start(nodeSettings, firstPosition));
    }

    @Override
    protected boolean hasOthers()
    {
        return true;
    }

    private static AutoCloseable start(final Map<String, Object> boardSettings)
    {
        try
        {
            final Process process = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-ea", "-Xmx256m",
                "-XX:TieredStopAtLevel=1", "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
                "-cp", System.getProperty("java.class.path"), BoardMain.class.getName(),
                ConfigFactory.parseMap(boardSettings).root().render(ConfigRenderOptions.concise()), SharedBoard.NAME)
                .redirectError(ProcessBuilder.Redirect.INHERIT).start();
            final BufferedReader output = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
            assertEquals(BoardMain.READY, output.readLine());
            return () -> end(process);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static void end(final Process process) throws IOException, InterruptedException
    {
        process.getOutputStream().close();
        final boolean isOver = process.waitFor(60, TimeUnit.SECONDS);
        process.destroyForcibly();
        assertEquals(0, isOver ? process.exitValue() : -1, "the board's process does not end well");
    }
}
