// SPDX-License-Identifier: Apache-2.0
package org.grim.members;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigRenderOptions;

/** Settings of the members of a round: small rings, low ceilings, small outboxes, or none. */
final class MemberSettings
{
    private final Map<String, Object> settings = new HashMap<>();

    MemberSettings(final SplittableRandom random, final Path directory)
    {
        settings.put("grim.cluster.directory", directory.toString());
        settings.put("grim.cluster.nodes-max", 32);
        settings.put("grim.transports", "[shmem]");
        settings.put("grim.queue.slot-count", pick(random, 16, 64, 256));
        settings.put("grim.queue.ring-length", pick(random, 16_384, 65_536, 131_072));
        settings.put("grim.queue.exclusive", pick(random, 2, 4, 8));
        settings.put("grim.queue.frame-count", 8);
        settings.put("grim.queue.frame-length", 8_192);
        settings.put("grim.overflow.ceiling", pick(random, 65_536, 500_000, 4_000_000));
        settings.put("grim.group.outbox-length", pick(random, 0, 131_072, 131_072, 524_288));
        settings.put("grim.group.eager-length", pick(random, 0, 1_024, 4_096));
        settings.put("grim.group.ring-length", pick(random, 4_096, 32_768));
        settings.put("grim.group.in-place-length", pick(random, 4_096, 32_768));
        settings.put("grim.message.length-max", 262_144);
        settings.put("grim.message.reassembly-length", 1_048_576);
        settings.put("grim.message.outbox-length", pick(random, 0, 1_048_576));
        settings.put("grim.memory.length-max", 8_388_608);
        settings.put("grim.memory.arena-length", 1_048_576);
        settings.put("grim.handlers.resolve-timeout", "60s");
    }

    String rendered()
    {
        return ConfigFactory.parseMap(settings).root().render(ConfigRenderOptions.concise())
            .replace("\"[shmem]\"", "[\"shmem\"]");
    }

    @Override
    public String toString()
    {
        return "slots=" + settings.get("grim.queue.slot-count") + " ring=" + settings.get("grim.queue.ring-length") +
            " ceiling=" + settings.get("grim.overflow.ceiling") + " outbox=" +
            settings.get("grim.group.outbox-length") + " eager=" + settings.get("grim.group.eager-length");
    }

    private static int pick(final SplittableRandom random, final int... values)
    {
        return values[random.nextInt(values.length)];
    }
}
