// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import java.nio.file.Path;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Between hosts. */
@Tag("long")
final class HostsChannelTest extends ChannelContract
{
    @TempDir
    private static Path directory;

    @Override
    ProviderPair open()
    {
        return ProviderPair.ofHosts(directory);
    }
}
