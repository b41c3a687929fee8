// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.report;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

final class TableTest
{
    @Test
    void shouldAlignNumbersRightAndWordsLeft()
    {
        final Table table = new Table("name", "count");
        table.row("a", 7);
        table.row("longer", 12345678);

        assertEquals(List.of("name       count", "a              7", "longer  12345678"),
            table.toString().lines().toList());
    }

    @Test
    void shouldPrintNumbersInPlainDigits()
    {
        final Table table = new Table("ns");
        table.row(1.05676795E7);
        table.row(0.5);
        table.row(Double.NaN);

        assertEquals(List.of("        ns", "10567679.5", "       0.5", "       NaN"),
            table.toString().lines().toList());
    }

    @Test
    void shouldRefuseRowOfAnotherWidth()
    {
        assertThrows(IllegalArgumentException.class, () -> new Table("name", "count").row("a"));
    }
}
