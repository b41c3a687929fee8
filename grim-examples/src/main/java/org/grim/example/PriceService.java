// SPDX-License-Identifier: Apache-2.0
package org.grim.example;

import java.time.Duration;
import java.util.Map;

import org.agrona.concurrent.IdleStrategy;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.Reply;

/** Request and reply: node-0 knows prices, node-1 asks for them. */
public final class PriceService
{
    private static final Map<String, String> PRICES =
        Map.of("tea", "310 cents", "coffee", "420 cents", "water", "150 cents");

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
        grim.handlers().register("price", message ->
            message.reply(PRICES.getOrDefault(message.text(), "not for sale")));
        grim.endpoint().onNodeGone((node, undelivered, unknown) -> isClientGone = true);
        grim.start();
        final IdleStrategy idle = grim.endpoint().idleStrategy();
        while (!isClientGone)
        {
            idle.idle(grim.endpoint().poll());
        }
    }

    private void ask(final Grim grim, final String... goods)
    {
        grim.start();
        final Link shop = grim.endpoint().link(grim.awaitNode("node-0", Duration.ofSeconds(30)));
        final HandlerId price = grim.handlers().resolve("price");
        final Reply reply = grim.endpoint().newReply();
        for (final String name : goods)
        {
            while (!shop.request(price, name, Duration.ofSeconds(10), reply).isAccepted())
            {
                grim.endpoint().poll();
            }
            System.out.println(name + ": " +
                (reply.await().outcome() == Reply.Outcome.ANSWERED ? reply.text() : reply.outcome()));
        }
    }
}
