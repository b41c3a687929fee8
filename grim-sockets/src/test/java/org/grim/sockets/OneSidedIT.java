// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.grim.buffer.Uninterrupted;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import com.sun.net.httpserver.HttpServer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Programs of which one names the provider and the other does not: the JDK's HTTP server and client. */
@Timeout(180)
final class OneSidedIT
{
    private static final String ANSWERS =
        IntStream.range(0, 20).mapToObj(i -> "/" + i).collect(Collectors.joining());

    @TempDir
    private Path directory;

    @Test
    void shouldAnswerAClientOverTcpWhenOnlyTheServerNamesTheProvider() throws Exception
    {
        try (PeerProcess server = new PeerProcess(PeerProcess.command(directory, List.of(), HttpMain.class)))
        {
            assertEquals(ANSWERS, HttpMain.ask(server.address().getPort()));
        }
    }

    @Test
    void shouldAnswerAClientOverTcpWhenALibraryIsAnother() throws Exception
    {
        try (PeerProcess server = new PeerProcess(commandWithAnotherLibrary()))
        {
            assertEquals(ANSWERS, HttpMain.ask(server.address().getPort()));
        }
    }

    @Test
    void shouldSayThatItIsTcpWhereNothingIsLogged() throws Exception
    {
        awaitError(withoutLogging(commandWithAnotherLibrary()), "GRIM: all connections of this process are TCP: ");
    }

    private static List<String> withoutLogging(final List<String> command)
    {
        final int index = command.indexOf("-cp") + 1;
        command.set(index, Stream.of(command.get(index).split(File.pathSeparator))
            .filter(entry -> !entry.contains("slf4j-simple")).collect(Collectors.joining(File.pathSeparator)));
        return command;
    }

    @Test
    void shouldSayThatItStaysTcpWhereAFlagIsMissing() throws Exception
    {
        final List<String> command = withoutLogging(PeerProcess.command(directory, List.of(), HttpMain.class));
        command.removeIf(word -> word.contains("jdk.internal.misc"));

        awaitError(command, "GRIM: all connections of this process are TCP: the cluster cannot be joined: ");
    }

    @Test
    void shouldNotBeTcpWhereThatIsForbiddenInTheWrongForm() throws Exception
    {
        awaitError(PeerProcess.command(directory, List.of("-Dgrim.sockets.only=*:*"), HttpMain.class),
            "ConnectException");
    }

    private void awaitError(final List<String> command, final String part) throws IOException
    {
        final Path errors = directory.resolve("errors");
        final Process server = new ProcessBuilder(command).redirectError(errors.toFile()).start();
        try
        {
            while (!Files.readString(errors).contains(part))
            {
                assertTrue(server.isAlive() || Files.readString(errors).contains(part), Files.readString(errors));
                Uninterrupted.park(1_000_000);
            }
        }
        finally
        {
            server.destroyForcibly();
        }
    }

    /** An older version, which lacks a method: an Error. */
    private List<String> commandWithAnotherLibrary() throws IOException
    {
        final Path classFile = directory.resolve("classes/org/agrona/collections/Int2ObjectHashMap.class");
        Files.createDirectories(classFile.getParent());
        Files.write(classFile, new byte[] {1});
        final List<String> command = PeerProcess.command(directory, List.of(), HttpMain.class);
        final int index = command.indexOf("-cp") + 1;
        command.set(index, directory.resolve("classes") + File.pathSeparator + command.get(index));
        return command;
    }

    @Test
    void shouldBeAnsweredOverTcpWhenOnlyTheClientNamesTheProvider() throws Exception
    {
        final HttpServer server = HttpMain.serve();
        try (PeerProcess client = new PeerProcess(PeerProcess.command(
            directory, List.of(), HttpMain.class, Integer.toString(server.getAddress().getPort()))))
        {
            assertEquals(ANSWERS, client.greeting());
        }
        finally
        {
            server.stop(0);
        }
    }
}
