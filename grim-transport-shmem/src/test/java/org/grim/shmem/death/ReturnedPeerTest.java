// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem.death;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.HandlerId;
import org.grim.SendStatus;
import org.grim.death.ShmDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** A peer that was closed and made again before this node looked who is there, as behind a pause of this one. */
@Timeout(180)
final class ReturnedPeerTest
{
    private static final HandlerId ANSWER = HandlerId.of(100);

    private final Path directory = ShmDirectory.create();
    private final List<SendStatus> replies = new ArrayList<>();
    private final List<String> reported = new ArrayList<>();
    private final Grim server = Grim.enable(config("server"));
    private HandlerId ask;

    @AfterEach
    void leave()
    {
        server.close();
        ShmDirectory.delete(directory);
    }

    @Test
    void shouldAnswerAPeerThatCameBack()
    {
        server.endpoint().onNodeGone((node, undelivered, unknown) ->
            reported.add(undelivered + " " + unknown + " " + replies.size()));
        ask = server.handlers().register("ask", message -> replies.add(message.reply(ANSWER, 0)));
        server.start();

        askOnce();
        askOnce();

        assertEquals(List.of(SendStatus.SENT, SendStatus.SENT), replies);
        assertEquals(List.of(), reported);
    }

    private void askOnce()
    {
        final int before = replies.size();
        try (Grim client = Grim.enable(config("client")))
        {
            assertEquals(SendStatus.SENT,
                client.endpoint().link(server.node().endpoint()).send(ask, 0, 0, 0, 0));
            while (replies.size() == before)
            {
                server.endpoint().poll();
            }
        }
    }

    private GrimConfig config(final String name)
    {
        return DeathConfig.of(directory, name).set("grim.liveness.interval", "1m").build();
    }
}
