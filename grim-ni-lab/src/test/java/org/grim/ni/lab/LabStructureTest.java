// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.lab;

import org.grim.StructureContract;

final class LabStructureTest extends StructureContract
{
    LabStructureTest()
    {
        super("grim-ni-lab/target/classes", "org.grim.ni.clock", "org.grim.ni.explorer", "org.grim.ni.fabric",
            "org.grim.ni.guard", "org.grim.ni.lab.campaign", "org.grim.ni.lab.cli", "org.grim.ni.lab.prediction",
            "org.grim.ni.model", "org.grim.ni.scale", "org.grim.ni.simulation", "org.grim.ni.simulation.check",
            "org.grim.ni.simulation.cluster", "org.grim.ni.simulation.scenario", "org.grim.ni.timing",
            "org.grim.ni.trace");
    }
}
