// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.trace;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.grim.wire.MessageType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.grim.ni.trace.TraceFile.control;
import static org.grim.ni.trace.TraceFile.message;
import static org.grim.ni.trace.TraceFile.words;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Holds {@code docs/grim.lua} against what {@link PcapWriter} writes, where tshark is installed. */
@Tag("process")
@Timeout(150)
final class DissectorIT
{
    private static final int REFUSED = 11;
    private static final long ARGUMENTS_01 = 0x0000_0001_8000_0002L;
    private static final long ARGUMENTS_23 = 0xFFFF_FFFF_0000_0100L;
    private static final byte[] HELLO = "hello".getBytes(StandardCharsets.US_ASCII);
    private static final List<String> FIELDS = List.of("frame.number", "frame.time_epoch", "grim.trace.source_ni",
        "grim.trace.destination_ni", "grim.trace.event", "grim.trace.version", "grim.trace.flags", "grim.id",
        "grim.token", "grim.sequence", "grim.type", "grim.correction", "grim.reserved", "grim.tree", "grim.source",
        "grim.source.node", "grim.source.device", "grim.payload_words", "grim.destination", "grim.destination.node",
        "grim.destination.device", "grim.source_channel", "grim.destination_channel", "grim.handler", "grim.argument0",
        "grim.argument1", "grim.argument2", "grim.argument3", "grim.payload_length", "grim.payload", "grim.padding",
        "grim.excess", "grim.answering", "grim.answering.node", "grim.answering.device", "grim.rm.remote_address",
        "grim.rm.notification_address", "grim.rm.notification_value", "grim.rm.data_length", "grim.rm.target_address",
        "grim.rm.signal_value", "grim.rm.operand", "grim.rm.comparand", "grim.rm.data", "grim.sync.own_epoch",
        "grim.sync.peer_epoch", "grim.sync.layout_version", "grim.sync.flags", "grim.sync.answer_wanted",
        "_ws.expert.message");

    @TempDir
    private static Path directory;
    private static TraceFile trace;
    private static String[] rows;
    private static String[] trees;

    @BeforeAll
    static void explainOneTrace() throws IOException, InterruptedException
    {
        assumeTrue(Tshark.isInstalled(), "tshark is not installed: docs/grim.lua is not tested");
        final Tshark tshark = new Tshark(directory);
        assumeTrue(tshark.hasLua(), "this tshark was built without Lua: docs/grim.lua is not tested");

        final Path path = directory.resolve("trace.pcap");
        trace = new TraceFile(path);
        addGood();
        addMalformed();
        trace.close();
        trace.addRaw("pseudo-none", new byte[0]);
        trace.addRaw("pseudo-short", words(0x0001_0002));
        trace.addRaw("pseudo-version", words(0x0001_0002, 0x0102_0000, 0x0636_0507));
        trace.addRaw("pseudo-event", words(0x0001_0002, 0xEE01_8000, 0x0636_0507, 0x2001_0020));

        final List<String> options = new ArrayList<>(List.of(
            "-T", "fields", "-E", "aggregator=;", "-E", "occurrence=a"));
        for (final String field : FIELDS)
        {
            options.add("-e");
            options.add(field);
        }
        rows = tshark.explain(path, options).split("\n", -1);
        trees = tshark.explain(path, List.of("-V")).split("(?m)^Frame (?=\\d+:)", -1);
    }

    private static void addGood()
    {
        for (final PacketEvent event : PacketEvent.values())
        {
            trace.add("event-" + event, event, message(1, ARGUMENTS_01, ARGUMENTS_23, HELLO));
        }
        for (final MessageType type : MessageType.values())
        {
            trace.add("type-" + type, PacketEvent.SENT, message(type.code(), 0, 0, new byte[32]));
        }
        trace.add("ack", PacketEvent.SENT, control(8));
        trace.add("nack", PacketEvent.DELIVERED, control(9));
        trace.add("refused", PacketEvent.SENT, control(REFUSED));
        for (final int code : new int[]{2, 3, 5, 12})
        {
            trace.add("remote-" + code, PacketEvent.SENT, message(code, ARGUMENTS_01, ARGUMENTS_23,
                Arrays.copyOf(words(0xCAFE, 6, 0x01020304, 0x05060000), 14)));
        }
        for (final int code : new int[]{19, 20})
        {
            trace.add("remote-" + code, PacketEvent.SENT, message(code, ARGUMENTS_01, ARGUMENTS_23,
                Arrays.copyOf(words(0, 6, 0x1122, 0x33445566, 0x01020304, 0x05060000), 22)));
        }
        trace.add("read", PacketEvent.SENT,
            message(4, ARGUMENTS_01, ARGUMENTS_23, words(0xCAFE, 65_536, 0x11223344, 0x55667788)));
        for (int code = 13; code <= 18; code++)
        {
            trace.add("atomic-" + code, PacketEvent.SENT, message(code, ARGUMENTS_01, ARGUMENTS_23,
                words(0xCAFE, 8, 0x11223344, 0x55667788, 0, 7, -1, -2)));
        }
        trace.add("multicast", PacketEvent.SENT, message(6, 0, 0, HELLO));
        trace.add("synchronise", PacketEvent.RESENT, message(10, 0x1_0000_0002L, 0x3_0000_0004L, words(1, 1)));
        trace.add("longest", PacketEvent.SENT, message(1, 0, 0, new byte[65_504]));
        trace.add("unpadded", PacketEvent.SENT, Arrays.copyOf(message(1, 0, 0, HELLO), 37));
    }

    private static void addMalformed()
    {
        trace.addBeginnings("cut-am", Arrays.copyOf(message(1, 1, 2, HELLO), 37));
        trace.addBeginnings("cut-read", message(4, 1, 2, new byte[16]));
        trace.addBeginnings("cut-synchronise", message(10, 1, 2, new byte[8]));
        trace.addBeginnings("cut-nack", control(9));
        trace.add("wrong-id", PacketEvent.CORRUPTED, words(0x1234_0507, 0x2001_0020));
        trace.add("wrong-type", PacketEvent.CORRUPTED, message(63, 0, 0, HELLO));
        trace.add("type-zero", PacketEvent.CORRUPTED, new byte[32]);
        trace.add("negative-length", PacketEvent.CORRUPTED, words(0x0636_0000, 1 << 26 | 3 << 24, 0, 0, 0, 0, 0, 0));
        trace.add("beyond-mtu", PacketEvent.CORRUPTED, words(0x0636_0000, 1 << 26, 0xFFFF_0000, 0, 0, 0, 0, 0));
        trace.add("beyond-capture", PacketEvent.SENT, words(0x0636_0000, 1 << 26, 0x0005_0000, 0, 0, 0, 0, 0, 1));
        trace.add("reserved", PacketEvent.SENT, words(0x0636_0507, 8 << 26 | 3 << 24 | 1 << 16 | 0x20));
        trace.add("control-excess", PacketEvent.SENT, words(0x0636_0507, 8 << 26 | 1 << 16 | 0x20, 0xABCDEF01));
        trace.add("message-excess", PacketEvent.SENT, Arrays.copyOf(message(1, 0, 0, HELLO), 42));
        trace.add("short-extension", PacketEvent.SENT, message(2, 0, 0, new byte[4]));
        trace.add("short-read", PacketEvent.SENT, message(4, 0, 0, new byte[12]));
        trace.add("short-signal", PacketEvent.SENT, message(19, 0, 0, new byte[12]));
        trace.add("short-synchronise", PacketEvent.SENT, message(10, 0, 0, new byte[4]));
        trace.add("wrong-data-length", PacketEvent.SENT, message(2, 0, 0, words(1, -1, 0)));
    }

    @Test
    void shouldExplainEveryFrameWithoutALuaError()
    {
        assertEquals(trace.frameCount(), trees.length - 1);
        assertEquals(trace.frameCount(), rows.length - 1);
        for (final String tree : trees)
        {
            assertFalse(tree.contains("Lua Error") || tree.contains("_ws.lua"), tree);
            assertFalse(tree.contains("Dissector bug") || tree.contains("Exception occurred"), tree);
        }
    }

    @Test
    void shouldShowTheFieldsOfTheTraceAndOfAnActiveMessage()
    {
        assertFields("event-SENT", "frame.time_epoch=0.000001000", "grim.trace.source_ni=300",
            "grim.trace.destination_ni=2", "grim.trace.event=1", "grim.trace.version=1", "grim.trace.flags=0x0000",
            "grim.id=0x0636", "grim.token=5", "grim.sequence=7", "grim.type=1", "grim.correction=3", "grim.tree=6",
            "grim.source=0x0010", "grim.source.node=1", "grim.source.device=0", "grim.payload_words=2",
            "grim.destination=0x0023", "grim.destination.node=2", "grim.destination.device=3",
            "grim.source_channel=1", "grim.destination_channel=4", "grim.handler=900", "grim.argument0=1",
            "grim.argument1=-2147483646", "grim.argument2=-1", "grim.argument3=256", "grim.payload_length=5",
            "grim.payload=68656c6c6f", "grim.padding=000000", "grim.excess=", "grim.rm.remote_address=",
            "_ws.expert.message=");
        assertInfo("event-SENT", "AM 1->2.3 token=5 sequence=7 channel=1->4 handler=900 length=5");
        assertFields("unpadded", "grim.payload=68656c6c6f", "grim.padding=", "_ws.expert.message=");
        assertFields("longest", "grim.payload_length=65504", "_ws.expert.message=");
    }

    @Test
    void shouldNameEveryEvent()
    {
        for (final PacketEvent event : PacketEvent.values())
        {
            final String name = "event-" + event;
            assertFields(name, "grim.trace.event=" + event.code());
            assertTrue(tree(name).contains("Event: " + event + " (" + event.code() + ")"), tree(name));
        }
        assertInfo("event-RESENT", "AM 1->2.3 token=5 sequence=7 channel=1->4 handler=900 length=5 [retransmission]");
        assertInfo("event-LOST", "AM 1->2.3 token=5 sequence=7 channel=1->4 handler=900 length=5 [lost]");
        assertFields("event-RESENT", "_ws.expert.message=Retransmission");
    }

    @Test
    void shouldNameEveryTypeAsTheWireFormatDoes()
    {
        for (final MessageType type : MessageType.values())
        {
            final String name = "type-" + type;
            assertFields(name, "grim.type=" + type.code());
            assertTrue(tree(name).contains(type + " (" + type.code() + ")"), tree(name));
            assertFalse(tree(name).contains("unknown"), tree(name));
        }
    }

    @Test
    void shouldShowTheTwoWordsOfControlMessages()
    {
        assertInfo("ack", "ACK token=5 sequence=7 channel=1 from=2");
        assertInfo("nack", "NACK token=5 sequence=7 channel=1 from=2 [delivered]");
        assertInfo("refused", "REFUSED token=5 sequence=7 channel=1 from=2");
        for (final String name : List.of("ack", "nack", "refused"))
        {
            assertFields(name, "grim.token=5", "grim.sequence=7", "grim.reserved=0", "grim.source_channel=1",
                "grim.answering=0x0020", "grim.answering.node=2", "grim.answering.device=0",
                "grim.destination_channel=", "grim.argument0=", "_ws.expert.message=");
        }
    }

    @Test
    void shouldShowAddressesAndExtensionOfRemoteMemory()
    {
        for (final String name : List.of("remote-2", "remote-3", "remote-5", "remote-12"))
        {
            assertFields(name, "grim.rm.remote_address=0x0000000180000002",
                "grim.rm.notification_address=0xffffffff00000100", "grim.rm.notification_value=0x0000cafe",
                "grim.rm.data_length=6", "grim.rm.data=010203040506", "grim.padding=0000", "grim.payload_length=14",
                "grim.rm.target_address=", "_ws.expert.message=");
        }
        for (final String name : List.of("remote-19", "remote-20"))
        {
            assertFields(name, "grim.rm.remote_address=0x0000000180000002",
                "grim.rm.notification_address=0xffffffff00000100", "grim.rm.notification_value=0x00000000",
                "grim.rm.signal_value=0x0000112233445566", "grim.rm.data_length=6", "grim.rm.data=010203040506",
                "grim.padding=0000", "grim.payload_length=22", "grim.rm.target_address=", "_ws.expert.message=");
        }
        assertInfo("remote-19",
            "RM-ADD-LONG 1->2.3 token=5 sequence=7 channel=1->4 address=0x0000000180000002 length=22");
        assertFields("read", "grim.rm.remote_address=0x0000000180000002", "grim.rm.data_length=65536",
            "grim.rm.target_address=0x1122334455667788", "grim.rm.data=", "_ws.expert.message=");
        for (int code = 13; code <= 18; code++)
        {
            assertFields("atomic-" + code, "grim.rm.remote_address=0x0000000180000002", "grim.rm.data_length=8",
                "grim.rm.target_address=0x1122334455667788", "grim.rm.operand=0x0000000000000007",
                "grim.rm.comparand=0xfffffffffffffffe", "grim.rm.data=", "_ws.expert.message=");
        }
        assertInfo("atomic-13",
            "RM-FETCH-ADD 1->2.3 token=5 sequence=7 channel=1->4 address=0x0000000180000002 length=32");
        assertInfo("read",
            "RM-RV 1->2.3 token=5 sequence=7 channel=1->4 address=0x0000000180000002 length=16");
        assertInfo("multicast", "MULTICAST 1->2.3 token=5 sequence=7 channel=1->4 handler=900 tree=6 length=5");
    }

    @Test
    void shouldShowEpochsVersionAndFlagOfSynchronise()
    {
        assertFields("synchronise", "grim.sync.own_epoch=4294967298", "grim.sync.peer_epoch=12884901892",
            "grim.sync.layout_version=1", "grim.sync.flags=0x00000001", "_ws.expert.message=Retransmission");
        assertTrue(tree("synchronise").contains("Answer wanted: True"), tree("synchronise"));
        assertTrue(tree("type-SYNCHRONISE").contains("Answer wanted: False"), tree("type-SYNCHRONISE"));
        assertInfo("synchronise", "SYNCHRONISE 1->2.3 token=5 sequence=7 channel=1->4 epoch=4294967298 " +
            "peer=12884901892 length=8 [retransmission]");
    }

    @Test
    void shouldSayWhereEveryCutMessageEnds()
    {
        final Map<String, Integer> lengths = Map.of("cut-am", 37, "cut-read", 48, "cut-synchronise", 40, "cut-nack", 8);
        lengths.forEach((name, full) ->
        {
            for (int length = 0; length < full; length++)
            {
                final String expected = "The message ends after " + length + " of ";
                final String experts = fields(name + "-" + length).get("_ws.expert.message");
                assertTrue(experts.contains(expected), name + "-" + length + ": " + experts);
                assertTrue(tree(name + "-" + length).contains("[truncated]"), tree(name + "-" + length));
            }
        });
        assertFields("cut-am-15", "grim.destination_channel=4", "grim.handler=", "grim.argument0=");
        assertFields("cut-read-24", "grim.rm.remote_address=0x0000000000000001", "grim.rm.notification_address=");
        assertFields("cut-nack-4", "grim.sequence=7", "grim.type=");
    }

    @Test
    void shouldSayWhatIsWrongWithMalformedMessages()
    {
        assertExpert("wrong-id", "GRIM id 0x1234 is not 0x0636");
        assertInfo("wrong-id", "not GRIM (id=0x1234) ACK token=5 sequence=7 channel=1 from=2 [corrupted]");
        assertExpert("wrong-type", "The type is unknown");
        assertExpert("type-zero", "GRIM id 0x0000 is not 0x0636;The type is unknown");
        assertExpert("negative-length", "0 words less a correction of 3 bytes leave no length");
        assertExpert("beyond-mtu",
            "Payload length 262140 exceeds 65504;The message ends after 32 of 262172 bytes, in word 8");
        assertExpert("beyond-capture", "The message ends after 36 of 52 bytes, in word 9");
        assertExpert("reserved", "Reserved bits are set");
        assertExpert("control-excess", "4 bytes follow the end of the message");
        assertFields("control-excess", "grim.excess=abcdef01");
        assertExpert("message-excess", "2 bytes follow the end of the message");
        assertExpert("short-extension", "The payload of 4 bytes cannot hold the extension of 8");
        assertExpert("short-read", "The payload of 12 bytes cannot hold the extension of 16");
        assertExpert("short-signal", "The payload of 12 bytes cannot hold the extension of 16");
        assertExpert("short-synchronise", "The payload of 4 bytes cannot hold version and flags");
        assertExpert("wrong-data-length", "Data length 4294967295 differs from the 4 bytes there");
    }

    @Test
    void shouldSayWhichTraceHeadersItDoesNotKnow()
    {
        assertInfo("pseudo-none", null);
        assertExpert("pseudo-short", "The trace header has 4 of 8 bytes");
        assertExpert("pseudo-version", "Trace version 2 is not 1");
        assertFields("pseudo-version", "grim.id=", "grim.excess=06360507");
        assertExpert("pseudo-event", "Event 238 is unknown;Flags 0x8000 are unknown");
        assertInfo("pseudo-event", "ACK token=5 sequence=7 channel=1 from=2 [event 238]");
    }

    private static void assertExpert(final String name, final String expected)
    {
        assertEquals(expected, fields(name).get("_ws.expert.message"), () -> tree(name));
    }

    private static void assertFields(final String name, final String... expected)
    {
        final Map<String, String> fields = fields(name);
        for (final String pair : expected)
        {
            final int split = pair.indexOf('=');
            final String field = pair.substring(0, split);
            // Versions write bytes with and without colons, numbers in either case.
            final String found = fields.get(field).replace(":", "").toLowerCase(Locale.ROOT);
            assertEquals(pair.substring(split + 1).toLowerCase(Locale.ROOT), found, () -> field + " of\n" + tree(name));
        }
    }

    private static void assertInfo(final String name, final String expected)
    {
        final String label = "GRIM message: ";
        final String tree = tree(name);
        final int from = tree.indexOf(label);
        final String info = from < 0 ? null : tree.substring(from + label.length(), tree.indexOf('\n', from));
        assertEquals(expected, info, tree);
    }

    private static String tree(final String name)
    {
        return trees[trace.frame(name)];
    }

    private static Map<String, String> fields(final String name)
    {
        final String[] cells = rows[trace.frame(name) - 1].split("\t", -1);
        final Map<String, String> fields = new HashMap<>();
        for (int i = 0; i < cells.length; i++)
        {
            fields.put(FIELDS.get(i), cells[i]);
        }
        assertEquals(Integer.toString(trace.frame(name)), fields.get("frame.number"));
        return fields;
    }
}
