// SPDX-License-Identifier: Apache-2.0
package org.grim.mpi;

import org.grim.StructureContract;

final class MpiStructureTest extends StructureContract
{
    MpiStructureTest()
    {
        super("grim-mpi/target/classes", "org.grim.mpi");
    }
}
