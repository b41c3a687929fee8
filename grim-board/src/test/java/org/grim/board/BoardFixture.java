// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

/** A small board, which wraps soon. */
public final class BoardFixture
{
    public static final int SRAM_LENGTH = 128 << 10;
    public static final int CHANNEL_COUNT = 3;
    public static final int QUEUE_LENGTH = 1024;

    private BoardFixture()
    {
    }

    public static BoardGeometry geometry()
    {
        return new BoardGeometry(9, 7, SRAM_LENGTH, CHANNEL_COUNT, QUEUE_LENGTH, 2, 5, 192);
    }
}
