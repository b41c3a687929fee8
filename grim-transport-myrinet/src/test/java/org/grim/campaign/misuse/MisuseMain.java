// SPDX-License-Identifier: Apache-2.0
package org.grim.campaign.misuse;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.grim.Grim;
import org.grim.GrimConfig;

/**
 * One JVM of misuse: some threads call any public method, for some seconds. Then, by the seed, all nodes are closed
 * while the threads go on, and their remains are searched; or the JVM exits while they go on, and a shutdown hook
 * misuses and closes the nodes.
 */
public final class MisuseMain
{
    /** Exit status: a call did not return. */
    static final int HUNG = 3;
    /** Exit status: findings, which standard output reports. */
    static final int FOUND = 4;
    /** First word of lines that say what was called so far. */
    static final String CALLED = "CALLED ";

    private static final int THREAD_COUNT = 4;
    private static final long WATCH_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int WATCH_COUNT_MAX = 100;
    private static final int TELL_INTERVAL = 5;
    private static final long HOOK_NS = TimeUnit.MILLISECONDS.toNanos(300);

    private final PrintStream output =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    private final Findings findings = new Findings(output);
    private final List<Caller> callers = new ArrayList<>();
    private final Sandbox sandbox;
    private final Leaks leaks;
    private final long seed;
    private volatile String mainNow = "";

    private MisuseMain(final Path directory, final long seed) throws NoSuchMethodException
    {
        this.seed = seed;
        sandbox = new Sandbox(directory, findings);
        leaks = new Leaks(directory);
    }

    /**
     * Runs.
     *
     * @param arguments directory, seed, milliseconds.
     */
    public static void main(final String[] arguments) throws NoSuchMethodException
    {
        final Path directory = Path.of(arguments[0]);
        warmUp(directory);
        new MisuseMain(directory, Long.parseLong(arguments[1])).run(Long.parseLong(arguments[2]));
    }

    /** Classes and threads that come with the first node, and stay. */
    private static void warmUp(final Path directory)
    {
        final GrimConfig first = Settings.small(directory).nodeName("first")
            .set("grim.transports", List.of("shmem", "myrinet")).build();
        try (Grim grim = Grim.enable(first))
        {
            grim.endpoint().poll();
        }
    }

    private void run(final long durationMs)
    {
        final List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREAD_COUNT; i++)
        {
            final Caller caller = new Caller(sandbox, seed * THREAD_COUNT + i);
            callers.add(caller);
            threads.add(new Thread(caller, "caller-" + i));
        }
        final Thread watch = new Thread(this::watch, "watch");
        watch.setDaemon(true);
        watch.start();
        final boolean isByHook = seed % 2 != 0;
        if (isByHook)
        {
            Runtime.getRuntime().addShutdownHook(new Thread(this::hook, "hook"));
        }
        threads.forEach(Thread::start);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(durationMs));
        if (isByHook)
        {
            mainNow = "exit";
            System.exit(0);
        }
        mainNow = "close of all nodes";
        sandbox.closeAll();
        mainNow = "";
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
        sandbox.isStopped = true;
        mainNow = "end of the callers";
        threads.forEach(MisuseMain::join);
        mainNow = "";
        sandbox.pool.clear();
        callers.clear();
        threads.clear();
        watch.interrupt();
        join(watch);
        final Set<String> left = leaks.await();
        left.forEach(what -> findings.add("left " + what.replaceAll("\\d+", "#"), null));
        if (!left.isEmpty())
        {
            output.println("left: " + left + "\nreachable:\n " + Leaks.reachable());
        }
        end();
    }

    private void hook()
    {
        final Caller caller = new Caller(sandbox, seed * THREAD_COUNT + THREAD_COUNT);
        callers.add(caller);
        final long deadlineNs = System.nanoTime() + HOOK_NS;
        while (System.nanoTime() - deadlineNs < 0)
        {
            caller.step();
        }
        sandbox.closeAll();
        reportCalled();
        if (findings.count() > 0)
        {
            Runtime.getRuntime().halt(FOUND);
        }
    }

    private void end()
    {
        reportCalled();
        Runtime.getRuntime().halt(findings.count() > 0 ? FOUND : 0);
    }

    private void reportCalled()
    {
        output.println(CALLED + findings.callCount() + " " + String.join(" ", findings.called()));
    }

    /** Ends the process when a thread has been in one call for 10 s; time in which the machine stood is no time. */
    private void watch()
    {
        final List<long[]> seen = new ArrayList<>();
        int round = 0;
        while (!Thread.interrupted())
        {
            LockSupport.parkNanos(WATCH_INTERVAL_NS);
            round++;
            if (round % TELL_INTERVAL == 0)
            {
                reportCalled();               // A crash would take it along.
            }
            for (int i = 0; i <= callers.size(); i++)
            {
                if (seen.size() <= i)
                {
                    seen.add(new long[]{0, 0});
                }
                final boolean isMain = i == callers.size();
                final long count = isMain ? mainNow.hashCode() : callers.get(i).count();
                final String now = isMain ? mainNow : callers.get(i).now();
                final long[] last = seen.get(i);
                last[1] = count == last[0] && !now.isEmpty() ? last[1] + 1 : 0;
                last[0] = count;
                if (last[1] > WATCH_COUNT_MAX)
                {
                    reportHung(now);
                }
            }
        }
    }

    private void reportHung(final String now)
    {
        final StringBuilder text = new StringBuilder(Findings.MARK + "hung: " + now);
        Thread.getAllStackTraces().forEach((thread, frames) ->
        {
            text.append("\n ").append(thread.getName()).append(' ').append(thread.getState());
            List.of(frames).forEach(frame -> text.append("\n    ").append(frame));
        });
        output.println(text);
        Runtime.getRuntime().halt(HUNG);
    }

    private static void join(final Thread thread)
    {
        boolean isOver = false;
        while (!isOver)
        {
            try
            {
                thread.join();
                isOver = true;
            }
            catch (final InterruptedException ex)
            {
                LockSupport.parkNanos(1_000_000);
            }
        }
    }
}
