// SPDX-License-Identifier: Apache-2.0
package org.grim.example;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import org.grim.GrimConfig;
import org.grim.death.ShmDirectory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The files for containers, without containers: what they say fits together, and their commands run. */
@Tag("process")
@Timeout(180)
final class ContainersIT
{
    private static final String OPTIONS = "JAVA_TOOL_OPTIONS";
    private static final String MOUNT = "/grim";
    private static final String JAR = "/app/grim-examples.jar";

    @TempDir
    private Path logs;

    @Test
    void shouldTalkAsTheServicesOfTheComposeFile() throws Exception
    {
        final Object file = read("containers/compose.yaml").get(0);
        final Path shared = ShmDirectory.create();
        final List<Process> processes = new ArrayList<>();
        try
        {
            for (final String service : List.of("server", "client"))
            {
                assertEquals("10001:10001", at(file, "services", service, "user"));
                assertEquals(List.of("grim:" + MOUNT, "../target/grim-examples.jar:" + JAR + ":ro"),
                    at(file, "services", service, "volumes"));
                final List<String> command = new ArrayList<>();
                for (final Object word : (List<?>)at(file, "services", service, "command"))
                {
                    command.add(word.toString().replace(JAR, System.getProperty("java.class.path")));
                }
                command.set(0, Path.of(System.getProperty("java.home"), "bin", "java").toString());
                final ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectOutput(logs.resolve(service).toFile())
                    .redirectError(logs.resolve(service + ".err").toFile());
                builder.environment().put(OPTIONS,
                    at(file, "services", service, "environment", OPTIONS).toString().replace(MOUNT, shared.toString()));
                processes.add(builder.start());
            }
            for (final Process process : processes)
            {
                assertTrue(process.waitFor(120, TimeUnit.SECONDS), this::errors);
                assertEquals(0, process.exitValue(), this::errors);
            }
        }
        finally
        {
            processes.forEach(Process::destroyForcibly);
            ShmDirectory.delete(shared);
        }

        assertEquals("tea: 310 cents\nwater: 150 cents\n", Files.readString(logs.resolve("client")));
        assertEquals("local", at(file, "volumes", "grim", "driver"));
        assertEquals("tmpfs", at(file, "volumes", "grim", "driver_opts", "type"));
        assertEquals("size=512m,uid=10001,gid=10001,mode=0700", at(file, "volumes", "grim", "driver_opts", "o"));
    }

    @Test
    void shouldFitTogetherInTheStatefulSet() throws IOException
    {
        final List<Object> documents = read("containers/statefulset.yaml");
        final Object service = documents.get(0);
        final Object set = documents.get(1);
        final Object pod = at(set, "spec", "template", "spec");
        final Object container = ((List<?>)at(pod, "containers")).get(0);
        final String options = at(((List<?>)at(container, "env")).get(0), "value").toString();

        assertEquals("Service StatefulSet", at(service, "kind") + " " + at(set, "kind"));
        assertEquals(at(service, "metadata", "name"), at(set, "spec", "serviceName"));
        assertEquals("None", at(service, "spec", "clusterIP"));
        assertEquals(true, at(service, "spec", "publishNotReadyAddresses"));
        assertEquals("Parallel", at(set, "spec", "podManagementPolicy"));
        assertEquals(at(service, "spec", "selector"), at(set, "spec", "selector", "matchLabels"));
        assertEquals(at(service, "spec", "selector"), at(set, "spec", "template", "metadata", "labels"));
        assertEquals("Memory", at(((List<?>)at(pod, "volumes")).get(0), "emptyDir", "medium"));
        assertEquals(Map.of("name", "grim", "mountPath", MOUNT), ((List<?>)at(container, "volumeMounts")).get(0));
        assertTrue(options.contains("-Dgrim.cluster.directory=" + MOUNT + " "), options);
        assertTrue(options.contains("-Dgrim.cluster.size=" + at(set, "spec", "replicas") + " "), options);
        assertTrue(options.contains(".discovery.dns=" + at(service, "metadata", "name") + ".default.svc."), options);
        final GrimConfig.Builder config = GrimConfig.builder();
        // The launcher looks at the pod's own environment.
        Stream.of(options.split(" ", -1)).filter(option -> option.matches("-Dgrim\\.(?!launcher)[a-z.-]+=.*"))
            .forEach(option -> config.set(option.substring(2, option.indexOf('=')), option.split("=", 2)[1]));
        assertTrue(config.build().settings().containsKey("grim.network.discovery.dns"), options);
        assertPrintedByThePage(options);
    }

    /** The page of users prints the options that make pods one cluster. */
    private static void assertPrintedByThePage(final String options) throws IOException
    {
        final String page = Files.readString(find("docs/kubernetes.md"));
        final int begin = page.indexOf("```properties\n") + "```properties\n".length();
        for (final String option : page.substring(begin, page.indexOf("```", begin)).split("\\s+", -1))
        {
            assertTrue(option.isEmpty() || (" " + options + " ").contains(" " + option + " "), option);
        }
    }

    private static List<Object> read(final String file) throws IOException
    {
        final Iterable<Object> documents = new Yaml().loadAll(Files.readString(find("grim-examples/" + file)));
        return StreamSupport.stream(documents.spliterator(), false).toList();
    }

    private static Object at(final Object tree, final String... keys)
    {
        Object place = tree;
        for (final String key : keys)
        {
            place = ((Map<?, ?>)place).get(key);
            assertTrue(place != null, () -> "no " + String.join(".", keys));
        }
        return place;
    }

    private static Path find(final String file)
    {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.exists(directory.resolve(file)))
        {
            directory = directory.getParent();
        }
        return directory.resolve(file);
    }

    private String errors()
    {
        try (Stream<Path> files = Files.list(logs))
        {
            final StringBuilder text = new StringBuilder();
            for (final Path file : files.toList())
            {
                text.append(file).append('\n').append(Files.readString(file));
            }
            return text.toString();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
