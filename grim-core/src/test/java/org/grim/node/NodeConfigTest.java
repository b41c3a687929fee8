// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.buffer.OwnFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class NodeConfigTest
{
    @Test
    void shouldAcceptItsOwnDefaults()
    {
        final GrimConfig config = GrimConfig.load();

        assertEquals(2, settings(config).keys().channels().channelCount());
        assertEquals(64, settings(config).keys().nodeCountMax());
        assertEquals(10_000_000, settings(config).keys().livenessIntervalNs());
        assertEquals("node-" + ProcessHandle.current().pid(), config.nodeName());
        assertTrue(config.clusterDirectory().endsWith("default"));
    }

    @Test
    void shouldRefuseAnUnknownKey()
    {
        assertEquals("configuration keys=[grim.queue.slotcount] are unknown; nearest known key=grim.queue.slot-count",
            refusal("grim.queue.slotcount", 5));
    }

    @Test
    void shouldNameTheModuleOfKeysThatIsNotOnTheClassPath()
    {
        assertEquals("configuration keys=[grim.group.ring-length] are unknown; the module grim-groups has such keys, " +
            "and is not on the class path", refusal("grim.group.ring-length", 5));
        assertTrue(refusal("grim.grouped.a", 5).contains(" are unknown; nearest known key="));
    }

    /** Each key with each kind of bad value: see ConfigurationKeysTest of the Myrinet transport, which has all keys. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "grim.channels.host | 3 | grim.channels.host=3 is not a whole number from 1 to 2",
        "grim.queue.slot-count | 1000 | grim.queue.slot-count=1000 is not a power of two from 4 to 65536",
        "grim.queue.ring-length | 3000 | grim.queue.ring-length=3000 is not a power of two from 1024 to 67108864 bytes",
        "grim.poll.drain-limit | NaN | grim.poll.drain-limit=NaN is not a whole number from 1 to 65536",
        "grim.liveness.interval | soon | grim.liveness.interval=soon is not a time from 1000000 to 60000000000 ns",
        "grim.queue | 5 | grim.queue=5 is not a group of keys",
        "grim | 5 | grim=5 is not a group of keys",
        "grim..name | 5 | configuration key=grim..name or its value=5 is not of the form that a file would have",
        "node.name | metz | configuration keys=[node.name] are unknown; nearest known key=grim.node.name",
        "grim.transports.a | b | grim.transports={a=b} is not a list of up to 16 texts of 1 to 60 bytes of UTF-8, " +
            "none of them twice"})
    void shouldNameKeyValueAndLimit(final String path, final String value, final String text)
    {
        assertEquals(text, refusal(path, value));
    }

    @Test
    void shouldRefuseWhatIsNoValue()
    {
        assertEquals("grim.poll.drain-limit=null is not a whole number from 1 to 65536",
            refusal("grim.poll.drain-limit", null));
        assertEquals("grim.poll.drain-limit: a value of type java.lang.Object is no string, number, boolean or list " +
            "of these", refusal("grim.poll.drain-limit", new Object()));
    }

    /** A program in an environment of its own. */
    static final class Main
    {
        public static void main(final String[] arguments)
        {
            final PrintStream out =
                new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
            try
            {
                out.println(config("grim.cluster.directory", "/tmp/\u00fc").clusterDirectory());
            }
            catch (final IllegalArgumentException ex)
            {
                out.println(ex.getMessage());
            }
        }
    }

    @Test
    void shouldNameTheKeyWhenTheLocaleCannotWriteTheDirectory() throws Exception
    {
        final String text = output("LC_ALL", "C");

        assertTrue(text.startsWith("grim.cluster.directory=/tmp/"), text);
        assertTrue(text.contains("set LC_ALL=C.UTF-8"), text);
    }

    /** A key of the group that is set in code must not hide the file's value. */
    @ParameterizedTest
    @CsvSource({"grim,5", "grim.cluster,5", "grim,null", "grim.cluster,${grim.channels.count}"})
    void shouldRefuseAValueOfTheFileInThePlaceOfAGroup(
        final String path, final String value, @TempDir final Path directory) throws Exception
    {
        final Path file = Files.writeString(directory.resolve("g.conf"), path + " = " + value);

        assertEquals(path + "=" + (value.startsWith("$") ? "2" : value) + " is not a group of keys",
            output("GRIM_CONFIG", file.toString()).strip());
    }

    @Test
    void shouldReadKeysOfAFileBesideThoseInCode(@TempDir final Path directory) throws Exception
    {
        final Path file = Files.writeString(directory.resolve("g.conf"),
            "grim.cluster.name = ${grim.node.host}, grim.cluster.directory = ${nothing}");

        assertTrue(output("GRIM_CONFIG", file.toString()).strip().endsWith("/local"));
    }

    @Test
    void shouldRefuseAValueInThePlaceOfAGroupBesideKeysOfTheGroupInCode()
    {
        for (final String key : List.of("grim.node.name", "grim.queue.slot-count", "grim.a"))
        {
            final GrimConfig.Builder builder = GrimConfig.builder().set("grim", 5).set(key, 8);

            assertEquals("grim=5 is not a group of keys",
                assertThrows(IllegalArgumentException.class, builder::build).getMessage());
        }
        System.setProperty("grim.queue", "5");
        try
        {
            assertEquals("grim.queue=5 is not a group of keys", refusal("grim.queue.slot-count", 8));
        }
        finally
        {
            System.clearProperty("grim.queue");
        }
    }

    @Test
    void shouldTellUsersApartOfWhomTheSystemKnowsNoName()
    {
        final String before = System.setProperty("user.name", "?");
        try
        {
            assertEquals(Path.of("/dev/shm/grim-" + OwnFiles.userNumber() + "/default"),
                config("grim.cluster.directory", "").clusterDirectory());
        }
        finally
        {
            System.setProperty("user.name", before);
        }
    }

    @Test
    void shouldBlameTheKeyThatWasRaised()
    {
        final String text = assertThrows(
            IllegalArgumentException.class, () -> config("grim.message.length-max", "64MiB")).getMessage();

        assertTrue(text.startsWith("grim.message.length-max=67108864 exceeds grim.message.reassembly-length=33554432"),
            text);
    }

    @Test
    void shouldTakeListsElementByElement()
    {
        System.setProperty("grim.transports.0", "null");
        System.setProperty("grim.channels.weights.0", "3");
        System.setProperty("grim.channels.weights.1", "2");
        try
        {
            final GrimConfig config = GrimConfig.load();

            assertEquals(List.of("null"), config.transports());
            assertArrayEquals(new int[]{3, 2}, settings(config).keys().channels().weights());
            assertEquals(List.of("null"), config.toBuilder().build().transports());
            assertEquals(List.of("other"), config.toBuilder().transports("other").build().transports());
        }
        finally
        {
            System.clearProperty("grim.transports.0");
            System.clearProperty("grim.channels.weights.0");
            System.clearProperty("grim.channels.weights.1");
        }
    }

    @Test
    void shouldCountTheBytesOfNames()
    {
        assertEquals("é".repeat(30), GrimConfig.builder().nodeName("é".repeat(30)).build().nodeName());
        assertTrue(refusal("grim.node.name", "é".repeat(31)).contains(" is not a text of 0 to 60 bytes"));
    }

    @Test
    void shouldLetSystemPropertiesWinOverDefaultsAndTheBuilderOverBoth()
    {
        System.setProperty("grim.poll.drain-limit", "7");
        System.setProperty("grim.channels.count", "9");
        try
        {
            final GrimConfig config = GrimConfig.builder().set("grim.channels.count", 5).build();

            assertEquals(7, settings(config).keys().drainLimit());
            assertEquals(5, settings(config).keys().channels().channelCount());
        }
        finally
        {
            System.clearProperty("grim.poll.drain-limit");
            System.clearProperty("grim.channels.count");
        }
        assertEquals(32, settings(GrimConfig.load()).keys().drainLimit());
    }

    @Test
    void shouldStartFromAnotherConfiguration()
    {
        final GrimConfig first =
            GrimConfig.builder().nodeName("metz").set("grim.channels.weights", List.of(3, 1)).build();

        final GrimConfig second = first.toBuilder().transports("null").build();

        assertEquals("metz", second.nodeName());
        assertEquals(List.of("null"), second.transports());
        assertEquals(3, settings(second).keys().channels().weights()[0]);
    }

    @Test
    void shouldNameAnUnknownTransportAndLeaveNothing()
    {
        final String text = assertThrows(GrimException.class,
            () -> Grim.enable(GrimConfig.builder().transports("pigeon").build())).getMessage();

        assertTrue(text.startsWith("transport=pigeon is unknown: known=[null"), text);
    }

    private static String refusal(final String path, final Object value)
    {
        return assertThrows(IllegalArgumentException.class,
            () -> GrimConfig.builder().set(path, value).build()).getMessage();
    }

    private static String output(final String variable, final String value) throws Exception
    {
        final ProcessBuilder builder = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:-UsePerfData", "-cp",
            System.getProperty("java.class.path"), Main.class.getName()).redirectErrorStream(true);
        builder.environment().put("LC_ALL", "C.UTF-8");
        builder.environment().put(variable, value);
        final Process process = builder.start();
        final String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), text);
        return text;
    }

    private static NodeConfig settings(final GrimConfig config)
    {
        return new NodeConfig(config.settings(), config.errorHandler(), 0);
    }

    private static NodeConfig config(final String key, final String value)
    {
        return NodeConfig.of(Map.of(key, value), error ->
        {
        }, 0);
    }
}
