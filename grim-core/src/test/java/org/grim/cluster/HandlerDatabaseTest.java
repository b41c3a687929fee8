// SPDX-License-Identifier: Apache-2.0
package org.grim.cluster;

import java.util.List;

import org.grim.DeviceKind;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

final class HandlerDatabaseTest
{
    @Test
    void shouldGiveEachHandlerNameOneId()
    {
        final ClusterDirectory alone = ClusterDirectory.inPrivateMemory(
            new NodeDescription("local", "alone", 2, List.of("null"), List.of(DeviceKind.HOST_CPU)));
        final HandlerDatabase database = new HandlerDatabase(alone);

        assertEquals(0, database.find("a"));
        assertEquals(16, database.register("a", 0));
        assertEquals(16, database.register("a", 99));
        assertEquals(99, database.register("b", 99));
        assertEquals(17, database.register("c", 99));
        assertEquals(17, database.find("c"));
        assertEquals(18, database.register("d", 70_000));
        alone.close();
    }
}
