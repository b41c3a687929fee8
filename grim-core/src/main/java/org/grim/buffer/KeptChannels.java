// SPDX-License-Identifier: Apache-2.0
package org.grim.buffer;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Channels that nobody uses and that must not be closed, because that would take away locks of the file which something
 * in this JVM holds. They stand in the system properties, in objects of the JDK's classes, so that every copy of this
 * library finds them, and so that they outlive the copy that opened them. The property exists only while one is kept.
 * <p>Thread: one at a time in the JVM: see {@link LockFile}.
 */
final class KeptChannels
{
    private static final String PROPERTY = "org.grim.buffer.KeptChannels";

    private KeptChannels()
    {
    }

    /** Keeps an open channel of a file. */
    static void keep(final FileIdentity file, final FileChannel channel)
    {
        final Map<Object, Deque<FileChannel>> all = all();
        all.computeIfAbsent(file.key(), key -> new ArrayDeque<>()).add(channel);
        System.getProperties().put(PROPERTY, all);
    }

    /** Takes a channel of a file, to use it again; null if none is kept. */
    static FileChannel take(final FileIdentity file)
    {
        final Map<Object, Deque<FileChannel>> all = all();
        final Deque<FileChannel> channels = all.get(file.key());
        if (channels == null)
        {
            return null;
        }
        final FileChannel channel = channels.poll();
        if (channels.isEmpty())
        {
            forget(all, file);
        }
        return channel;
    }

    /** Closes those of a file: nothing in this JVM holds a lock of it. */
    static void close(final FileIdentity file) throws IOException
    {
        for (FileChannel channel = take(file); channel != null; channel = take(file))
        {
            channel.close();
        }
    }

    private static void forget(final Map<Object, Deque<FileChannel>> all, final FileIdentity file)
    {
        all.remove(file.key());
        if (all.isEmpty())
        {
            System.getProperties().remove(PROPERTY);
        }
    }

    @SuppressWarnings("unchecked")          // Only this class puts it there.
    private static Map<Object, Deque<FileChannel>> all()
    {
        final Object all = System.getProperties().get(PROPERTY);
        return all == null ? new HashMap<>() : (Map<Object, Deque<FileChannel>>)all;
    }
}
