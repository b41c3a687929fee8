// SPDX-License-Identifier: Apache-2.0
package org.grim.group;

import org.grim.StructureContract;

final class GroupsStructureTest extends StructureContract
{
    GroupsStructureTest()
    {
        super("grim-groups/target/classes", "org.grim.collective", "org.grim.group", "org.grim.multicast");
    }
}
