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
import org.grim.RemoteRegion;

/**
 * Video through a window of remote memory: node-0 writes frames straight into slots of node-1's memory, and a word
 * there says which one has come. Node-1 shows it where it stands, and writes into a word of node-0 how many it has
 * shown.
 */
public final class VideoFrames
{
    private static final int FRAME_COUNT = 300;
    private static final int FRAME_LENGTH = 640 * 480 * 3;
    private static final int SLOT_COUNT = 4;
    private static final int WORD_LENGTH = 64;                      // a count, in a line of its own
    private static final int WINDOW_LENGTH = WORD_LENGTH + SLOT_COUNT * FRAME_LENGTH;

    private final Grim grim;
    private final IdleStrategy idle;
    private final MemoryRegion own;
    private RemoteRegion other;

    private VideoFrames(final Grim grim, final int length)
    {
        this.grim = grim;
        idle = grim.endpoint().idleStrategy();
        own = grim.memory().register(length);
        grim.handlers().register("video.region",
            message -> other = RemoteRegion.readFrom(message.buffer(), message.offset(), message.length()));
        grim.start();
    }

    /** Is the camera as the first node, the screen as the other one. */
    public static void main(final String[] args)
    {
        try (Grim grim = Grim.enable(GrimConfig.load()))
        {
            if (grim.node().name().equals("node-0"))
            {
                new VideoFrames(grim, WORD_LENGTH * 2).film();
            }
            else
            {
                new VideoFrames(grim, WINDOW_LENGTH).show();
            }
        }
    }

    private void film()
    {
        final RemoteLink screen = exchange("node-1");
        final RemoteRegion arrived = other.slice(0, Integer.BYTES);
        final UnsafeBuffer frame = new UnsafeBuffer(new byte[FRAME_LENGTH]);
        for (int number = 1; number <= FRAME_COUNT; number++)
        {
            frame.setMemory(0, FRAME_LENGTH, (byte)number);
            awaitWord(number - SLOT_COUNT);
            screen.writeBlocking(other, slot(number), frame, 0, FRAME_LENGTH, arrived, number, idle);
        }
        awaitWord(FRAME_COUNT);
    }

    private void show()
    {
        final RemoteLink camera = exchange("node-0");
        final RemoteRegion shown = other.slice(0, Integer.BYTES);
        final UnsafeBuffer spare = new UnsafeBuffer(new byte[Long.BYTES]);
        long sum = 0;
        for (int number = 1; number <= FRAME_COUNT; number++)
        {
            awaitWord(number);
            sum += own.buffer().getByte(slot(number)) + own.buffer().getByte(slot(number) + FRAME_LENGTH - 1);
            camera.writeBlocking(other, WORD_LENGTH, spare, 0, Long.BYTES, shown, number, idle);
        }
        System.out.println("frames: " + FRAME_COUNT + ", checksum: " + sum);
    }

    /** Sends each other the place of its memory. */
    private RemoteLink exchange(final String node)
    {
        final HandlerId handler = grim.handlers().resolve("video.region");
        final UnsafeBuffer region = new UnsafeBuffer(new byte[RemoteRegion.LENGTH]);
        own.remote().writeTo(region, 0);
        grim.endpoint().link(grim.awaitNode(node, Duration.ofSeconds(30)))
            .sendBlocking(handler, 0, 0, 0, 0, region, 0, RemoteRegion.LENGTH, idle);
        while (other == null)
        {
            idle.idle(grim.poll());
        }
        return grim.memory().link(other);
    }

    /** The word stands at the beginning of either region, and is written when all before it is there. */
    private void awaitWord(final int number)
    {
        while (own.buffer().getIntVolatile(0) < number)
        {
            idle.idle(grim.poll());
        }
    }

    private static int slot(final int number)
    {
        return WORD_LENGTH + number % SLOT_COUNT * FRAME_LENGTH;
    }
}
