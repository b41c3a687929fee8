// SPDX-License-Identifier: Apache-2.0
package org.grim.ni;

import org.grim.StructureContract;

final class FirmwareStructureTest extends StructureContract
{
    FirmwareStructureTest()
    {
        super("grim-ni-firmware-sim/target/classes", "org.grim.ni.board", "org.grim.ni.control",
            "org.grim.ni.deadline", "org.grim.ni.delivery", "org.grim.ni.event", "org.grim.ni.firmware",
            "org.grim.ni.memory", "org.grim.ni.multicast", "org.grim.ni.service", "org.grim.ni.window",
            "org.grim.ni.wire");
    }
}
