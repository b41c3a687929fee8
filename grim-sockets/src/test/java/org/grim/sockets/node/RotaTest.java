// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets.node;

import java.io.IOException;
import java.nio.channels.Selector;
import java.nio.file.Path;

import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.thread.ErrorReports;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

@Timeout(180)
final class RotaTest
{
    @TempDir
    private Path directory;

    @Test
    void deputyNeverFollowsForNobodyWouldWakeIt() throws IOException
    {
        try (Grim grim = Grim.enable(GrimConfig.builder().nodeName("sockets").directory(directory)
            .set("grim.warm-up", "0s").build());
            Sleeper deputy = new Sleeper(Selector.open(), false);
            Sleeper leader = new Sleeper(Selector.open(), false);
            Sleeper follower = new Sleeper(Selector.open(), false))
        {
            grim.join();
            final SharedEndpoint shared = new SharedEndpoint(grim.endpoint());
            final Rota rota = new Rota(shared, deputy, new ErrorReports(ex -> fail(ex)));

            assertEquals(Rota.Role.LEADER, firstRole(rota, leader));

            assertEquals(Rota.Role.FOLLOWER, rota.tryLead(follower));
            assertEquals(Rota.Role.BUSY, rota.tryLead(deputy));
            rota.leave(leader);
            assertEquals(Rota.Role.LEADER, firstRole(rota, deputy));
            rota.leave(deputy);
            shared.acquire();
            shared.close();
            shared.release();
        }
    }

    /** While something is under way nobody sleeps. */
    private static Rota.Role firstRole(final Rota rota, final Sleeper sleeper)
    {
        Rota.Role role = rota.tryLead(sleeper);
        while (role == Rota.Role.BUSY)
        {
            role = rota.tryLead(sleeper);
        }
        return role;
    }
}
