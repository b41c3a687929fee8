// SPDX-License-Identifier: Apache-2.0
package org.grim.example;

import java.time.Duration;

import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.HandlerId;
import org.grim.MemoryRegion;
import org.grim.RemoteLink;
import org.grim.RemoteMemory.Atomic;
import org.grim.RemoteRegion;

/**
 * A queue of work in remote memory: workers take the next piece by an atomic addition to a word of node-0, which runs
 * no code of its own for it. They count prime numbers.
 */
public final class WorkQueue
{
    private static final int PIECE_COUNT = 200;
    private static final int PIECE_LENGTH = 1_000;
    private static final int NEXT_OFFSET = 0;
    private static final int PRIMES_OFFSET = Long.BYTES;

    private RemoteRegion queue;
    private int leftCount;

    /** Keeps the queue as the first node, works as any other one. */
    public static void main(final String[] args)
    {
        try (Grim grim = Grim.enable(GrimConfig.load()))
        {
            if (grim.node().name().equals("node-0"))
            {
                new WorkQueue().keep(grim);
            }
            else
            {
                new WorkQueue().work(grim);
            }
        }
    }

    private void keep(final Grim grim)
    {
        final MemoryRegion words = grim.endpoint().memory().register(Long.BYTES * 2);
        final UnsafeBuffer region = new UnsafeBuffer(new byte[RemoteRegion.LENGTH]);
        words.remote().writeTo(region, 0);
        grim.handlers().register("queue.ask", message ->
            message.reply(HandlerId.of(message.argument(0)), 0, 0, 0, 0, region, 0, RemoteRegion.LENGTH));
        grim.endpoint().onNodeGone((node, undelivered, unknown) -> leftCount++);
        grim.start();
        final int workerCount = Integer.parseInt(System.getenv("GRIM_RUN_SIZE")) - 1;
        final IdleStrategy idle = grim.endpoint().idleStrategy();
        while (leftCount < workerCount)
        {
            idle.idle(grim.endpoint().poll());
        }
        System.out.println("primes below " + PIECE_COUNT * PIECE_LENGTH + ": " +
            words.buffer().getLongVolatile(PRIMES_OFFSET));
    }

    private void work(final Grim grim)
    {
        final HandlerId onQueue = grim.handlers().register("queue.answer",
            message -> queue = RemoteRegion.readFrom(message.buffer(), message.offset(), message.length()));
        grim.start();
        final HandlerId ask = grim.handlers().resolve("queue.ask");
        final IdleStrategy idle = grim.endpoint().idleStrategy();
        grim.endpoint().link(grim.awaitNode("node-0", Duration.ofSeconds(30)))
            .sendBlocking(ask, onQueue.number(), 0, 0, 0, new UnsafeBuffer(0, 0), 0, 0, idle);
        while (queue == null)
        {
            idle.idle(grim.endpoint().poll());
        }
        final RemoteLink memory = grim.endpoint().memory().link(queue);
        int pieces = 0;
        for (long piece = add(grim, memory, NEXT_OFFSET, 1); piece < PIECE_COUNT;
            piece = add(grim, memory, NEXT_OFFSET, 1))
        {
            add(grim, memory, PRIMES_OFFSET, primes((int)piece * PIECE_LENGTH));
            pieces++;
        }
        System.out.println(grim.node().name() + " did " + pieces + " pieces");
    }

    /** Adds to a word of the queue. Returns its value before. */
    private long add(final Grim grim, final RemoteLink memory, final int offset, final long addend)
    {
        final Atomic addition = grim.endpoint().memory().newAtomic();
        final IdleStrategy idle = grim.endpoint().idleStrategy();
        while (!memory.fetchAddLong(queue, offset, addend, addition).isAccepted())
        {
            idle.idle(grim.endpoint().poll());
        }
        while (!addition.isComplete())
        {
            idle.idle(grim.endpoint().poll());
        }
        return addition.previous();
    }

    private static int primes(final int start)
    {
        int count = 0;
        for (int number = Math.max(2, start); number < start + PIECE_LENGTH; number++)
        {
            int divisor = 2;
            while (divisor * divisor <= number && number % divisor != 0)
            {
                divisor++;
            }
            count += divisor * divisor > number ? 1 : 0;
        }
        return count;
    }
}
