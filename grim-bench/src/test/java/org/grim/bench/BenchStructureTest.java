// SPDX-License-Identifier: Apache-2.0
package org.grim.bench;

import org.grim.StructureContract;

final class BenchStructureTest extends StructureContract
{
    BenchStructureTest()
    {
        super("grim-bench/target/classes", "org.grim.bench.all", "org.grim.bench.cli", "org.grim.bench.compare",
            "org.grim.bench.device", "org.grim.bench.figures",
            "org.grim.bench.groups", "org.grim.bench.jmh", "org.grim.bench.mpi",
            "org.grim.bench.nodes", "org.grim.bench.peers",
            "org.grim.bench.programs", "org.grim.bench.report", "org.grim.bench.tune");
    }
}
