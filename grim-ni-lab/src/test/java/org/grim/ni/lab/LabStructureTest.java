// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.lab;

import org.grim.StructureContract;

final class LabStructureTest extends StructureContract
{
    LabStructureTest()
    {
        super("grim-ni-lab/target/classes");
    }
}
