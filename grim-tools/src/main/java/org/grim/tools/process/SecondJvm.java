// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

import org.grim.GrimException;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.grim.GrimException.Reason.BAD_DATA;
import static org.grim.GrimException.Reason.SYSTEM_REFUSED;
import static org.grim.GrimException.Reason.TIMED_OUT;
import static org.grim.GrimException.Reason.UNAVAILABLE;

/**
 * A JVM of the same java, class path and flags as this one, that runs another (hidden) command. It ends when this
 * object is closed, when this process ends, and at Ctrl-C.
 * <p>Thread: any. Owns: the process.
 */
public final class SecondJvm implements AutoCloseable
{
    private static final String MAIN_CLASS = "org.grim.tools.cli.GrimCommand";
    /** Flags of the manifest of {@code grim.jar}, which counts only for {@code java -jar}. */
    private static final List<String> JAR_FLAGS = List.of("--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
        "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED", "--enable-native-access=ALL-UNNAMED");
    private static final String ERROR_PREFIX = "grim: ";
    private static final long READY_TIMEOUT_MS = 120_000;
    private static final long READY_POLL_INTERVAL_NS = 50_000;
    private static final long END_TIMEOUT_MS = 5_000;
    private static final long DRAIN_TIMEOUT_MS = 1_000;
    private static final long LOOK_MS = 100;

    private final Process process;
    private final String name;
    private final Runnable endAction = this::end;
    private final Thread errorReader;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private volatile boolean isReady;
    private volatile String lastWords = "";

    private SecondJvm(final Process process, final String name)
    {
        this.process = process;
        this.name = name;
        ShutdownActions.add(endAction);
        startReader("out", this::readOutput);
        errorReader = startReader("err", this::readErrors);
    }

    /**
     * Starts the process.
     *
     * @param name for texts.
     * @param args of the command line there.
     * @return the process, which may not be ready yet.
     * @throws GrimException if the system refuses.
     */
    public static SecondJvm start(final String name, final List<String> args)
    {
        return start(name, UnaryOperator.identity(), args);
    }

    /**
     * As {@link #start(String, List)}, elsewhere: what becomes of the command line is to end up as the same process.
     *
     * @param name  for texts.
     * @param place makes of a command line the one to run.
     * @param args  of the command line there.
     * @return the process, which may not be ready yet.
     * @throws GrimException if the system refuses.
     */
    public static SecondJvm start(final String name, final UnaryOperator<List<String>> place, final List<String> args)
    {
        try
        {
            final SecondJvm second = new SecondJvm(new ProcessBuilder(place.apply(command(args))).start(), name);
            if (isEnding())
            {
                // Nobody may look at the actions any more, and its files would stay.
                second.process.destroyForcibly();
                throw new GrimException(UNAVAILABLE, "interrupted while " + name + " was started");
            }
            return second;
        }
        catch (final IOException ex)
        {
            throw new GrimException(SYSTEM_REFUSED, "start of the second JVM failed: " + ex.getMessage(), ex);
        }
    }

    /**
     * Starts a process that runs a task.
     *
     * @param name for texts.
     * @param task to run.
     * @return the process, which may not be ready yet.
     * @throws GrimException if the system refuses.
     */
    public static SecondJvm start(final String name, final ChildTask task)
    {
        return start(name, UnaryOperator.identity(), task);
    }

    /** As {@link #start(String, ChildTask)}, elsewhere. */
    public static SecondJvm start(final String name, final UnaryOperator<List<String>> place, final ChildTask task)
    {
        return start(name, place, List.of(task.arguments()));
    }

    /**
     * Waits until the process says that it works.
     *
     * @param poll run over and over meanwhile: this node may keep the handler database that the other one asks.
     * @throws GrimException if it ends or does not get ready in time.
     */
    public void awaitReady(final Runnable poll)
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(READY_TIMEOUT_MS);
        while (!isReady)
        {
            requireAlive();
            if (System.nanoTime() - deadlineNs > 0)
            {
                throw new GrimException(TIMED_OUT, name + " is not ready: waited=" + READY_TIMEOUT_MS + " ms");
            }
            poll.run();
            LockSupport.parkNanos(READY_POLL_INTERVAL_NS);      // The JVM that starts needs the cores.
        }
    }

    /**
     * Checks that the process is there.
     *
     * @throws GrimException with its exit code and its last words if not.
     */
    public void requireAlive()
    {
        if (!process.isAlive())
        {
            throw new GrimException(BAD_DATA, describeEnd());
        }
    }

    /**
     * Says a line to the process, which answers it by {@link ParentWatch#answer}.
     *
     * @param line      one line.
     * @param timeoutMs longest wait for the answer.
     * @return the answer.
     * @throws GrimException if the process ends, with its last words, or does not answer in time.
     */
    public String ask(final String line, final long timeoutMs)
    {
        final long startNs = System.nanoTime();
        try
        {
            process.getOutputStream().write((line + "\n").getBytes(UTF_8));
            process.getOutputStream().flush();
            String answer = answers.poll(LOOK_MS, TimeUnit.MILLISECONDS);
            while (answer == null)
            {
                requireAlive();
                if (System.nanoTime() - startNs > TimeUnit.MILLISECONDS.toNanos(timeoutMs))
                {
                    throw new GrimException(
                        TIMED_OUT, name + " did not answer \"" + line + "\": waited=" + timeoutMs + " ms");
                }
                answer = answers.poll(LOOK_MS, TimeUnit.MILLISECONDS);
            }
            return answer;
        }
        catch (final IOException ex)
        {
            awaitEnd(END_TIMEOUT_MS);           // Its last words say more than a broken pipe does.
            throw new GrimException(BAD_DATA, name + " has ended before \"" + line + "\"", ex);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new GrimException(UNAVAILABLE, name + " was not waited for: interrupted", ex);
        }
    }

    /**
     * Returns whether this JVM ends, and takes its others with it: then no more may be started. True from the moment of
     * the signal.
     */
    public static boolean isEnding()
    {
        return ShutdownActions.isEnding();
    }

    /**
     * Waits for the end of a process that ends by itself.
     *
     * @param timeoutMs longest wait.
     * @throws GrimException if it ends with an error, or not in time.
     */
    public void awaitEnd(final long timeoutMs)
    {
        try
        {
            if (!process.waitFor(timeoutMs, TimeUnit.MILLISECONDS))
            {
                throw new GrimException(TIMED_OUT, name + " did not end: waited=" + timeoutMs + " ms");
            }
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new GrimException(UNAVAILABLE, name + " was not waited for: interrupted", ex);
        }
        if (process.exitValue() != 0)
        {
            throw new GrimException(BAD_DATA, describeEnd());
        }
    }

    private String describeEnd()
    {
        join(errorReader, DRAIN_TIMEOUT_MS);
        final int code = process.exitValue();
        return name + " (process " + process.pid() + ") ended with code " + code +
            (lastWords.isEmpty() ? "" : ": " + lastWords);
    }

    /** {@return whether the process has said that it works} */
    public boolean isReady()
    {
        return isReady;
    }

    /** {@return whether the process is there} */
    public boolean isAlive()
    {
        return process.isAlive();
    }

    /** {@return number of the process} */
    public long processId()
    {
        return process.pid();
    }

    /** Kills the process, which cannot do anything about it. Does not wait for its end. */
    public void kill()
    {
        process.destroyForcibly();
    }

    /** Ends the process: politely, then by force. */
    @Override
    public void close()
    {
        end();
        ShutdownActions.remove(endAction);
    }

    /**
     * Starts a process that has this one's input and output.
     *
     * @param args of the command line there.
     * @return the process, which nobody ends with this one.
     * @throws IOException if the system refuses.
     */
    public static Process inherit(final List<String> args) throws IOException
    {
        return new ProcessBuilder(command(args)).inheritIO().start();
    }

    /** The command line of a JVM like this one. */
    static List<String> command(final List<String> args)
    {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(inheritedFlags(ManagementFactory.getRuntimeMXBean().getInputArguments()));
        command.addAll(JAR_FLAGS);
        command.addAll(PrivatePaths.flags());
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(MAIN_CLASS);
        command.addAll(args);
        return command;
    }

    /** Flags that the other JVM takes over: all but agents, which two processes cannot share, and what tests add. */
    static List<String> inheritedFlags(final List<String> flags)
    {
        final List<String> inherited = new ArrayList<>();
        for (final String flag : flags)
        {
            if (!flag.startsWith("-javaagent") && !flag.startsWith("-agent") && !flag.startsWith("-Xrun") &&
                !flag.startsWith("-Dbuild.jar=") && !PrivatePaths.isFlag(flag))
            {
                inherited.add(flag);
            }
        }
        return inherited;
    }

    private Thread startReader(final String stream, final Runnable reader)
    {
        final Thread thread = new Thread(reader, "grim-" + name + "-" + stream);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void readOutput()
    {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8)))
        {
            for (String line = lines.readLine(); line != null; line = lines.readLine())
            {
                if (line.equals(ParentWatch.READY))
                {
                    isReady = true;
                }
                else if (line.startsWith(ParentWatch.ANSWER))
                {
                    answers.add(line.substring(ParentWatch.ANSWER.length()));
                }
            }
        }
        catch (final IOException ex)
        {
            lastWords = "its output cannot be read: " + ex.getMessage();
        }
    }

    /** Its error is reported by this process as its own, once; everything else passes through. */
    private void readErrors()
    {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(process.getErrorStream(), UTF_8)))
        {
            for (String line = lines.readLine(); line != null; line = lines.readLine())
            {
                if (line.startsWith(ERROR_PREFIX))
                {
                    lastWords = line.substring(ERROR_PREFIX.length());
                }
                else
                {
                    System.err.println(name + ": " + line);
                }
            }
        }
        catch (final IOException ex)
        {
            lastWords = "its errors cannot be read: " + ex.getMessage();
        }
    }

    private void end()
    {
        try
        {
            process.getOutputStream().close();
            if (!process.waitFor(END_TIMEOUT_MS, TimeUnit.MILLISECONDS))
            {
                process.destroyForcibly().waitFor(END_TIMEOUT_MS, TimeUnit.MILLISECONDS);
            }
        }
        catch (final IOException ex)
        {
            process.destroyForcibly();
        }
        catch (final InterruptedException ex)
        {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private static void join(final Thread thread, final long timeoutMs)
    {
        try
        {
            thread.join(timeoutMs);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }
}
