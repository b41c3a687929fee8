// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import org.grim.StructureContract;

final class MyrinetStructureTest extends StructureContract
{
    MyrinetStructureTest()
    {
        super("grim-transport-myrinet/target/classes");
    }
}
