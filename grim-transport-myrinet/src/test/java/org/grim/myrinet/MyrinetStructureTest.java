// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import org.grim.StructureContract;

final class MyrinetStructureTest extends StructureContract
{
    MyrinetStructureTest()
    {
        super("grim-transport-myrinet/target/classes", "org.grim.myrinet", "org.grim.myrinet.extension",
            "org.grim.myrinet.injection", "org.grim.myrinet.memory", "org.grim.myrinet.posix",
            "org.grim.myrinet.tuning");
    }
}
