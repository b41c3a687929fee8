// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem.death;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.HandlerRegistry;
import org.grim.Link;
import org.grim.SendStatus;
import org.grim.death.ShmDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
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
        keeper.start();
        other = Grim.enable(config("other"));
    }

    /** Joins again as a node that does not wait long. */
    private void beImpatient()
    {
        other.close();
        other = Grim.enable(DeathConfig.of(directory, "other").set("grim.handlers.resolve-timeout", "300ms").build());
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

        other.start();

        assertEquals(keeper.handlers().resolve(NAME), other.handlers().tryResolve(NAME));
    }

    /** The sender knows a name's id from the directory, and the receiver has registered that name a moment ago. */
    @Test
    void shouldRunAHandlerWhoseIdTheNodeHasNotLearnt()
    {
        final AtomicInteger count = new AtomicInteger();
        other.handlers().register(NAME, message -> count.incrementAndGet());
        final Link link = keeper.endpoint().link(other.endpoint().id());
        assertEquals(SendStatus.SENT, link.send(keeper.handlers().resolve(NAME), 0, 0, 0, 0));

        while (other.endpoint().poll() == 0)
        {
            Thread.onSpinWait();
        }

        assertEquals(1, count.get());
    }

    @Test
    void shouldStillNeedTheKeeperForANewName()
    {
        beImpatient();
        other.handlers().register("new", message ->
        {
            // Nobody sends.
        });

        final GrimException failure =
            assertThrows(GrimException.class, () -> other.start());

        assertNull(other.handlers().tryResolve("new"));
        assertEquals("handlers=[new] were not acknowledged by node=0, which keeps the handler database: " +
            "waited=300 ms (grim.handlers.resolve-timeout)", failure.getMessage());
    }

    /** The keeper holds 262,144 bytes of names, each rounded up to 8 with 8 bytes before it. */
    @Test
    void shouldSayAtOnceThatThereIsNoRoomForMoreNames()
    {
        registerLong(keeper, 0, 1_260);
        keeper.start();
        registerLong(keeper, 1_260, 100);
        registerLong(other, 2_000, 2);

        final String keepers = assertThrows(GrimException.class, () -> keeper.start()).getMessage();
        final String others = assertThrows(GrimException.class, () -> other.start()).getMessage();

        final String reason = "x".repeat(71) + "... (200 characters): handler names of the cluster are used up: " +
            "held=262096 needed=208 max=262144 bytes";
        assertEquals("handlers count=100 have no id, the first is name-1260" + reason, keepers);
        assertEquals("handlers count=2 have no id, the first is name-2000" + reason, others);
        assertEquals(keeper.handlers().resolve(NAME), other.handlers().resolve(NAME));
    }

    private static void registerLong(final Grim grim, final int first, final int count)
    {
        for (int i = first; i < first + count; i++)
        {
            final String name = "name-" + i;
            grim.handlers().register(name + "x".repeat(HandlerRegistry.NAME_LENGTH_MAX - name.length()), message ->
            {
                // Nobody sends.
            });
        }
    }

    private GrimConfig config(final String node)
    {
        return DeathConfig.of(directory, node).build();
    }
}
