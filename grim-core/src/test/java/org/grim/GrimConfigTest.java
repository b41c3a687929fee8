// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.Collections;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class GrimConfigTest
{
    @Test
    void shouldAcceptItsOwnDefaults()
    {
        final GrimConfig config = GrimConfig.load();

        assertEquals(2, config.channelCount());
        assertEquals(64, config.nodeCountMax());
        assertEquals(10_000_000, config.livenessIntervalNs());
        assertEquals("node-" + ProcessHandle.current().pid(), config.nodeName());
        assertEquals(0, config.firstPosition());
        assertTrue(config.clusterDirectory().endsWith("default"));
    }

    @Test
    void shouldRefuseAnUnknownKey()
    {
        assertEquals("configuration keys=[grim.queue.slotcount] are unknown; see reference.conf for those that are",
            refusal("grim.queue.slotcount", 5));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "grim.cluster.nodes-max | 0 | grim.cluster.nodes-max=0 is outside 1 to 4096",
        "grim.cluster.nodes-max | 4097 | grim.cluster.nodes-max=4097 is outside 1 to 4096",
        "grim.channels.count | 0 | is outside 1 to 256",
        "grim.channels.count | 257 | is outside 1 to 256",
        "grim.channels.host | 3 | grim.channels.host=3 is outside 1 to 2",
        "grim.queue.exclusive | 65 | is outside 0 to 64",
        "grim.queue.slot-count | 2 | slot-count=2 is outside 4 to 65536",
        "grim.queue.slot-count | 1000 | slot-count=1000 is not a power of two",
        "grim.queue.slot-length | 512 | slot-length=512 is outside 64 to 256",
        "grim.queue.ring-length | 128MiB | is outside 1024 to 67108864",
        "grim.queue.ring-length | 3000 | ring-length=3000 is not a power of two",
        "grim.memory.length-max | 1TiB | grim.memory.length-max=1099511627776 is outside 1 to 549755813888",
        "grim.memory.arena-length | 2GiB | grim.memory.arena-length=2147483648 is outside 1 to 1073741824",
        "grim.memory.regions-max | 0 | grim.memory.regions-max=0 is outside 1 to 65536",
        "grim.memory.initiators-max | 16385 | grim.memory.initiators-max=16385 is outside 1 to 16384",
        "grim.overflow.ceiling | -1 | grim.overflow.ceiling",
        "grim.poll.drain-limit | 0 | grim.poll.drain-limit=0 is outside 1 to 65536",
        "grim.poll.drain-limit | 65537 | is outside 1 to 65536",
        "grim.liveness.interval | 100us | is outside 1000000 to 60000000000",
        "grim.liveness.interval | 2m | is outside 1000000 to 60000000000",
        "grim.handlers.resolve-timeout | 2h | is outside 0 to 3600000000000",
        "grim.cluster.name | ../x | grim.cluster.name=../x is not 1 to 64 letters",
        "grim.cluster.name | .x | not beginning with '.'",
        "grim.poll.drain-limit | many | configuration is wrong: ",
        "grim.counters.file | perhaps | configuration is wrong: ",
        "grim.transports | shmem | configuration is wrong: ",
        "grim.queue | 5 | configuration is wrong: ",
        "grim.liveness.interval | soon | configuration is wrong: "})
    void shouldNameValueAndRange(final String path, final String value, final String text)
    {
        final String refusal = refusal(path, value);

        assertTrue(refusal.contains(text), refusal);
    }

    @Test
    void shouldCheckListsAndNames()
    {
        assertTrue(refusal("grim.node.devices", List.of()).contains("does not begin with host-cpu"));
        assertTrue(refusal("grim.node.devices", List.of("fpga")).contains("does not begin with host-cpu"));
        assertEquals("device kind=toaster is unknown", refusal("grim.node.devices", List.of("host-cpu", "toaster")));
        assertTrue(refusal("grim.node.devices", Collections.nCopies(17, "host-cpu"))
            .contains("count=17 exceeds max=16"));
        assertTrue(refusal("grim.channels.weights", List.of(1, 0)).contains("weight=0 is outside 1 to 1000"));
        assertTrue(refusal("grim.channels.weights", List.of(1001)).contains("weight=1001 is outside 1 to 1000"));
        assertTrue(refusal("grim.node.name", "x".repeat(61)).contains("length=61 bytes exceeds max=60"));
        assertEquals("é".repeat(30), GrimConfig.builder().nodeName("é".repeat(30)).build().nodeName());
    }

    @Test
    void shouldLetSystemPropertiesWinOverDefaultsAndTheBuilderOverBoth()
    {
        System.setProperty("grim.poll.drain-limit", "7");
        System.setProperty("grim.channels.count", "9");
        try
        {
            final GrimConfig config = GrimConfig.builder().set("grim.channels.count", 5).build();

            assertEquals(7, config.drainLimit());
            assertEquals(5, config.channelCount());
        }
        finally
        {
            System.clearProperty("grim.poll.drain-limit");
            System.clearProperty("grim.channels.count");
        }
        assertEquals(32, GrimConfig.load().drainLimit());
    }

    @Test
    void shouldStartFromAnotherConfiguration()
    {
        final GrimConfig first =
            GrimConfig.builder().nodeName("metz").set("grim.channels.weights", List.of(3, 1)).build();

        final GrimConfig second = first.toBuilder().transports("null").build();

        assertEquals("metz", second.nodeName());
        assertEquals(List.of("null"), second.transports());
        assertEquals(3, second.channelWeights()[0]);
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
}
