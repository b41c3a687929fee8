// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigRenderOptions;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.fail;

/** The far node in another JVM; every wait for it has a deadline. */
public final class ProcessCluster implements TransportCluster
{
    private static final long DEADLINE_MS = 60_000;

    private final Process process;
    private final PrintStream commands;
    private final LinkedBlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final Grim near;

    private ProcessCluster(final Map<String, Object> settings, final long firstPosition)
    {
        near = Grim.enable(ContractSupport.builder(settings, firstPosition).nodeName("near").build());
        try
        {
            process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-ea", "-Xmx256m", "-XX:TieredStopAtLevel=1", "--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED",
                "-cp", classPath(), FarProcess.class.getName(),
                ConfigFactory.parseMap(settings).root().render(ConfigRenderOptions.concise()),
                Long.toString(firstPosition)).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        }
        catch (final IOException ex)
        {
            near.close();
            throw new UncheckedIOException(ex);
        }
        commands = new PrintStream(process.getOutputStream(), true, UTF_8);
        final Thread reader = new Thread(this::readAnswers, "answers");
        reader.setDaemon(true);
        reader.start();
        awaitAnswer("start");
    }

    /** Two nodes, the near one in this JVM. */
    public static ProcessCluster start(final Map<String, Object> settings, final long firstPosition)
    {
        return new ProcessCluster(settings, firstPosition);
    }

    @Override
    public Grim near()
    {
        return near;
    }

    @Override
    public String far(final String command)
    {
        commands.println(command);
        return awaitAnswer(command);
    }

    @Override
    public boolean hasPeer()
    {
        return true;
    }

    @Override
    public int pollNear()
    {
        return near.poll();
    }

    @Override
    public int stepFar()
    {
        return 0;
    }

    @Override
    public void close()
    {
        commands.close();                       // The end of its input ends it.
        try
        {
            if (!process.waitFor(DEADLINE_MS, TimeUnit.MILLISECONDS) || process.exitValue() != 0)
            {
                process.destroyForcibly();
                fail("the far process did not end well");
            }
        }
        catch (final InterruptedException ex)
        {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        finally
        {
            near.close();
        }
    }

    private static String classPath()
    {
        final String tests = System.getProperty("surefire.test.class.path");
        return tests == null ? System.getProperty("java.class.path") :
            String.join(File.pathSeparator, List.of(tests, System.getProperty("java.class.path")));
    }

    private String awaitAnswer(final String command)
    {
        try
        {
            final String answer = answers.poll(DEADLINE_MS, TimeUnit.MILLISECONDS);
            return answer == null ? fail("no answer to: " + command + " alive=" + process.isAlive()) : answer;
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            return fail(ex);
        }
    }

    private void readAnswers()
    {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8)))
        {
            String line = reader.readLine();
            while (line != null)
            {
                answers.add(line);
                line = reader.readLine();
            }
        }
        catch (final IOException ignored)
        {
            // The process is gone; who waits for an answer says so.
        }
    }
}
