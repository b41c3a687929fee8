// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import java.nio.file.Path;

import org.junit.jupiter.api.io.TempDir;

/** Clients that are not of the cluster meet a server over GRIM. */
final class GrimServerSelectorTest extends SelectorContract
{
    @TempDir
    private static Path directory;

    @Override
    ProviderPair open()
    {
        return ProviderPair.ofGrimServer(directory);
    }
}
