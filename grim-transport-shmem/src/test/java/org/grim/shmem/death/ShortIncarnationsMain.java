// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem.death;

import java.nio.file.Path;
import java.util.List;

import org.grim.EndpointId;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.HandlerId;
import org.grim.SendStatus;

/** Joins many times under new names; each time asks the survivor, waits for the reply, and leaves. */
public final class ShortIncarnationsMain
{
    private ShortIncarnationsMain()
    {
    }

    public static void main(final String[] arguments)
    {
        final int count = Integer.parseInt(arguments[1]);
        for (int i = 0; i < count; i++)
        {
            ask(Path.of(arguments[0]), "short-" + i, arguments[2]);
        }
    }

    static GrimConfig config(final Path directory, final String name)
    {
        return GrimConfig.builder().directory(directory).nodeName(name).set("grim.transports", List.of("shmem"))
            .set("grim.liveness.interval", "1ms").set("grim.handlers.resolve-timeout", "30s").build();
    }

    private static void ask(final Path directory, final String name, final String question)
    {
        try (Grim node = Grim.enable(config(directory, name)))
        {
            final boolean[] isAnswered = new boolean[1];
            node.handlers().register("answer", message -> isAnswered[0] = true);
            node.start();
            final EndpointId survivor = node.locate("survivor");
            final HandlerId ask = node.handlers().resolve(question);
            final HandlerId answer = node.handlers().resolve("answer");
            while (node.endpoint().link(survivor).send(ask, answer.number(), 0, 0, 0) != SendStatus.SENT)
            {
                node.endpoint().poll();
            }
            while (!isAnswered[0])
            {
                node.endpoint().poll();
            }
        }
    }
}
