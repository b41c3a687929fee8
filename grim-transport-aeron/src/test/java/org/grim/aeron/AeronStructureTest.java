// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import org.grim.StructureContract;

final class AeronStructureTest extends StructureContract
{
    AeronStructureTest()
    {
        super("grim-transport-aeron/target/classes", "org.grim.aeron", "org.grim.aeron.driver",
            "org.grim.aeron.observe");
    }
}
