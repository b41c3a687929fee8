// SPDX-License-Identifier: Apache-2.0
package org.grim.bench;

import org.grim.StructureContract;

final class BenchStructureTest extends StructureContract
{
    BenchStructureTest()
    {
        super("grim-bench/target/classes");
    }
}
