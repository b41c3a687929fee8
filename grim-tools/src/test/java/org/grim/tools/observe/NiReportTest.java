// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Report of a board made by hand. */
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

            final JsonNode json = new ObjectMapper().valueToTree(report.json());
            assertEquals(9, json.get("lanaiModel").asInt());
            assertEquals(2, json.at("/counters/steps").asInt());
            assertEquals("{\"context\":0,\"ownerNode\":0,\"ownerIncarnation\":1,\"state\":\"attached\"," +
                "\"firstChannel\":0,\"channelCount\":2}", json.at("/contexts/0").toString());
            assertEquals("{\"channel\":0,\"ownerNode\":0,\"ownerChannel\":0,\"status\":\"running\"," +
                "\"queuedLength\":160,\"queueLength\":1024,\"front\":0,\"next\":0,\"back\":160,\"filled\":0," +
                "\"delivered\":0,\"undelivered\":0,\"unknown\":0,\"refused\":0,\"arrivals\":{\"mode\":" +
                "\"tail-flag\",\"unreadCount\":0,\"capacity\":4,\"messageCount\":0}}",
                json.at("/channels/0").toString());
            assertEquals(1, json.at("/channels/1/arrivals/unreadCount").asInt());
            final JsonNode triples = json.get("triples");
            assertEquals("{\"channel\":0,\"ni\":1,\"destinationChannel\":2,\"nacks\":1,\"rollbacks\":0," +
                "\"repeats\":0}", triples.get(triples.size() - 1).toString());
            assertEquals(0, json.get("missing").size());
            assertTrue(report.text().contains("from NI channel  to NI  NI channel  nacks  rollbacks  repetitions"));
            assertNull(NiReport.of(boards.look(0), BOB));
            assertEquals(SeenNode.NI_NONE, boards.nodes().get(BOB).niNumber());
        }
    }
}
