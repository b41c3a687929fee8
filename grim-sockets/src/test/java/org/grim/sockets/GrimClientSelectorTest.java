// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import java.nio.file.Path;

import org.junit.jupiter.api.io.TempDir;

/** A client over GRIM meets servers that are not of the cluster. */
final class GrimClientSelectorTest extends SelectorContract
{
    @TempDir
    private static Path directory;

    @Override
    ProviderPair open()
    {
        return ProviderPair.ofGrimClient(directory);
    }
}
