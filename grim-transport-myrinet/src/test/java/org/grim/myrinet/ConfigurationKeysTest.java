// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

import org.grim.GrimConfig;
import org.grim.myrinet.injection.InjectionPlan;
import org.grim.transport.Settings;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Every key of every module, each with bad values of each kind: the refusal names key, value and limit. */
final class ConfigurationKeysTest
{
    private static final String LONG = "x".repeat(10_000);
    private static final int REFUSAL_LENGTH_MAX = 400;
    private static final List<Object> NO_TEXT = List.of(List.of("a", "b"), Map.of("a", 1), "a\u0000b", "a\u001b[2Jb",
        "a\u202eb", LONG);
    private static final List<Object> NO_WORD = with(NO_TEXT, "", "NaN", "perhaps", 7);
    private static final List<Object> NO_NUMBER = with(NO_TEXT, "", "many", Double.NaN, Double.POSITIVE_INFINITY, 2.5,
        "NaN", "-Infinity", true);
    private static final List<Object> NO_LIST = List.of(7, true, "shmem", "a\u0000b", LONG, Map.of("a", "b"));

    private static final Map<String, Key> KEYS = new TreeMap<>();

    static
    {
        text("grim.node.name", "0 to 60 bytes");
        text("grim.node.host", "1 to 60 bytes", "");
        text("grim.cluster.directory", "0 to 4095 bytes");
        text("grim.cluster.name", "64 letters, digits", "", "../x", ".x", "a b");
        text("grim.myrinet.board", "0 to 60 bytes");
        text("grim.myrinet.injection.file", "0 to 4095 bytes");
        word("grim.myrinet.firmware", "auto, duty-cycle, thread");
        word("grim.myrinet.arrival.mode", "tail-flag, queue-pointer");
        word("grim.myrinet.translation", "duty-cycle, thread");
        word("grim.myrinet.injection.mechanism", "auto, word-stores");
        word("grim.counters.file", "true or false");
        word("grim.node.mxbean", "true or false");
        word("grim.group.ni-multicast", "true or false");
        word("grim.myrinet.pin", "true or false");
        list("grim.transports", "16 texts of 1 to 60 bytes", List.of(""), List.of("null", "null"));
        list("grim.channels.weights", "256 whole numbers from 1 to 1000", List.of(1, 0), List.of(1001),
            List.of(Double.NaN), List.of("NaN"), List.of(1.5), Collections.nCopies(257, 1));
        number("grim.cluster.nodes-max", "1 to 4096", 0, 4097);
        number("grim.cluster.size", "0 to 64", -1, 65);
        number("grim.channels.count", "1 to 256", 0, 257);
        number("grim.channels.host", "1 to 2", 0, 3);
        number("grim.group.eager-length", "0 to 32768 bytes", -1, "33KiB");
        number("grim.group.ring-length", "0 to 2147483647 bytes", -1, "3GiB");
        number("grim.group.in-place-length", "0 to 2147483647 bytes", -1, "3GiB");
        number("grim.group.outbox-length", "0 to 67108864 bytes", -1, "65MiB");
        number("grim.ni.reserved-length", "0 to 67108864 bytes", -1, "65MiB");
        number("grim.queue.exclusive", "0 to 64", -1, 65);
        number("grim.queue.shared", "0 to 60", -1, 65, 61);
        number("grim.queue.slot-count", "4 to 65536", 2, 131072, 1000);
        number("grim.queue.slot-length", "64 to 256 bytes", 32, 512, 65);
        number("grim.queue.ring-length", "1024 to 67108864 bytes", 512, "128MiB", 3000);
        number("grim.queue.frame-count", "1 to 65536", 0, 65537);
        number("grim.queue.frame-length", "64 to 131072 bytes", 0, "129KiB", 100);
        number("grim.memory.length-max", "1 to 549755813888 bytes", 0, "1TiB");
        number("grim.memory.arena-length", "1 to 1073741824 bytes", 0, "2GiB");
        number("grim.memory.regions-max", "1 to 65536", 0, 65537);
        number("grim.memory.initiators-max", "1 to 16384", 0, 16385);
        number("grim.overflow.ceiling", "0 to 1099511627776 bytes", -1, "2TiB");
        number("grim.message.length-max", "65504 to 2147483647 bytes", 65503, "2GiB");
        number("grim.message.reassembly-length", "65504 to 1099511627776 bytes", "1KiB", "2TiB");
        number("grim.message.outbox-length", "0 to 1099511627776 bytes", -1, "2TiB");
        number("grim.message.in-place-min", "1 to 2147483647 bytes", 0, "2GiB");
        number("grim.message.kept-length", "0 to 1073741824 bytes", -1, "2GiB");
        number("grim.poll.drain-limit", "1 to 65536", 0, 65537);
        number("grim.liveness.interval", "1000000 to 60000000000 ns", "100us", "2m", -1);
        number("grim.warm-up", "0 to 60000000000 ns", -1, "2m");
        number("grim.handlers.resolve-timeout", "0 to 3600000000000 ns", -1, "2h", "999999999999 days");
        number("grim.myrinet.deadline", "1000000 to 60000000000 ns", 0, "2m");
        number("grim.myrinet.linger", "0 to 60000000000 ns", -1, "2m");
        number("grim.myrinet.lanai-model", "4, 9", 3, 5, 10);
        number("grim.myrinet.sram-length", "67108864 bytes", 1024, "65MiB", "64KiB");
        number("grim.myrinet.contexts", "1 to 256", 0, 257);
        number("grim.myrinet.board-channels", "0 to 254", -1, 255);
        number("grim.myrinet.queue-length", "1024 to 67108864 bytes", 512, "128MiB", 3000);
        number("grim.myrinet.static-entries", "0 to 65536", -1, 65537);
        number("grim.myrinet.arrival.frame-length", "128 to 1048576 bytes", 64, "2MiB", 129);
        number("grim.myrinet.arrival.frame-count", "1 to 65536", 0, 131072, 3);
        number("grim.myrinet.dma-length", "2147483647 bytes", -1, "2GiB", 4096);
        number("grim.myrinet.registered-length", "0 to 1073741824 bytes", -1, "2GiB");
    }

    @Test
    void shouldKnowEveryKeyOfEveryModule()
    {
        assertEquals(new TreeSet<>(GrimConfig.load().settings().keySet()), KEYS.keySet());
    }

    @Test
    void shouldNameKeyValueAndLimitOfEveryBadValue()
    {
        KEYS.forEach((name, key) -> key.bad.forEach(value -> requireRefused(name, value, key.limit)));
    }

    @Test
    void shouldNameKeysWhoseValuesAreTooLargeTogether()
    {
        assertTrue(refusal(Map.of("grim.myrinet.arrival.frame-length", "1MiB", "grim.myrinet.arrival.frame-count",
            65536)).contains("grim.myrinet.arrival.frame-count=65536"));
        assertTrue(refusal(Map.of("grim.ni.reserved-length", "2MiB")).contains("grim.myrinet.sram-length=2MiB"));
        assertTrue(refusal(Map.of("grim.queue.exclusive", 0, "grim.queue.shared", 0))
            .contains("grim.queue.shared=0 is not a whole number from 1 to 64"));
    }

    private static void requireRefused(final String key, final Object value, final String limit)
    {
        final String refusal = refusal(Map.of(key, value));
        final String shown = String.valueOf(value);
        final String beginning = shown.length() > 10 ? shown.substring(0, 10) : shown;

        assertTrue(refusal.startsWith(key + "=" + beginning.replace("\u0000", "\\u0000").replace("\u001b", "\\u001b")
            .replace("\u202e", "\\u202e")), refusal);
        assertTrue(refusal.contains(limit), refusal);
        assertTrue(refusal.length() <= REFUSAL_LENGTH_MAX, refusal);
        assertTrue(refusal.codePoints().noneMatch(Character::isISOControl), refusal);
    }

    private static String refusal(final Map<String, Object> values)
    {
        return assertThrows(IllegalArgumentException.class, () ->
        {
            final GrimConfig.Builder builder = GrimConfig.builder();
            values.forEach(builder::set);
            final Settings settings = new Settings(builder.build().settings());
            MyrinetConfig.of(settings);
            InjectionPlan.of(settings);
        }, values::toString).getMessage();
    }

    private static List<Object> with(final List<Object> values, final Object... more)
    {
        return Stream.concat(values.stream(), Stream.of(more)).toList();
    }

    private static void text(final String name, final String limit, final Object... bad)
    {
        KEYS.put(name, new Key(limit, with(NO_TEXT, bad)));
    }

    private static void word(final String name, final String limit)
    {
        KEYS.put(name, new Key(limit, NO_WORD));
    }

    private static void list(final String name, final String limit, final Object... bad)
    {
        KEYS.put(name, new Key(limit, with(with(NO_LIST, bad), List.of(LONG), List.of("a\u0000b"))));
    }

    private static void number(final String name, final String limit, final Object... bad)
    {
        KEYS.put(name, new Key(limit, with(NO_NUMBER, bad)));
    }

    private record Key(String limit, List<Object> bad)
    {
    }
}
