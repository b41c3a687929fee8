// SPDX-License-Identifier: Apache-2.0
package org.grim.example;

import java.time.Duration;
import java.util.Map;

import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.HandlerId;
import org.grim.Link;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Request and reply: node-0 knows prices, node-1 asks for them. */
public final class PriceService
{
    private static final Map<String, Integer> CENTS = Map.of("tea", 310, "coffee", 420, "water", 150);

    private int answer = -1;
    private boolean isClientGone;

    /** Serves as the first node, asks as the other one. */
    public static void main(final String[] args)
    {
        try (Grim grim = Grim.enable(GrimConfig.load()))
        {
            if (grim.node().name().equals("node-0"))
            {
                new PriceService().serve(grim);
            }
            else
            {
                new PriceService().ask(grim, args.length == 0 ? new String[] {"tea", "coffee", "wine"} : args);
            }
        }
    }

    private void serve(final Grim grim)
    {
        grim.handlers().register("price.ask", message ->
            message.reply(HandlerId.of(message.argument(0)), CENTS.getOrDefault(message.text(), 0)));
        grim.endpoint().onNodeGone((node, undelivered, unknown) -> isClientGone = true);
        grim.start();
        final IdleStrategy idle = grim.endpoint().idleStrategy();
        while (!isClientGone)
        {
            idle.idle(grim.poll());
        }
    }

    private void ask(final Grim grim, final String... goods)
    {
        final HandlerId onPrice = grim.handlers().register("price.answer", message -> answer = message.argument(0));
        grim.start();
        final HandlerId ask = grim.handlers().resolve("price.ask");
        final Link shop = grim.endpoint().link(grim.awaitNode("node-0", Duration.ofSeconds(30)));
        final IdleStrategy idle = grim.endpoint().idleStrategy();
        for (final String name : goods)
        {
            final byte[] text = name.getBytes(UTF_8);
            answer = -1;
            shop.sendBlocking(ask, onPrice.number(), 0, 0, 0, new UnsafeBuffer(text), 0, text.length, idle);
            while (answer < 0)
            {
                idle.idle(grim.poll());
            }
            System.out.println(name + ": " + (answer == 0 ? "not for sale" : answer + " cents"));
        }
    }
}
