// SPDX-License-Identifier: Apache-2.0
package org.grim.example;

import java.time.Duration;

import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.FrameReceiver;
import org.grim.FrameSender;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.RemoteRegion;
import org.grim.Reply;

/**
 * Video through a window of remote memory: node-0 writes frames straight into slots of node-1's memory, and node-1
 * shows each where it stands. A slot is written again when its frame was released.
 */
public final class VideoFrames
{
    private static final int FRAME_COUNT = 300;
    private static final int FRAME_LENGTH = 640 * 480 * 3;
    private static final int SLOT_COUNT = 4;

    private VideoFrames()
    {
    }

    /** Is the camera as the first node, the screen as the other one. */
    public static void main(final String[] args)
    {
        try (Grim grim = Grim.enable(GrimConfig.load()))
        {
            if (grim.node().name().equals("node-0"))
            {
                film(grim);
            }
            else
            {
                show(grim);
            }
        }
    }

    private static void film(final Grim grim)
    {
        grim.start();
        final IdleStrategy idle = grim.endpoint().idleStrategy();
        final UnsafeBuffer picture = new UnsafeBuffer(new byte[FRAME_LENGTH]);
        try (FrameSender frames = grim.endpoint().memory().sendFrames(askForWindow(grim, idle), FRAME_LENGTH))
        {
            for (int number = 1; number <= FRAME_COUNT; number++)
            {
                picture.setMemory(0, FRAME_LENGTH, (byte)number);
                while (!frames.send(picture, 0, FRAME_LENGTH).isAccepted())
                {
                    idle.idle(grim.endpoint().poll());
                }
            }
        }
    }

    private static RemoteRegion askForWindow(final Grim grim, final IdleStrategy idle)
    {
        final Link screen = grim.endpoint().link(grim.awaitNode("node-1", Duration.ofSeconds(30)));
        final HandlerId ask = grim.handlers().resolve("video.window");
        final Reply window = grim.endpoint().newReply();
        while (!screen.request(ask, "", Duration.ofSeconds(30), window).isAccepted())
        {
            idle.idle(grim.endpoint().poll());
        }
        return RemoteRegion.readFrom(window.await().buffer(), 0, window.length());
    }

    private static void show(final Grim grim)
    {
        try (FrameReceiver frames = grim.endpoint().memory().receiveFrames(SLOT_COUNT, FRAME_LENGTH))
        {
            final UnsafeBuffer window = new UnsafeBuffer(new byte[RemoteRegion.LENGTH]);
            frames.remote().writeTo(window, 0);
            grim.handlers().register("video.window", request ->
                request.reply(0, 0, 0, window, 0, RemoteRegion.LENGTH));
            grim.start();
            final IdleStrategy idle = grim.endpoint().idleStrategy();
            long sum = 0;
            for (int number = 1; number <= FRAME_COUNT; number++)
            {
                while (!frames.next())
                {
                    idle.idle(grim.endpoint().poll());
                }
                sum += frames.buffer().getByte(frames.offset()) +
                    frames.buffer().getByte(frames.offset() + frames.length() - 1);
                frames.release();
            }
            System.out.println("frames: " + FRAME_COUNT + ", checksum: " + sum);
        }
    }
}
