// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import org.grim.StructureContract;

final class NetworkStructureTest extends StructureContract
{
    NetworkStructureTest()
    {
        super("grim-network/target/classes", "org.grim.network", "org.grim.network.launcher",
            "org.grim.network.namespaces", "org.grim.network.registry", "org.grim.network.status");
    }
}
