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
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

/**
 * The far node in another JVM, which serves one cluster after the other; every wait for it has a deadline.
 * <p>Thread: the test's; one at a time in a JVM.
 */
public final class ProcessCluster implements TransportCluster
{
    private static final long DEADLINE_MS = 60_000;

    /** Left by the cluster before, with no node. */
    private static FarJvm spare;

    private final Grim near;
    private final FarJvm far;
    private boolean isKilled;
    private boolean isClosed;

    private ProcessCluster(
        final Map<String, Object> settings, final Map<String, Object> farSettings, final long firstPosition)
    {
        near = Grim.enable(ContractSupport.builder(settings, firstPosition).nodeName("near").build());
        far = begin(near, firstPosition + " " +
            ConfigFactory.parseMap(farSettings).root().render(ConfigRenderOptions.concise()));
    }

    /** Has the far node join; ends both if it does not. */
    private static FarJvm begin(final Grim near, final String join)
    {
        FarJvm jvm = null;
        boolean hasJoined = false;
        try
        {
            jvm = take();
            jvm.tell(join);
            jvm.awaitAnswer("start");
            hasJoined = true;
            return jvm;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        finally
        {
            if (!hasJoined)
            {
                if (jvm != null)
                {
                    jvm.process.destroyForcibly();
                }
                near.close();
            }
        }
    }

    private static FarJvm take() throws IOException
    {
        final FarJvm left = spare;
        spare = null;
        return left == null ? new FarJvm() : left;
    }

    /** The JVM of far nodes. */
    private static final class FarJvm
    {
        private final Process process;
        private final PrintStream commands;
        private final LinkedBlockingQueue<String> answers = new LinkedBlockingQueue<>();

        FarJvm() throws IOException
        {
            process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-ea", "-Xmx256m", "-XX:TieredStopAtLevel=1", "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
                "-cp", classPath(), FarProcess.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT).start();
            commands = new PrintStream(process.getOutputStream(), true, UTF_8);
            final Thread reader = new Thread(this::readAnswers, "answers");
            reader.setDaemon(true);
            reader.start();
        }

        void tell(final String command)
        {
            commands.println(command);
        }

        String awaitAnswer(final String command)
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

    /** Two nodes, the near one in this JVM. */
    public static ProcessCluster start(final Map<String, Object> settings, final long firstPosition)
    {
        return new ProcessCluster(settings, settings, firstPosition);
    }

    /** Two nodes that count as nodes of different hosts, although they share a directory. */
    public static ProcessCluster startOnTwoHosts(final Map<String, Object> settings, final long firstPosition)
    {
        return new ProcessCluster(settings, LocalCluster.onFarHost(settings), firstPosition);
    }

    /** The same; the far one has settings that differ. */
    public static ProcessCluster startOnTwoHosts(
        final Map<String, Object> settings, final Map<String, Object> ofTheFarOne, final long firstPosition)
    {
        final Map<String, Object> farSettings = LocalCluster.onFarHost(settings);
        farSettings.putAll(ofTheFarOne);
        return new ProcessCluster(settings, farSettings, firstPosition);
    }

    @Override
    public Grim near()
    {
        return near;
    }

    @Override
    public String far(final String command)
    {
        far.tell(command);
        return far.awaitAnswer(command);
    }

    @Override
    public boolean hasPeer()
    {
        return true;
    }

    @Override
    public int pollNear()
    {
        return near.endpoint().poll();
    }

    @Override
    public int stepFar()
    {
        return 0;
    }

    @Override
    public boolean tryKillFar()
    {
        isKilled = true;
        far.process.destroyForcibly();
        return true;
    }

    @Override
    public void close()
    {
        if (isClosed)
        {
            return;
        }
        isClosed = true;
        if (isKilled)
        {
            near.close();
            return;
        }
        boolean hasLeft = false;
        try
        {
            far.tell(FarProcess.LEAVE);
            hasLeft = "left".equals(far.awaitAnswer(FarProcess.LEAVE));
            assertTrue(hasLeft, "the far node did not leave");
        }
        finally
        {
            if (hasLeft)
            {
                spare = far;
            }
            else
            {
                far.process.destroyForcibly();
            }
            near.close();
        }
    }

    private static String classPath()
    {
        final String tests = System.getProperty("surefire.test.class.path");
        return tests == null ? System.getProperty("java.class.path") :
            String.join(File.pathSeparator, List.of(tests, System.getProperty("java.class.path")));
    }
}
