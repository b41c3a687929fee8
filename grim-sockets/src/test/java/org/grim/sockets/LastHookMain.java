// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import java.util.concurrent.CountDownLatch;

/** Exits, and prints in which order hooks run that were added in the other. */
public final class LastHookMain
{
    private LastHookMain()
    {
    }

    public static void main(final String[] args)
    {
        final CountDownLatch isLastOver = new CountDownLatch(1);
        LastHook.tryAdd(() -> print("last", isLastOver));
        Runtime.getRuntime().addShutdownHook(new Thread(() ->
        {
            try
            {
                isLastOver.await(1, java.util.concurrent.TimeUnit.SECONDS);
            }
            catch (final InterruptedException ex)
            {
                Thread.currentThread().interrupt();
            }
            print("hook", new CountDownLatch(1));
        }));
        System.exit(0);
    }

    private static void print(final String text, final CountDownLatch latch)
    {
        PeerOutput.print(text);
        latch.countDown();
    }
}
