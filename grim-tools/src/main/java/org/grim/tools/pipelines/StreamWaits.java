// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pipelines;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import org.grim.EndpointId;
import org.grim.device.accelerator.ItemWait;
import org.grim.tools.observe.WhyCause;
import org.grim.tools.report.Age;
import org.grim.tools.report.Json;

/**
 * Connections of streams of which the sink has taken nothing between two looks although items are under way, and the
 * stage nearest to the sink that holds them up. Any thread. Sans-io.
 */
final class StreamWaits
{
    private final Look before;
    private final Look now;
    private final Function<EndpointId, String> names;
    private final long betweenMs;
    private final List<Map<String, Object>> entries = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();

    /**
     * One look.
     *
     * @param owners  with their connections.
     * @param answers of the accelerators that were asked for {@link ItemWait#NAME}; none of one that was silent.
     */
    record Look(List<PipelineSample> owners, Map<EndpointId, String> answers)
    {
    }

    /** A finding: the nearest cause, and a sentence. */
    private record Finding(WhyCause cause, String sentence, long sinceMs)
    {
    }

    StreamWaits(final Look before, final Look now, final Function<EndpointId, String> names, final long betweenMs)
    {
        this.before = before;
        this.now = now;
        this.names = names;
        this.betweenMs = betweenMs;
        for (final PipelineSample sample : now.owners)
        {
            for (final PipelineSample.Pipeline pipeline : sample.connections())
            {
                final PipelineSample.Pipeline earlier = find(before, sample, pipeline);
                if (earlier != null && earlier.pending() > 0 && pipeline.pending() > 0 &&
                    earlier.accounted() == pipeline.accounted())
                {
                    add(sample, pipeline);
                }
            }
        }
    }

    private static PipelineSample.Pipeline find(
        final Look look, final PipelineSample sample, final PipelineSample.Pipeline pipeline)
    {
        return look.owners.stream().filter(each -> each.endpoint().equals(sample.endpoint()))
            .flatMap(each -> each.connections().stream()).filter(each -> each.number() == pipeline.number() &&
            each.name().equals(pipeline.name())).findFirst().orElse(null);
    }

    private void add(final PipelineSample sample, final PipelineSample.Pipeline pipeline)
    {
        final Finding finding = finding(sample, pipeline);
        final long stuckMs = Math.max(betweenMs, finding.sinceMs);
        final String sink = names.apply(pipeline.sink());
        final String head = "connection " + pipeline.name() + " of " + sample.owner() + " to " + sink + ": " +
            pipeline.state() + ", " + pipeline.pending() + " of " + pipeline.window() + " items under way, for " +
            Age.duration(stuckMs);
        final String sentence = sink + " waits for " + finding.sentence +
            (finding.sinceMs < 0 ? "" : ", since " + Age.duration(finding.sinceMs));
        entries.add(Json.object("from", sample.owner(), "to", sink, "channel", -1, "queue", -1, "kind", "stream",
            "unread", pipeline.pending(), "slots", pipeline.window(), "stuckMs", stuckMs, "cause",
            finding.cause.label(), "chain", List.of(head, sentence)));
        text.append(head).append("\n  ").append(sentence).append("\n  cause: ").append(finding.cause.label())
            .append("\n\n");
    }

    /** Looks from the sink to the source: what a stage before waits for is room in the one that is found. */
    private Finding finding(final PipelineSample sample, final PipelineSample.Pipeline pipeline)
    {
        for (int i = pipeline.stages().size() - 1; i >= 0; i--)
        {
            final PipelineSample.StageSample stage = pipeline.stages().get(i);
            final String where = stage.kernel() + " on " + names.apply(stage.device()) + ": ";
            if (!stage.isUp())
            {
                return new Finding(WhyCause.STAGE_SILENT, where + "the device is " + stage.state(), -1);
            }
            final String answer = now.answers.get(stage.device());
            if (answer == null)
            {
                return new Finding(WhyCause.STAGE_SILENT, where + "the device does not answer", -1);
            }
            final Finding found = finding(sample, pipeline, stage, where, answer);
            if (found != null)
            {
                return found;
            }
        }
        return new Finding(WhyCause.ITEMS_BETWEEN_STAGES, "items that no stage has: they are in queues between the " +
            "stages, or in the sink", -1);
    }

    private Finding finding(
        final PipelineSample sample, final PipelineSample.Pipeline pipeline, final PipelineSample.StageSample stage,
        final String where, final String answer)
    {
        final int owner = sample.endpoint().key();
        final List<ItemWait> waits = ItemWait.parse(answer);
        for (final ItemWait wait : waits)
        {
            if (wait.owner() == owner && wait.stream() == pipeline.number() && wait.kernel().equals(stage.kernel()) &&
                hasStood(stage.device(), wait))
            {
                return finding(where, wait);
            }
        }
        for (final ItemWait.Behind behind : ItemWait.parseBehind(answer))
        {
            final ItemWait head = behind.owner() != owner || behind.stream() != pipeline.number() ? null :
                waits.stream().filter(wait -> wait.channel() == behind.channel() && wait.owner() != 0 &&
                hasStood(stage.device(), wait) && (wait.owner() != owner || wait.stream() != pipeline.number()))
                .findFirst().orElse(null);
            if (head != null)
            {
                final Finding first = finding("", head);
                return new Finding(WhyCause.BEHIND_ANOTHER_STREAM, where + "its items wait behind one of connection " +
                    nameOf(head) + " for " + head.kernel() + ": " + first.sentence, first.sinceMs);
            }
        }
        return null;
    }

    /** Says whether the same item was first of its channel at the look before. */
    private boolean hasStood(final EndpointId device, final ItemWait wait)
    {
        final String answer = before.answers.get(device);
        return answer != null && ItemWait.parse(answer).stream().anyMatch(each -> each.channel() == wait.channel() &&
            each.owner() == wait.owner() && each.stream() == wait.stream() && each.sequence() == wait.sequence());
    }

    private Finding finding(final String where, final ItemWait wait)
    {
        return switch (wait.kind())
        {
            case IMAGE -> new Finding(WhyCause.IMAGE_NOT_LOADED, where + wait.detail(), wait.sinceMs());
            case PAGE -> new Finding(WhyCause.PAGES_NOT_IN_FRAMES, where + wait.detail(), wait.sinceMs());
            case KERNEL -> new Finding(WhyCause.KERNEL_RUNS, where + wait.detail(), wait.sinceMs());
            case NEXT -> new Finding(WhyCause.NEXT_STAGE_FULL, where + names.apply(EndpointId.ofKey(wait.next())) +
                " has no room for its result", wait.sinceMs());
            case TURN -> new Finding(WhyCause.KERNEL_RUNS, where + "item " + wait.sequence() + " is being run",
                wait.sinceMs());
        };
    }

    private String nameOf(final ItemWait wait)
    {
        return now.owners.stream().filter(sample -> sample.endpoint().key() == wait.owner())
            .flatMap(sample -> sample.connections().stream()).filter(each -> each.number() == wait.stream())
            .map(PipelineSample.Pipeline::name).findFirst().orElse("number " + wait.stream());
    }

    List<Map<String, Object>> entries()
    {
        return entries;
    }

    String text()
    {
        return text.toString();
    }
}
