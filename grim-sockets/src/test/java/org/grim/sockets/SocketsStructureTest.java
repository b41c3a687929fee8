// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import org.grim.StructureContract;

final class SocketsStructureTest extends StructureContract
{
    SocketsStructureTest()
    {
        super("grim-sockets/target/classes", "org.grim.sockets", "org.grim.sockets.node", "org.grim.sockets.observe");
    }
}
