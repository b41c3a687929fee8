// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem;

import org.grim.StructureContract;

final class ShmemStructureTest extends StructureContract
{
    ShmemStructureTest()
    {
        super("grim-transport-shmem/target/classes", "org.grim.shmem");
    }
}
