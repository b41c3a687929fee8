// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.report;

import java.util.List;

/** The page of {@code tune}: speed against size, a line for each mechanism. Any thread; no state. */
public final class TunePage
{
    private TunePage()
    {
    }

    /** Makes the page. Returns a whole HTML file. */
    public static String of(final TuneReport report)
    {
        final Page page = new Page("Injection into the memory of a LANai " + report.lanaiModel() + " board");
        page.remarks().add(new Page.Remark("plain", report.machine()));
        final List<Integer> sizes = report.choices().stream().map(TuneReport.Choice::size).toList();
        final List<Page.Curve> curves = report.series().stream().map(name -> new Page.Curve(name, sizes.stream()
            .map(size -> report.row(size, name).map(TuneReport.Row::megabytesPerSecond).orElse(null)).toList(),
            List.of())).toList();
        final Page.Section section = new Page.Section("Speed", "Higher is better.");
        section.plots().add(Page.Plot.of("speed [MB/s]", "The table shows the choices.", "payload [bytes]",
            sizes.stream().map(size -> RunPage.place("size", size)).toList(), "MB/s", curves, new Page.Table(
            sizes.size() + " choices", List.of("size", "mechanism", "burst", "registered memory", "segment"),
            report.choices().stream().map(choice -> List.<Object>of(choice.size(), choice.mechanism(), choice.burst(),
                choice.registered(), choice.segment())).toList())));
        page.sections().add(section);
        return page.html();
    }
}
