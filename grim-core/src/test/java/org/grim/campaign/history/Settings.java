// SPDX-License-Identifier: Apache-2.0
package org.grim.campaign.history;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Common settings of the nodes of all campaigns. */
public final class Settings
{
    private Settings()
    {
    }

    /** Queues so short that they are full at times; a message of 8 KB is a long one. */
    public static Map<String, Object> tight(final Path directory)
    {
        final Map<String, Object> settings = new HashMap<>();
        settings.put("grim.cluster.directory", directory.toString());
        settings.put("grim.channels.count", Sending.CHANNEL_COUNT);
        settings.put("grim.channels.host", Sending.CHANNEL_COUNT);
        settings.put("grim.queue.exclusive", 2);
        settings.put("grim.queue.shared", 1);
        settings.put("grim.queue.slot-count", 64);
        settings.put("grim.queue.ring-length", "16KiB");
        settings.put("grim.queue.frame-count", 8);
        settings.put("grim.queue.frame-length", 4_096);
        settings.put("grim.memory.length-max", "8MiB");
        settings.put("grim.memory.arena-length", "1MiB");
        settings.put("grim.message.length-max", "256KiB");
        settings.put("grim.message.reassembly-length", "1MiB");
        settings.put("grim.overflow.ceiling", "4MiB");
        settings.put("grim.handlers.resolve-timeout", "60s");
        return settings;
    }
}
