// SPDX-License-Identifier: Apache-2.0
package org.grim.programs.campaign;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.grim.death.ShmDirectory;
import org.grim.programs.HttpClientMain;
import org.grim.programs.JettyServerMain;
import org.grim.programs.NettyServerMain;
import org.grim.programs.ZooKeeperClientMain;
import org.grim.programs.ZooKeeperServerMain;
import org.grim.sockets.observe.ConnectionReport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Programs of others of which one side names the provider and the other does not; for comparison both. The clients
 * check all answers.
 */
@Tag("process")
@Tag("long")
@Timeout(180)
final class OneSidedProgramsIT
{
    private static final String HOST = "127.0.0.1";
    private static final String PASSWORD = "changeit";
    private static final String STORE = "keys.p12";

    /** Otherwise each answer of the JDK's server takes 40 ms over TCP. */
    private static final String WITHOUT_DELAY = "-Dsun.net.httpserver.nodelay=true";

    private final Path directory = ShmDirectory.create();

    /** Server, client, and what both have as their last argument. */
    static Stream<Arguments> programs()
    {
        return Stream.of(
            Arguments.of(JdkServerMain.class, HttpClientMain.class, "http"),
            Arguments.of(JdkServerMain.class, HttpClientMain.class, "https"),
            Arguments.of(JettyServerMain.class, HttpClientMain.class, "http"),
            Arguments.of(NettyServerMain.class, HttpClientMain.class, "http"),
            Arguments.of(TomcatServerMain.class, HttpClientMain.class, "http"),
            Arguments.of(UndertowServerMain.class, HttpClientMain.class, "http"),
            Arguments.of(GrpcServerMain.class, GrpcClientMain.class, ""),
            Arguments.of(JeroMqServerMain.class, JeroMqClientMain.class, ""),
            Arguments.of(ZooKeeperServerMain.class, ZooKeeperClientMain.class, ""));
    }

    @AfterEach
    void deleteFiles()
    {
        ShmDirectory.delete(directory);
    }

    @ParameterizedTest
    @MethodSource("programs")
    void shouldServeClientsOverTcpWhenOnlyTheServerNamesTheProvider(
        final Class<?> server, final Class<?> client, final String scheme) throws Exception
    {
        final List<ConnectionReport> connections = meet(true, server, false, client, scheme);

        assertEquals(1, connections.size());
        assertTrue(connections.get(0).tcpCount() > 0, connections::toString);
        assertEquals(0, connections.get(0).grimCount());
    }

    @ParameterizedTest
    @MethodSource("programs")
    void shouldBeServedOverTcpWhenOnlyTheClientNamesTheProvider(
        final Class<?> server, final Class<?> client, final String scheme) throws Exception
    {
        final List<ConnectionReport> connections = meet(false, server, true, client, scheme);

        assertEquals(1, connections.size());
        assertTrue(connections.get(0).tcpCount() > 0, connections::toString);
        assertEquals(0, connections.get(0).grimCount());
    }

    @ParameterizedTest
    @MethodSource("programs")
    void shouldMeetOverGrimWhenBothNameTheProvider(
        final Class<?> server, final Class<?> client, final String scheme) throws Exception
    {
        final List<ConnectionReport> connections = meet(true, server, true, client, scheme);

        assertEquals(2, connections.size());
        assertTrue(connections.stream().allMatch(report -> report.grimCount() > 0 && report.tcpCount() == 0),
            connections::toString);
    }

    /** Returns when the client has had all its answers; both are there until then. */
    private List<ConnectionReport> meet(
        final boolean isServerGrim, final Class<?> server, final boolean isClientGrim, final Class<?> client,
        final String scheme) throws IOException, InterruptedException
    {
        final List<String> options = new ArrayList<>(isServerGrim && isClientGrim ? Program.ONLY_GRIM : List.of());
        options.add(WITHOUT_DELAY);
        if (scheme.equals("https"))
        {
            options.addAll(keys());
        }
        try (Program serving = new Program(isServerGrim, directory, options, server, HOST, scheme))
        {
            final String port = serving.readLine();
            Program.awaitJoined(directory, isServerGrim ? 1 : 0);
            try (Program asking = new Program(isClientGrim, directory, options, client, HOST, port, scheme))
            {
                final String line = asking.readLine();
                assertTrue(line.startsWith("received "), line);
                return Program.connections(directory);
            }
        }
    }

    /** Makes a key that both sides have, and trust. */
    private List<String> keys() throws IOException, InterruptedException
    {
        final String store = directory.resolve(STORE).toString();
        final Process keytool = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair",
            "-alias", "server", "-keyalg", "EC", "-dname", "CN=" + HOST, "-ext", "SAN=IP:" + HOST,
            "-storetype", "PKCS12", "-keystore", store, "-storepass", PASSWORD).inheritIO().start();
        assertTrue(keytool.waitFor(1, TimeUnit.MINUTES));
        assertEquals(0, keytool.exitValue());
        return List.of("-Djavax.net.ssl.keyStore=" + store, "-Djavax.net.ssl.keyStorePassword=" + PASSWORD,
            "-Djavax.net.ssl.trustStore=" + store, "-Djavax.net.ssl.trustStorePassword=" + PASSWORD);
    }
}
