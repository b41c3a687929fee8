// SPDX-License-Identifier: Apache-2.0
package org.grim.ni;

import org.grim.StructureContract;

final class FirmwareStructureTest extends StructureContract
{
    FirmwareStructureTest()
    {
        super("grim-ni-firmware-sim/target/classes");
    }
}
