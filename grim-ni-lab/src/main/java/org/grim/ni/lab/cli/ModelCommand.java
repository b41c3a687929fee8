// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.lab.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.grim.ni.lab.prediction.ModelPlot;
import org.grim.ni.lab.prediction.ModelResult;
import org.grim.ni.lab.prediction.ModelRun;
import org.grim.ni.lab.prediction.ModelText;
import org.grim.ni.timing.HostTiming;
import org.grim.ni.timing.LanaiModel;
import org.grim.tools.cli.JsonOption;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The original system end to end. */
@Command(name = "model", mixinStandardHelpOptions = true,
    description = "Predicts the original system on its boards, in virtual time, from the costs of its components.",
    footer = {"", "Nothing is measured here, and nothing was fitted to end-to-end figures; grim-ni-lab/docs/model.md",
        "lists what is assumed. JSON: an array of {host, ni, mode, notification, size, latencyUs, bandwidthMBs}, then",
        "for each host, ni and mode {summary: true, ..., latencyLowUs, latencyHighUs, bandwidthLowMBs,",
        "bandwidthHighMBs, halfSize, halfSizeLow, halfSizeHigh}; the same with the other kind of notification",
        "{other: true, ...}; {multicast: true, host, ni, size, hosts, memberUs, outsiderUs, unicastsUs, gain} and",
        "{fault, host, ni, sumUs, parts, leftOut}, whose figures are [low, central, high]."})
final class ModelCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Option(names = "--ni", paramLabel = "NI", description = "lanai4 or lanai9 (default: both).")
    private String ni;

    @Option(names = "--host", paramLabel = "HOST", description = "p3-550 or p4-1700 (default: both).")
    private String host;

    @Option(names = "--plot", paramLabel = "DIR", description = "Also draw plots (PNG) into this directory.")
    private Path directory;

    @Mixin
    private JsonOption json;

    @Override
    public Integer call() throws IOException
    {
        final List<HostTiming> hosts = chosen("--host", host, HostTiming.values(), HostTiming::label);
        final List<LanaiModel> nis = chosen("--ni", ni, LanaiModel.values(), LanaiModel::label);
        if (directory != null && Files.exists(directory) && !Files.isDirectory(directory))
        {
            throw new ParameterException(spec.commandLine(), "--plot=" + directory + " is not a directory");
        }
        final PrintWriter text = json.text();
        final List<ModelResult> results = ModelRun.run(hosts, nis);
        json.print(ModelText.of(results), ModelResult.json(results));
        if (directory != null)
        {
            Files.createDirectories(directory);
            ModelPlot.write(results, directory).forEach(file -> text.println("plot: " + file));
            text.flush();
        }
        return 0;
    }

    private <T> List<T> chosen(
        final String option, final String value, final T[] all, final Function<T, String> label)
    {
        final List<T> chosen =
            Stream.of(all).filter(each -> value == null || label.apply(each).equals(value)).toList();
        if (chosen.isEmpty())
        {
            throw new ParameterException(spec.commandLine(), option + "=" + value + " is neither " +
                Stream.of(all).map(label).collect(Collectors.joining(" nor ")));
        }
        return chosen;
    }
}
