// SPDX-License-Identifier: Apache-2.0
package org.grim;

final class StructureTest extends StructureContract
{
    StructureTest()
    {
        super("grim-core/target/classes", ArchitectureTest.packages());
    }
}
