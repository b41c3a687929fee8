// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;

import org.grim.GrimException;
import org.grim.tools.replay.Replay;
import org.grim.tools.report.Json;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Feeds recorded items to kernels. */
@Command(name = "replay", mixinStandardHelpOptions = true,
    description = "Feeds the items of an accelerator's record to its kernels, without a cluster.",
    footer = {"", "An accelerator records with the option record=FILE (./grim device accelerator record=items.pcap).",
        "Prints for each kernel: items, failed ones, bytes, the CRC-32C of all results in a row, and times.",
        "Items whose operands were in pages are counted and left out. A record that ends within an item is run up",
        "to there, and the exit code is 1.",
        "JSON: {command, kernels: [{kernel, items, failed, leftOut, bytesIn, bytesOut, crc, usMin, usMedian, us99,",
        "usMax, failure}], items: [{number, sequence, kernel, bytesIn, bytesOut, crc, us, failure}], recorded,",
        "missing, end}."})
final class ReplayCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "The record.")
    private Path file;

    @Option(names = "--images", paramLabel = "DIR",
        description = "Directory of images (default: only built-in kernels).")
    private Path images;

    @Option(names = "--kernel", paramLabel = "NAME", description = "Only the items of this kernel.")
    private String kernel;

    @Option(names = "--with", paramLabel = "NAME", description = "Feed the items to this kernel instead.")
    private String other;

    @Option(names = "--items", description = "Report each item, too.")
    private boolean isListing;

    @Option(names = "--json", description = "Print JSON.")
    private boolean isJson;

    @Override
    public Integer call() throws IOException
    {
        final PrintWriter output = spec.commandLine().getOut();
        final Replay.Report report = Replay.run(new Replay.Plan(file, images, kernel, other, isListing),
            isJson ? line -> { } : output::println);
        output.print(isJson ? Json.text(report.json()) : report.text());
        output.flush();
        if (report.end() != null)
        {
            throw new GrimException(GrimException.Reason.BAD_DATA, report.end());
        }
        return 0;
    }
}
