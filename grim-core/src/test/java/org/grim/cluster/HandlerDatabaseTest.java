// SPDX-License-Identifier: Apache-2.0
package org.grim.cluster;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.GrimException;
import org.grim.buffer.Buffers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

final class HandlerDatabaseTest
{
    private final ClusterDirectory alone = ClusterDirectory.inPrivateMemory(
        new NodeDescription("local", "alone", 2, List.of("null")));

    @AfterEach
    void leave()
    {
        alone.close();
    }

    @Test
    void shouldGiveEachHandlerNameOneId()
    {
        final HandlerDatabase database = new HandlerDatabase(alone);

        assertEquals(0, database.find("a"));
        assertEquals(16, database.register("a"));
        assertEquals(16, database.register("a"));
        assertEquals(17, database.register("b"));
        assertEquals(17, database.find("b"));
    }

    @Test
    void shouldLeaveNamesAndIdsToTheNextKeeper()
    {
        final String longest = "x".repeat(HandlerLog.TEXT_LENGTH_MAX);
        final HandlerDatabase first = new HandlerDatabase(alone);
        first.register("a");
        first.register("b\u00e4");
        final HandlerDatabase second = new HandlerDatabase(alone);
        second.register(longest);

        final HandlerDatabase third = new HandlerDatabase(alone);

        assertEquals(16, third.find("a"));
        assertEquals(17, third.register("b\u00e4"));
        assertEquals(18, third.find(longest));
        assertEquals(19, third.register("c"));
    }

    @Test
    void shouldRefuseANameThatIsEmptyOrTooLongOrHasNoRoomAndKeepTheOthers()
    {
        final int count = HandlerLog.LENGTH / (HandlerLog.TEXT_OFFSET + 200);
        final HandlerDatabase database = new HandlerDatabase(alone);
        for (int i = 0; i < count; i++)
        {
            database.register(String.format("%0200d", i));
        }

        final String full =
            assertThrows(GrimException.class, () -> database.register("y".repeat(200))).getMessage();
        assertThrows(IllegalArgumentException.class, () -> database.register(""));
        assertThrows(IllegalArgumentException.class, () -> database.register("x".repeat(201)));
        final HandlerDatabase next = new HandlerDatabase(alone);

        assertEquals("handler names of the cluster are used up: held=" + count * 208 + " needed=208 max=262144 bytes",
            full);
        for (int i = 0; i < count; i++)
        {
            assertEquals(16 + i, next.find(String.format("%0200d", i)));
        }
        assertEquals(16 + count, next.register("short"));
    }

    @Test
    void shouldEndWhereNoEntryCanBe()
    {
        final AtomicBuffer memory = Buffers.allocate(HandlerLog.LENGTH);
        final HandlerLog log = new HandlerLog(memory, 0);
        log.append("good", 16);
        log.append("also", 17);
        memory.putInt(32 + HandlerLog.LENGTH_OFFSET, HandlerLog.TEXT_LENGTH_MAX + 1);
        final Map<String, Integer> found = new HashMap<>();

        log.read((id, name) -> found.put(name, id));

        assertEquals(Map.of("good", 16, "also", 17), found);
    }

    @Test
    void shouldNotTakeForAnEntryWhatADeadKeeperLeftOfALongerOne()
    {
        final AtomicBuffer memory = Buffers.allocate(HandlerLog.LENGTH);
        // The end of a text whose length was not stored, as it stands where the next entry will begin.
        memory.putInt(HandlerLog.TEXT_OFFSET + 8 + HandlerLog.LENGTH_OFFSET, 1);
        memory.putInt(HandlerLog.TEXT_OFFSET + 8 + HandlerLog.ID_OFFSET, 99);
        final HandlerLog log = new HandlerLog(memory, 0);
        final Map<String, Integer> found = new HashMap<>();

        log.read((id, name) -> found.put(name, id));
        log.append("a", 16);
        log.read((id, name) -> found.put(name, id));

        assertEquals(Map.of("a", 16), found);
    }

    @Test
    void shouldPinTheLayoutOfTheLog()
    {
        assertEquals(0, HandlerLog.LENGTH_OFFSET);
        assertEquals(4, HandlerLog.ID_OFFSET);
        assertEquals(8, HandlerLog.TEXT_OFFSET);
        assertEquals(262_144, HandlerLog.LENGTH);
        assertEquals(200, HandlerLog.TEXT_LENGTH_MAX);
    }
}
