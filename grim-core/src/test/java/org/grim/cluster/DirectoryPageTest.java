// SPDX-License-Identifier: Apache-2.0
package org.grim.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

import org.grim.buffer.SegmentHeader;
import org.grim.transport.Membership;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertTrue;

/** Holds the page of shared memory to the version of the layout and to the places of nodes' records. */
final class DirectoryPageTest
{
    private static final int NODES_OFFSET = 256;

    @Test
    void shouldHaveTheVersionAndTheRecordsOfTheCode() throws IOException
    {
        final String page = Files.readString(page());

        assertHas(page, "| (u32) =%d |", SegmentHeader.LAYOUT_VERSION);
        assertHas(page, "One version\nnumber, now %d, counts for all files", SegmentHeader.LAYOUT_VERSION);
        assertHas(page, " %d +--------------------------------+\n     | record of node 0     (%d)     |\n",
            NODES_OFFSET, NodeRecord.LENGTH);
        assertHas(page, " %d +--------------------------------+\n     | record of node 1     (%d)     |\n",
            NODES_OFFSET + NodeRecord.LENGTH, NodeRecord.LENGTH);
        assertHas(page, "| labels of areas (%d x u64) ", NodeRecord.AREA_COUNT);
        assertHas(page, "\n %d  areas (%d x %d), ", NodeRecord.AREAS_OFFSET, NodeRecord.AREA_COUNT,
            Membership.AREA_LENGTH);
        assertHas(page, "\n  %d  latest incarnation that was up (u32)", NodeRecord.LATEST_UP_OFFSET);
    }

    private static void assertHas(final String page, final String format, final Object... numbers)
    {
        final String text = String.format(Locale.ROOT, format, numbers);
        assertTrue(page.contains(text), text);
    }

    private static Path page()
    {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.exists(directory.resolve("docs/developers/shared-memory.md")))
        {
            directory = directory.getParent();
        }
        return directory.resolve("docs/developers/shared-memory.md");
    }
}
