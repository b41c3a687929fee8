// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

import org.grim.StructureContract;

final class BoardStructureTest extends StructureContract
{
    BoardStructureTest()
    {
        super("grim-board/target/classes", "org.grim.board", "org.grim.board.counters", "org.grim.board.host");
    }
}
