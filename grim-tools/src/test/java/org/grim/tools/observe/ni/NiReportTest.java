// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe.ni;

import java.nio.file.Path;
import java.util.List;

import org.grim.NodeInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

/** What is shown of a board made by hand. */
final class NiReportTest
{
    private static final int ALICE = 0;
    private static final int BOB = 1;
    private static final int BOB_FIRST = 2;

    @TempDir
    private Path directory;

    @Test
    void shouldReportWhatStatShows()
    {
        try (HandmadeBoards boards = new HandmadeBoards(directory))
        {
            boards.node(ALICE, "alice").node(BOB, "bob").board(ALICE).attach(ALICE, ALICE, 0, 0, 2);
            boards.send(ALICE, 0, BOB, BOB_FIRST, 5);
            boards.arrive(ALICE, 1, ALICE, BOB);
            boards.counters(ALICE).triple(0, BOB, BOB_FIRST).refused();
            boards.step(ALICE);

            final NiReport report = NiReport.of(boards.look(0), ALICE);

            assertEquals(9, report.lanaiModel());
            assertEquals(2L, report.counters().get("steps"));
            assertEquals(List.of(new NiReport.Context(0, ALICE, 1, "attached", 0, 2)), report.contexts());
            assertEquals(new NiReport.Channel(0, ALICE, 0, "running", 160, 1024, 0, 0, 160, 0, 0, 0, 0, 0,
                new NiReport.Arrivals("tail-flag", 0, 4, 0)), report.channels().get(0));
            assertEquals(new NiReport.Arrivals("tail-flag", 1, 4, 1), report.channels().get(1).arrivals());
            assertEquals(new NiReport.Triple(0, BOB, BOB_FIRST, 1, 0, 0),
                report.triples().get(report.triples().size() - 1));
            assertEquals(List.of(), report.missing());
            assertNull(NiReport.of(boards.look(0), BOB));
            assertEquals(NodeInfo.NI_NONE, boards.nodes().get(BOB).info().niNumber());
        }
    }
}
