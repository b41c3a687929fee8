// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.UTF_8;

/** {@link PeerMain} or another program in a process of its own, started as users start their programs. */
final class PeerProcess implements AutoCloseable
{
    /** A program with this setting listens, and connects, when it has joined. */
    static final String ONLY = "-Dgrim.sockets.only.0=127.0.0.1:*";

    private static final String ADD_EXPORTS = "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED";

    private final Process process;
    private final BufferedReader output;
    private final String greeting;

    PeerProcess(final Path directory, final String... settings) throws IOException
    {
        this(command(directory, List.of(settings), PeerMain.class));
    }

    /** A process that prints one line when it is ready. */
    PeerProcess(final List<String> command) throws IOException
    {
        process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        output = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
        greeting = output.readLine();
    }

    /** Command line of a program, its arguments behind it. */
    static List<String> command(
        final Path directory, final List<String> settings, final Class<?> program, final String... args)
    {
        final List<String> command = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
            System.getProperty("java.class.path"), ADD_EXPORTS, "-ea",
            "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
            "-Djava.nio.channels.spi.SelectorProvider=" + GrimSelectorProvider.class.getName(),
            "-Dgrim.cluster.directory=" + directory, "-Dgrim.warm-up=0s", "-Dgrim.sockets.connect-timeout=10s"));
        command.addAll(settings);
        command.add(program.getName());
        command.addAll(List.of(args));
        return command;
    }

    /** {@return the first line that it printed} */
    String greeting()
    {
        return greeting;
    }

    /** {@return the next line that it prints; null at its end} */
    String readLine() throws IOException
    {
        return output.readLine();
    }

    /** {@return which class its selectors have} */
    String selectorName()
    {
        return greeting.substring(greeting.indexOf(' ') + 1);
    }

    InetSocketAddress address()
    {
        final int port = Integer.parseInt(greeting.substring(0, greeting.indexOf(' ')));
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    void kill() throws InterruptedException
    {
        process.destroyForcibly();
        process.waitFor(60, TimeUnit.SECONDS);
    }

    /** Ends it as programs end. */
    int end() throws IOException, InterruptedException
    {
        process.getOutputStream().close();
        return process.waitFor(60, TimeUnit.SECONDS) ? process.exitValue() : -1;
    }

    @Override
    public void close() throws IOException
    {
        process.destroyForcibly();
        output.close();
    }
}
