// SPDX-License-Identifier: Apache-2.0
package org.example;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.Link;
import org.grim.MemoryRegion;
import org.grim.RemoteRegion;
import org.grim.death.PeerJvm;
import org.grim.death.ShmDirectory;
import org.grim.pages.ExampleCompiler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The programs of README and of the pages as a newcomer runs them: in an empty Maven project, whose local repository is
 * empty, with the coordinates that the pages print.
 */
@Tag("process")
final class PagesIT
{
    private static final String GUIDE = "docs/guide.md";
    private static final int README_LINE_COUNT_MAX = 10;
    private static final int CLIENT_LINE_COUNT_MAX = 25;
    private static final int STREAMER_LINE_COUNT_MAX = 60;
    private static final long DEADLINE_S = 120;
    private static final String VERSION = System.getProperty("build.version");
    private static final String SETTINGS = """
        <settings>
            <mirrors>
                <mirror><id>built</id><mirrorOf>central</mirrorOf><url>%s</url></mirror>
            </mirrors>
            <profiles>
                <profile>
                    <id>grim</id>
                    <repositories>
                        <repository><id>grim</id><url>%s</url></repository>
                    </repositories>
                </profile>
            </profiles>
            <activeProfiles><activeProfile>grim</activeProfile></activeProfiles>
        </settings>
        """;

    /** Main method around the blocks of the guide that are no classes. */
    private static final String ONE_NODE = """
        import java.nio.channels.Selector;
        import java.time.Duration;
        import org.agrona.concurrent.UnsafeBuffer;
        import org.grim.*;
        public class OneNode
        {
            public static void main(String[] args) throws Exception
            {
                try (Grim grim = Grim.enable("one"); Selector selector = Selector.open())
                {
                    HandlerId handler = grim.handlers().register("length", message ->
                        System.out.println("length=" + message.length()));
                    grim.start();
                    Endpoint endpoint = grim.endpoint();
                    Link link = endpoint.link(grim.node());
                    UnsafeBuffer buffer = new UnsafeBuffer(new byte[100_000]);
                    int length = buffer.capacity();
                    {%s}
                    grim.run(Duration.ofSeconds(60));
                }
            }
        }
        """;
    private static final String MEMBER = """
        import java.time.Duration;
        import org.agrona.concurrent.UnsafeBuffer;
        import org.grim.*;
        import org.grim.group.*;
        import org.grim.group.Reduction.*;
        public class Member
        {
            public static void main(String[] args)
            {
                try (Grim grim = Grim.enable(args[0]))
                {
                    grim.start();
                    UnsafeBuffer source = new UnsafeBuffer(new byte[8_000]);
                    UnsafeBuffer target = new UnsafeBuffer(new byte[8_000]);
                    source.putLong(7_992, 21);
        %s
                    System.out.println(status + " " + target.getLong(7_992));
                    grim.run(Duration.ofSeconds(60));
                }
            }
        }
        """;
    private static final String ECHO = """
        import java.net.InetSocketAddress;
        import java.nio.ByteBuffer;
        import java.nio.channels.*;
        public class Echo
        {
            public static void main(String[] args) throws Exception
            {
                try (ServerSocketChannel server = ServerSocketChannel.open())
                {
                    server.bind(new InetSocketAddress("127.0.0.1", 0));
                    try (SocketChannel client = SocketChannel.open(server.getLocalAddress());
                        SocketChannel accepted = server.accept())
                    {
                        client.write(ByteBuffer.wrap(new byte[5]));
                        int length = accepted.read(ByteBuffer.allocate(9));
                        System.out.println(length + " bytes by " + client.provider().getClass().getName());
                    }
                }
            }
        }
        """;

    @TempDir
    Path project;
    private final Path clusters = ShmDirectory.create();

    @AfterEach
    void deleteDirectory()
    {
        ShmDirectory.delete(clusters);
    }

    @Test
    void shouldRunTheProgramOfTheReadme() throws IOException, InterruptedException
    {
        final String lines = only("README.md", "java");
        assertTrue(lines.lines().count() <= README_LINE_COUNT_MAX, lines);
        final String classPath = resolve(only("README.md", "xml"));
        compile("Metz", lines, classPath);
        compile("Nancy", lines.replace("metz", "#").replace("nancy", "metz").replace("#", "nancy"), classPath);

        assertPrinted(Map.of("Metz", List.of("hello from nancy"), "Nancy", List.of("hello from metz")), Map.of(
            "Metz", start("Metz", classPath, "", clusters), "Nancy", start("Nancy", classPath, "", clusters)));
    }

    @Test
    void shouldRunTheProgramOfTwoHosts() throws IOException, InterruptedException
    {
        final String page = "docs/clusters.md";
        final String classPath = resolve(only("README.md", "xml").replace("    </dependencies>",
            ExampleCompiler.blocks(page, "xml").get(0) + "    </dependencies>"));
        compile("Member", ExampleCompiler.blocks(page, "java").get(0), classPath);
        final String left = only(page, "hocon").replace("10.0.0.1", "127.0.0.2").replace("10.0.0.2", "127.0.0.3");
        final String right = left.replaceFirst("\"left\"", "\"right\"")
            .replaceFirst("bind = \"127.0.0.2", "bind = \"127.0.0.3");
        final List<String> lines = List.of(" on left", " on right");

        assertPrinted(Map.of("left", lines, "right", lines), Map.of(
            "left", start("Member", classPath, left, Files.createDirectory(clusters.resolve("left"))),
            "right", start("Member", classPath, right, Files.createDirectory(clusters.resolve("right")))));
    }

    @Test
    void shouldRunTheClientOfRequests() throws IOException, InterruptedException
    {
        final String client = program("PriceClient");
        assertTrue(client.lines().count() <= CLIENT_LINE_COUNT_MAX, client);
        ExampleCompiler.assertCompiles(client, project);
        try (Grim server = Grim.enable(
            GrimConfig.builder().nodeName("server").directory(clusters).transports("shmem").build()))
        {
            server.handlers().register("price", message -> message.reply(message.text() + " costs 42"));
            server.start();
            server.startPolling();

            assertPrinted(Map.of("client", List.of("tea costs 42")),
                Map.of("client", start("PriceClient", testClassPath(), "", clusters, "tea")));
        }
    }

    @Test
    void shouldStreamFramesBetweenTwoPrograms() throws IOException, InterruptedException
    {
        final String sink = program("FrameSink");
        final String source = program("FrameSource");
        assertTrue(sink.lines().count() + source.lines().count() <= STREAMER_LINE_COUNT_MAX, sink + source);
        ExampleCompiler.assertCompiles(sink, project);
        ExampleCompiler.assertCompiles(source, project);

        assertPrinted(Map.of("sink", List.of("1048576: 0\n", "1048576: 99\n"), "source", List.of()), Map.of(
            "sink", start("FrameSink", testClassPath(), "", clusters),
            "source", start("FrameSource", testClassPath(), "", clusters)));
    }

    @Test
    void shouldCountInTheMemoryOfAPeer() throws IOException, InterruptedException
    {
        ExampleCompiler.assertCompiles(program("FarCounter"), project);
        final Node counter = start("FarCounter", testClassPath(), "", clusters);
        try (Grim peer = Grim.enable(
            GrimConfig.builder().nodeName("peer").directory(clusters).transports("shmem").build()))
        {
            peer.start();
            final MemoryRegion region = peer.endpoint().memory().register(4096);
            region.buffer().putLong(0, 41);
            final UnsafeBuffer name = new UnsafeBuffer(new byte[RemoteRegion.LENGTH]);
            region.remote().writeTo(name, 0);
            final Link link = peer.endpoint().link(peer.awaitNode("counter", Duration.ofSeconds(DEADLINE_S)));
            link.sendBlocking(peer.handlers().resolve("far-counter.region"), 0, 0, 0, 0, name, 0, RemoteRegion.LENGTH,
                peer.endpoint().idleStrategy());
            final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_S);
            while (region.buffer().getIntVolatile(4092) != 1 && System.nanoTime() - deadlineNs < 0)
            {
                peer.endpoint().poll();
            }

            assertEquals(42, region.buffer().getLong(0), () -> "count of " + counter);
            assertPrinted(Map.of("counter", List.of()), Map.of("counter", counter));
        }
    }

    @Test
    void shouldRunTheLinesOfTheGuide() throws IOException, InterruptedException
    {
        final List<String> lines = ExampleCompiler.blocks(GUIDE, "java").stream()
            .filter(block -> !block.contains("class ")).toList();
        assertEquals(3, lines.size(), lines::toString);
        ExampleCompiler.assertCompiles(ONE_NODE.formatted(String.join("}\n{", lines)), project);

        assertPrinted(Map.of("one", List.of("length=8\n", "length=100000\n")),
            Map.of("one", start("OneNode", testClassPath(), "", clusters)));
    }

    @Test
    void shouldAddUpInAGroup() throws IOException, InterruptedException
    {
        ExampleCompiler.assertCompiles(MEMBER.formatted(patient(only("docs/groups.md", "java"))), project);
        final List<String> line = List.of("DONE 42");

        assertPrinted(Map.of("left", line, "right", line), Map.of(
            "left", start("Member", testClassPath(), "", clusters, "left"),
            "right", start("Member", testClassPath(), "", clusters, "right")));
    }

    @Test
    void shouldStartAProgramOfSocketsByTheLineOfThePage() throws IOException, InterruptedException
    {
        ExampleCompiler.assertCompiles(ECHO, project);
        final String line = only("docs/sockets.md", "sh").replace("app.jar:grim/*", testClassPath())
            .replace("com.example.Main", "-Dgrim.sockets.only.0=*:* -Dgrim.cluster.directory=" + clusters + " Echo");

        assertPrinted(Map.of("echo", List.of("5 bytes by org.grim.sockets.GrimSelectorProvider")),
            Map.of("echo", start(List.of("sh", "-c", line), "")));
    }

    @Test
    void shouldJoinWithTheOptionsOfThePod() throws IOException, InterruptedException
    {
        final String manifest = only("docs/kubernetes.md", "yaml");
        final String options = manifest.substring(manifest.indexOf(">-\n") + 3, manifest.indexOf("resources:"))
            .strip().replaceAll("\\s+", " ");
        assertTrue(manifest.contains("mountPath: /grim }"), manifest);
        assertTrue(options.endsWith("-Dgrim.cluster.directory=/grim"), options);
        compile("Metz", only("README.md", "java").replace("\"nancy\"", "\"metz\""), testClassPath());
        final String command = options.replace("=/grim", "=" + clusters) + " -cp " + testClassPath() + " Metz";

        assertPrinted(Map.of("metz", List.of("hello from metz")),
            Map.of("metz", start(List.of("sh", "-c", "exec java " + command), "")));
    }

    @Test
    void shouldKnowTheKeysOfSeveralPods() throws IOException, InterruptedException
    {
        compile("Pods", "GrimConfig.load().settings().forEach((key, value) -> System.out.println(key + '=' + value));",
            testClassPath());
        final String command = "export HOSTNAME=video-2; exec java " +
            only("docs/kubernetes.md", "properties").replace('\n', ' ') + "-cp " + testClassPath() + " Pods";

        assertPrinted(Map.of("pods", List.of("grim.launcher=statefulset\n", "grim.cluster.size=3\n",
            "grim.network.discovery.dns=video.default.svc.cluster.local\n", "grim.transports=[shmem, aeron]\n")),
            Map.of("pods", start(List.of("sh", "-c", command), "")));
    }

    private String testClassPath()
    {
        return System.getProperty("java.class.path") + ":" + project;
    }

    /** The program of a name in the guide. */
    private static String program(final String name) throws IOException
    {
        return ExampleCompiler.blocks(GUIDE, "java").stream()
            .filter(block -> block.contains("class " + name)).findFirst().map(PagesIT::patient).orElseThrow();
    }

    private static String only(final String page, final String language) throws IOException
    {
        final List<String> blocks = ExampleCompiler.blocks(page, language);
        assertEquals(1, blocks.size(), () -> "blocks of " + language + " in " + page);
        return blocks.get(0);
    }

    private void compile(final String name, final String lines, final String classPath) throws IOException
    {
        ExampleCompiler.assertCompiles("import java.time.Duration;\nimport org.grim.*;\npublic class " + name +
            "\n{\npublic static void main(final String[] args)\n{\n" + patient(lines) + "}\n}\n", project, classPath);
    }

    /** Pages have times of a machine that is not busy. */
    private static String patient(final String program)
    {
        return program.replaceAll("Duration\\.ofSeconds\\([0-9]+\\)", "Duration.ofSeconds(60)");
    }

    /** The class path that Maven makes of a project, of which nothing was fetched before. */
    private String resolve(final String pom) throws IOException, InterruptedException
    {
        Files.writeString(project.resolve("pom.xml"), pom);
        final Path settings = Files.writeString(project.resolve("settings.xml"), SETTINGS.formatted(
            Path.of(System.getProperty("build.repository")).toUri(), publish().toUri()));
        final Path output = project.resolve("maven.txt");
        final Process maven = new ProcessBuilder(
            Path.of(System.getProperty("build.maven"), "bin", "mvn").toString(), "-B", "-q", "-s", settings.toString(),
            "-Dmaven.repo.local=" + project.resolve("repository"), "-Dmdep.outputFile=class-path",
            "org.apache.maven.plugins:maven-dependency-plugin:" + System.getProperty("build.dependencyPlugin") +
            ":build-classpath").directory(project.toFile()).redirectErrorStream(true).redirectOutput(output.toFile())
            .start();
        try
        {
            assertTrue(maven.waitFor(DEADLINE_S, TimeUnit.SECONDS), "endless");
            assertEquals(0, maven.exitValue(), Files.readString(output));
        }
        finally
        {
            maven.destroyForcibly().waitFor();
        }
        return Files.readString(project.resolve("class-path")).strip() + ":" + project;
    }

    /** A repository with what this build has made so far. */
    private Path publish() throws IOException
    {
        final Path root = ExampleCompiler.find("grim-bom").getParent();
        final Path published = Files.createDirectory(project.resolve("published"));
        publish(published, "grim-parent", root.resolve("pom.xml"), "pom");
        try (Stream<Path> modules = Files.list(root))
        {
            for (final Path module : modules.filter(path -> Files.exists(path.resolve("pom.xml"))).toList())
            {
                final String name = module.getFileName().toString();
                final Path jar = module.resolve("target").resolve(name + "-" + VERSION + ".jar");
                if (Files.exists(jar))
                {
                    publish(published, name, jar, "jar");
                    publish(published, name, module.resolve("pom.xml"), "pom");
                }
            }
        }
        return published;
    }

    private static void publish(final Path repository, final String name, final Path file, final String type)
        throws IOException
    {
        final Path directory = Files.createDirectories(repository.resolve("org/grim").resolve(name).resolve(VERSION));
        Files.copy(file, directory.resolve(name + "-" + VERSION + "." + type));
    }

    private Node start(
        final String main, final String classPath, final String settings, final Path directory,
        final String... arguments) throws IOException
    {
        final List<String> command = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), PeerJvm.OPEN_FLAG,
            "-Dgrim.cluster.directory=" + directory, "-Dgrim.handlers.resolve-timeout=60s", "-cp", classPath, main));
        command.addAll(List.of(arguments));
        return start(command, settings);
    }

    private Node start(final List<String> command, final String settings) throws IOException
    {
        final Path output = Files.createTempFile(project, "output", ".txt");
        final ProcessBuilder builder =
            new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        if (!settings.isEmpty())
        {
            final Path file = Files.writeString(Files.createTempFile(project, "settings", ".conf"), settings);
            builder.environment().put("GRIM_CONFIG", file.toString());
        }
        return new Node(builder.start(), output);
    }

    private static void assertPrinted(final Map<String, List<String>> lines, final Map<String, Node> nodes)
        throws IOException, InterruptedException
    {
        try
        {
            for (final Map.Entry<String, Node> node : nodes.entrySet())
            {
                node.getValue().assertPrints(lines.get(node.getKey()));
            }
        }
        finally
        {
            nodes.values().forEach(node -> node.process().destroyForcibly().onExit().join());
        }
    }

    /** A process of a page, and the file that it prints to. */
    private record Node(Process process, Path output)
    {
        void assertPrints(final List<String> lines) throws IOException, InterruptedException
        {
            final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_S);
            while (!hasAll(lines) && process.isAlive() && System.nanoTime() - deadlineNs < 0)
            {
                Thread.sleep(20);
            }
            assertTrue(hasAll(lines), Files.readString(output));
        }

        private boolean hasAll(final List<String> lines) throws IOException
        {
            final String text = Files.readString(output);
            return lines.stream().allMatch(text::contains);
        }
    }
}
