// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

import org.grim.tools.report.Table;

/** Result of the command {@code tune}; its components are the JSON. */
public record TuneReport(
    String command, String machine, String board, int lanaiModel, double ringNs, int rounds, String file, String plot,
    List<Row> rows, List<Choice> choices)
{
    private static final String PACED = "paced";
    private static final int PACED_COLUMN = 3;
    private static final String MARK = "*";

    /** One figure. */
    public record Row(int size, String mechanism, int burst, double ns, double megabytesPerSecond)
    {
    }

    /** Choice for a size class: for payloads anywhere, and in the DMA region; bursts and segments of 0 are whole. */
    public record Choice(int size, String mechanism, int burst, String registered, int segment)
    {
        private boolean isOf(final Row row)
        {
            return mechanism.equals(row.mechanism()) && burst == row.burst();
        }

        private boolean isRegisteredOf(final Row row)
        {
            return !mechanism.equals(registered) && registered.equals(row.mechanism());
        }
    }

    /** Columns of the table and lines of the plot: the mechanisms, and all that is paced as one. */
    public List<String> series()
    {
        final Set<String> names = new LinkedHashSet<>();
        rows.forEach(row -> names.add(name(row)));
        final List<String> series = new ArrayList<>(names);
        if (series.remove(PACED))
        {
            series.add(Math.min(PACED_COLUMN, series.size()), PACED);
        }
        return series;
    }

    /** The figure of a size in a series: of all that is paced, what was chosen, or the fastest. */
    public Optional<Row> row(final int size, final String series)
    {
        final List<Row> candidates =
            rows.stream().filter(row -> row.size() == size && name(row).equals(series)).toList();
        return candidates.stream().filter(this::isChosen).findFirst()
            .or(() -> candidates.stream().min(Comparator.comparingDouble(Row::ns)));
    }

    /** Whether the plan uses a candidate. True for payloads anywhere, or in the DMA region. */
    public boolean isChosen(final Row row)
    {
        return choices.stream().anyMatch(
            choice -> choice.size() == row.size() && (choice.isOf(row) || choice.isRegisteredOf(row)));
    }

    /** For people. */
    public String text()
    {
        final List<String> series = series();
        final List<String> headings = new ArrayList<>(List.of("size"));
        headings.addAll(series);
        headings.add("segment");
        final Table table = new Table(headings.toArray(new String[0]));
        for (final Choice choice : choices)
        {
            final List<Object> cells = new ArrayList<>(List.of(choice.size()));
            series.forEach(name -> cells.add(row(choice.size(), name).map(this::cell).orElse("")));
            cells.add(choice.segment() == 0 ? "whole" : Integer.toString(choice.segment()));
            table.row(cells.toArray());
        }
        return table + "MB/s (10^6 bytes); " + MARK +
            " chosen (zero-copy: for payloads in the DMA region); paced: /burst" + System.lineSeparator() +
            "one ring of the doorbell: " + ringNs + " ns; medians of " + rounds + " rounds; " +
            board + System.lineSeparator();
    }

    /** The page: speed against size, a line for each mechanism. {@return a whole HTML file} */
    public String page()
    {
        final Page page = new Page("Injection into the memory of a LANai " + lanaiModel + " board");
        page.remarks().add(new Page.Remark("plain", machine));
        final List<Integer> sizes = choices.stream().map(Choice::size).toList();
        final List<Page.Curve> curves = series().stream().map(name -> new Page.Curve(name, sizes.stream()
            .map(size -> row(size, name).map(Row::megabytesPerSecond).orElse(null)).toList(),
            List.of())).toList();
        final Page.Section section = new Page.Section("Speed", "Higher is better.");
        section.plots().add(Page.Plot.of("speed [MB/s]", "The table shows the choices.", "payload [bytes]",
            sizes.stream().map(size -> RunPage.place("size", size)).toList(), "MB/s", curves, new Page.Table(
            sizes.size() + " choices", List.of("size", "mechanism", "burst", "registered memory", "segment"),
            choices.stream().map(choice -> List.<Object>of(choice.size(), choice.mechanism(), choice.burst(),
                choice.registered(), choice.segment())).toList())));
        page.sections().add(section);
        return page.html();
    }

    private String cell(final Row row)
    {
        return String.format(Locale.ROOT, "%6.0f%s%s", row.megabytesPerSecond(), isChosen(row) ? MARK : " ",
            row.burst() == 0 ? "" : "/" + row.burst() + (row.mechanism().startsWith("word") ? " words" : " bulk"));
    }

    private static String name(final Row row)
    {
        return row.burst() == 0 ? row.mechanism() : PACED;
    }
}
