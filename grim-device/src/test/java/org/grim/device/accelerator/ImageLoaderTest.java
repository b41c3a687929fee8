// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.junit.jupiter.api.Assertions.assertEquals;

@Timeout(120)
final class ImageLoaderTest
{
    /** Loads, or throws. */
    private record Image(String name, Throwable failure) implements KernelImage
    {
        @Override
        public List<String> kernels()
        {
            return List.of(name);
        }

        @Override
        public long length()
        {
            return 1;
        }

        @Override
        public List<Kernel> load() throws IOException
        {
            if (failure instanceof final IOException thrown)
            {
                throw thrown;
            }
            if (failure instanceof final Error thrown)
            {
                throw thrown;
            }
            return List.of();
        }

        @Override
        public void unload()
        {
            // Holds nothing.
        }
    }

    @Test
    void shouldGiveAReasonForEachFailureAndGoOn()
    {
        final List<String> reasons = new ArrayList<>();
        final AtomicInteger wakeCount = new AtomicInteger();
        try (ImageLoader loader = new ImageLoader(wakeCount::incrementAndGet))
        {
            for (final Throwable failure : new Throwable[] {
                new AssertionError("wrong"), new OutOfMemoryError("full"), new EOFException(), null})
            {
                loader.load(new ImageSlot(new Image("image", failure)));
                ImageLoader.Loaded loaded = loader.poll();
                while (loaded == null)
                {
                    Thread.onSpinWait();
                    loaded = loader.poll();
                }
                reasons.add(loaded.reason() + " " + loaded.kernels());
            }
        }

        assertEquals(List.of("java.lang.AssertionError: wrong null", "java.lang.OutOfMemoryError: full null",
            "java.io.EOFException null", "null []"), reasons);
        assertEquals(4, wakeCount.get());
    }
}
