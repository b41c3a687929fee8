// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pipelines;

import java.util.List;
import java.util.Map;

import org.grim.EndpointId;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Streams of which the sink takes nothing: the nearest stage that holds them up, from two looks. */
final class StreamWaitsTest
{
    private static final EndpointId OWNER = EndpointId.of(1, 1, 1);
    private static final EndpointId DISPLAY = EndpointId.of(2, 1, 1);
    private static final EndpointId GPU1 = EndpointId.of(3, 1, 0);
    private static final EndpointId GPU2 = EndpointId.of(4, 1, 0);
    private static final String LIST = String.join("\t", "connection", "7", "full", "1", "" + DISPLAY.key(), "4", "%d",
        "%d", "0", "0", "0", "edges") + "\n" +
        String.join("\t", "stage", "" + GPU1.key(), "5", "0", "gauss") + "\n" +
        String.join("\t", "stage", "" + GPU2.key(), "6", "0", "sobel") + "\n";
    private static final String NONE = "";

    private static StreamWaits.Look look(
        final int injected, final int delivered, final String gpu1, final String gpu2)
    {
        final PipelineSample sample = PipelineSample.parse("owner", OWNER, LIST.formatted(injected, delivered));
        final PipelineSample up = new PipelineSample("owner", OWNER, sample.connections().stream().map(each ->
            PipelineSample.with(each, each.stages().stream().map(stage -> stage.with(1, gpu2 == null &&
            stage.device().equals(GPU2) ? "gone" : "running")).toList(), each.failure())).toList());
        return new StreamWaits.Look(up.connections().isEmpty() ? List.of() : List.of(up),
            gpu2 == null ? Map.of(GPU1, gpu1) : Map.of(GPU1, gpu1, GPU2, gpu2));
    }

    private static String wait(
        final int stream, final int sequence, final String kernel, final String kind, final int next,
        final long sinceMs, final String detail)
    {
        return String.join("\t", "wait", "1", "" + OWNER.key(), "" + stream, "" + sequence, kernel, "2", kind,
            "" + next, "" + sinceMs, detail) + "\n";
    }

    private static StreamWaits between(final StreamWaits.Look before, final StreamWaits.Look now)
    {
        return new StreamWaits(before, now, endpoint ->
            List.of("", "owner", "display", "gpu1", "gpu2").get(endpoint.node()), 200);
    }

    private static StreamWaits still(final String gpu1, final String gpu2)
    {
        return between(look(9, 5, gpu1, gpu2), look(9, 5, gpu1, gpu2));
    }

    @Test
    void shouldNameTheStageNearestToTheSinkThatHoldsItemsUp()
    {
        final StreamWaits waits = still(wait(7, 8, "gauss", "NEXT", GPU2.key(), -1, "the next stage has no room"),
            wait(7, 6, "sobel", "IMAGE", 0, 1_234, "image edges.jar is loading"));

        assertEquals("""
            connection edges of owner to display: full, 4 of 4 items under way, for 1.2 s
              display waits for sobel on gpu2: image edges.jar is loading, since 1.2 s
              cause: image-not-loaded

            """, waits.text());
        assertEquals(1, waits.entries().size());
        assertEquals("image-not-loaded", waits.entries().get(0).get("cause"));
        assertEquals(1_234L, waits.entries().get(0).get("stuckMs"));
    }

    @Test
    void shouldNameEachCause()
    {
        assertTrue(still(NONE, wait(7, 6, "sobel", "PAGE", 0, -1, "its pages are being loaded")).text().contains("""
            for 200 ms
              display waits for sobel on gpu2: its pages are being loaded
              cause: pages-not-in-frames
            """));
        assertTrue(still(NONE, wait(7, 6, "sobel", "KERNEL", 0, -1, "the kernel runs")).text().contains(
            "sobel on gpu2: the kernel runs\n  cause: kernel-runs\n"));
        assertTrue(still(NONE, wait(7, 6, "sobel", "NEXT", DISPLAY.key(), -1, "no room")).text().contains(
            "sobel on gpu2: display has no room for its result\n  cause: next-stage-full\n"));
        assertTrue(still(NONE, NONE).text().contains("\n  cause: items-between-stages\n"));
        assertTrue(still(NONE, null).text().contains("sobel on gpu2: the device is gone\n  cause: stage-silent\n"));
    }

    @Test
    void shouldNameAConnectionThatHoldsUpTheChannel()
    {
        final String answer = wait(9, 3, "other", "IMAGE", 0, 3_000, "image other.jar is loading") +
            String.join("\t", "behind", "1", "" + OWNER.key(), "7") + "\n";

        assertTrue(still(NONE, answer).text().contains("display waits for sobel on gpu2: its items wait behind one " +
            "of connection number 9 for other: image other.jar is loading, since 3.0 s\n" +
            "  cause: behind-another-stream\n"),
            still(NONE, answer)::text);
    }

    @Test
    void shouldBeSilentAboutStreamsThatMoveOrAreEmpty()
    {
        final String answer = wait(7, 6, "sobel", "IMAGE", 0, 5, "image edges.jar is loading");
        assertEquals("", between(look(9, 5, NONE, answer), look(10, 6, NONE, answer)).text());
        assertEquals("", between(look(5, 5, NONE, answer), look(5, 5, NONE, answer)).text());
        assertEquals("", between(look(5, 5, NONE, answer), look(6, 5, NONE, answer)).text());
        final String later = wait(7, 7, "sobel", "IMAGE", 0, 5, "image edges.jar is loading");
        assertTrue(between(look(9, 5, NONE, answer), look(9, 5, NONE, later)).text().contains("items-between-stages"));
    }

    @Test
    void shouldRefuseAnAnswerThatIsNone()
    {
        assertThrows(IllegalArgumentException.class, () -> still(NONE, "what\tever\n"));
        assertThrows(IllegalArgumentException.class, () -> still(NONE, wait(7, 6, "sobel", "WHAT", 0, 5, "")));
    }
}
