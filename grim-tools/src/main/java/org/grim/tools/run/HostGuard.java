// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.run;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import org.grim.GrimException;
import org.grim.buffer.Uninterrupted;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.grim.GrimException.Reason.TIMED_OUT;
import static org.grim.GrimException.Reason.UNREACHABLE;

/**
 * The shell of a host that signals the run's processes there, and cleans up when its standard input ends: also when
 * this process is killed.
 * <p>Thread: main; one of its own reads what the shell says. Owns: the shell.
 */
final class HostGuard
{
    private static final long READY_TIMEOUT_MS = 30_000;
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(1);
    /** Exit code of ssh. */
    private static final int UNREACHABLE_CODE = 255;

    private final RunPlan.Place place;
    private final Process process;
    private final Thread reader = new Thread(this::read, "grim-guard");
    private final LastLines lines = new LastLines();
    private volatile boolean isReady;

    private HostGuard(final RunPlan.Place place, final Process process)
    {
        this.place = place;
        this.process = process;
    }

    /** Starts the shell, which makes the directory and the key's file, and starts the host's media driver. */
    static HostGuard start(final RunPlan plan, final RunPlan.Place place)
    {
        final List<String> arguments = new ArrayList<>(List.of(place.directory(), plan.id(), place.driver()));
        arguments.addAll(plan.cleanUp());
        final ProcessBuilder builder = new ProcessBuilder(place.shell(ShellScripts.GUARD, arguments));
        final HostGuard guard = new HostGuard(place, RunPlan.launch(place, builder.redirectErrorStream(true)));
        guard.reader.setDaemon(true);
        guard.reader.start();
        guard.say(plan.key());
        return guard;
    }

    /** Waits until the host can take processes, or the run is interrupted. */
    void awaitReady(final BooleanSupplier isInterrupted)
    {
        await(() -> isReady || !process.isAlive() || isInterrupted.getAsBoolean(),
            System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(READY_TIMEOUT_MS));
        if (!process.isAlive())
        {
            throw new GrimException(UNREACHABLE, endSentence());
        }
        if (!isReady && !isInterrupted.getAsBoolean())
        {
            throw new GrimException(
                TIMED_OUT, "host=" + place.name() + " does not answer: waited=" + READY_TIMEOUT_MS + " ms");
        }
    }

    CompletableFuture<Process> onExit()
    {
        return process.onExit();
    }

    /** Returns a sentence about a shell that has ended too early. */
    String endSentence()
    {
        await(() -> !reader.isAlive(), System.nanoTime() + TimeUnit.SECONDS.toNanos(1));
        final int code = process.exitValue();
        final boolean isUnreachable = code == UNREACHABLE_CODE && !place.remote().isEmpty();
        return "host=" + place.name() + (isReady ? " is lost" : isUnreachable ? " cannot be reached" :
            " cannot be used") + ": exit code=" + code + (isUnreachable ? " of " + place.remote().get(0) : "") +
            lines.of(0).stream().map(line -> "; " + line).reduce("", String::concat);
    }

    /** Waits at most until a deadline. */
    static void await(final BooleanSupplier condition, final long deadlineNs)
    {
        while (!condition.getAsBoolean() && deadlineNs - System.nanoTime() > 0)
        {
            Uninterrupted.park(LOOK_NS);
        }
    }

    /** Says a word. A shell that takes none ends, if it has not ended: see {@link #onExit()}. */
    void say(final String word)
    {
        try
        {
            process.getOutputStream().write((word + "\n").getBytes(UTF_8));
            process.getOutputStream().flush();
        }
        catch (final IOException ex)
        {
            process.toHandle().destroy();           // Not the process: that closes what is still to be read.
        }
    }

    /** Has the shell clean up and end. */
    void end()
    {
        try
        {
            process.getOutputStream().close();
        }
        catch (final IOException ex)
        {
            process.toHandle().destroy();
        }
    }

    /** Returns whether the shell has ended in time, or never began. */
    boolean awaitEnd(final long deadlineNs)
    {
        await(() -> !isReady || !process.isAlive(), deadlineNs);
        final boolean hasEnded = !isReady || !process.isAlive();
        process.destroyForcibly();
        return hasEnded;
    }

    private void read()
    {
        try (BufferedReader input = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8)))
        {
            for (String line = input.readLine(); line != null; line = input.readLine())
            {
                if (line.equals(ShellScripts.READY))
                {
                    isReady = true;
                }
                else
                {
                    lines.add(0, line);
                }
            }
        }
        catch (final IOException ex)
        {
            lines.add(0, "its output cannot be read: " + ex.getMessage());
        }
    }
}
