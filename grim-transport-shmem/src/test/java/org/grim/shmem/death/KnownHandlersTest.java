// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem.death;

import java.nio.file.Path;

import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.death.ShmDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** A name that any keeper has written down is known to all, also while the keeper is away or does not poll. */
class KnownHandlersTest
{
    private static final String NAME = "known";

    private final Path directory = ShmDirectory.create();
    private Grim keeper;
    private Grim other;

    @BeforeEach
    void join()
    {
        keeper = Grim.enable(config("keeper"));
        keeper.handlers().register(NAME, message ->
        {
            // Nobody sends.
        });
        keeper.handlers().synchronise();
        other = Grim.enable(config("other"));
    }

    @AfterEach
    void leave()
    {
        other.close();
        keeper.close();
        ShmDirectory.delete(directory);
    }

    @Test
    void shouldResolveWhileTheKeeperDoesNotPoll()
    {
        assertEquals(keeper.handlers().resolve(NAME), other.handlers().resolve(NAME));
    }

    @Test
    void shouldBindWhileTheKeeperDoesNotPoll()
    {
        other.handlers().register(NAME, message ->
        {
            // Nobody sends.
        });

        other.handlers().synchronise();

        assertEquals(keeper.handlers().resolve(NAME), other.handlers().tryResolve(NAME));
    }

    @Test
    void shouldStillNeedTheKeeperForANewName()
    {
        other.handlers().register("new", message ->
        {
            // Nobody sends.
        });

        final GrimException failure =
            assertThrows(GrimException.class, () -> other.handlers().synchronise());

        assertEquals(0, other.handlers().tryResolve("new"));
        assertEquals("handlers=[new] were not acknowledged by node=0, which keeps the handler database: " +
            "waited=300 ms (grim.handlers.resolve-timeout)", failure.getMessage());
    }

    private GrimConfig config(final String node)
    {
        return DeathConfig.of(directory, node).set("grim.handlers.resolve-timeout", "300ms").build();
    }
}
