// SPDX-License-Identifier: Apache-2.0
package org.grim.thread;

import java.lang.ref.WeakReference;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;

import org.grim.LibraryCopy;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

final class HeldWakesTest
{
    private static final int COLLECTION_COUNT_MAX = 50;

    private final List<String> woken = new ArrayList<>();
    private final HeldWakes own = HeldWakes.ofThread();

    /** Of one name, and equal to all others of it. */
    private record Wake(List<String> woken, String name) implements Runnable
    {
        @Override
        public void run()
        {
            woken.add(name);
        }
    }

    @Test
    void shouldWakeAtOnceWithoutALock()
    {
        wake("a");

        assertEquals(List.of("a"), woken);
    }

    @Test
    void shouldWakeEachOnceInOrderWhenTheLastLockIsLeft()
    {
        own.hold();
        own.hold();
        wake("a");
        wake("b");
        wake("a");
        own.letGo();
        assertEquals(List.of(), woken);

        own.letGo();
        assertEquals(List.of("a", "b"), woken);

        wake("c");
        assertEquals(List.of("a", "b", "c"), woken);
    }

    @Test
    void shouldWakeAllUnderTheLockWhoseOwnerWaitsForThem()
    {
        own.hold();
        wake("a");
        own.runAll();
        assertEquals(List.of("a"), woken);

        wake("a");
        own.letGo();
        assertEquals(List.of("a", "a"), woken);
    }

    @Test
    void shouldHoldNothingOfAnotherThread() throws InterruptedException
    {
        own.hold();
        try
        {
            final Thread other = new Thread(() -> wake("a"));
            other.start();
            other.join();

            assertEquals(List.of("a"), woken);
        }
        finally
        {
            own.letGo();
        }
    }

    @Test
    void shouldNotKeepItsClassLoaderByAThreadThatGoesOn() throws Exception
    {
        final WeakReference<ClassLoader> loader = new WeakReference<>(useACopy());

        for (int i = 0; i < COLLECTION_COUNT_MAX && loader.get() != null; i++)
        {
            System.gc();
            Thread.sleep(20);
        }

        assertNull(loader.get());
    }

    private static ClassLoader useACopy() throws Exception
    {
        try (URLClassLoader loader = LibraryCopy.load())
        {
            loader.loadClass(HeldWakes.class.getName()).getMethod("run", Runnable.class)
                .invoke(null, (Runnable)Object::new);
            return loader;
        }
    }

    private void wake(final String name)
    {
        HeldWakes.run(new Wake(woken, name));
    }
}
