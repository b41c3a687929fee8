// SPDX-License-Identifier: Apache-2.0
package org.grim.device;

import org.grim.StructureContract;

final class DeviceStructureTest extends StructureContract
{
    DeviceStructureTest()
    {
        super("grim-device/target/classes", "org.grim.device", "org.grim.device.accelerator", "org.grim.device.bridge",
            "org.grim.device.opencl", "org.grim.device.storage", "org.grim.device.video", "org.grim.stream");
    }
}
