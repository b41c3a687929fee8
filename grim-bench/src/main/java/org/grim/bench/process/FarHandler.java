// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.process;

import java.util.concurrent.CompletableFuture;

import org.grim.ActiveMessage;
import org.grim.Grim;

/** Two nodes that one thread polls: the far one cannot ask the near one for handlers unless that one is polled. */
public final class FarHandler
{
    private FarHandler()
    {
    }

    /**
     * Registers a handler at the far node, and waits until both nodes know its id. The calling thread, which polls the
     * near node meanwhile, owns both afterwards.
     *
     * @param near    keeps the handler database; the caller's.
     * @param far     of which nobody has used anything yet.
     * @param name    of the handler.
     * @param handler that the far node runs.
     * @throws java.util.concurrent.CompletionException if the far node refused; the cause says why.
     */
    public static void register(final Grim near, final Grim far, final String name, final ActiveMessage.Handler handler)
    {
        final CompletableFuture<Void> registered = new CompletableFuture<>();
        final Thread thread = new Thread(() ->
        {
            try
            {
                far.handlers().register(name, handler);
                far.join();
                far.endpoint().releaseOwnership();
                registered.complete(null);
            }
            catch (final RuntimeException | Error ex)
            {
                registered.completeExceptionally(ex);
            }
        }, "grim-far");
        thread.setDaemon(true);
        thread.start();
        while (!registered.isDone())
        {
            near.poll();
            Thread.onSpinWait();
        }
        registered.join();
    }
}
