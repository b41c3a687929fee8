// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

import org.grim.tools.doctor.Doctor;
import org.grim.tools.doctor.Finding;
import org.grim.tools.report.Json;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Finds obstacles to GRIM on this host. */
@Command(name = "doctor", mixinStandardHelpOptions = true,
    description = "Finds obstacles to GRIM on this host, each with its cure.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:nothing was found", "1:failed", "2:wrong usage", "3:something was found"},
    footer = {"", "Looks at the JVM that runs it, its limits and its clock; the place of the cluster's files; the",
        "clusters there; the network that is configured; and programs of the cluster whose java.nio channels",
        "run over GRIM: which of their servers listen past it. Each finding names value, limit and cure.",
        "Needs the rights of the programs' user.", "JSON: [{text, cure}]."})
final class DoctorCommand implements Callable<Integer>
{
    private static final int NOTHING_FOUND = 0;
    private static final int SOMETHING_FOUND = 3;
    /** Of a terminal; what reads a pipe gets a line for each sentence. */
    private static final int WIDTH = 80;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ClusterOptions cluster;

    @Option(names = "--json", description = "Print JSON.")
    private boolean isJson;

    @Override
    public Integer call() throws IOException
    {
        final List<Finding> findings = Doctor.findings(cluster.config());
        final PrintWriter output = spec.commandLine().getOut();
        if (isJson)
        {
            output.print(Json.text(findings.stream().map(finding ->
                Json.object("text", finding.text(), "cure", finding.cure())).toList()));
        }
        else
        {
            text(findings, TopCommand.isTerminal() ? WIDTH : Integer.MAX_VALUE).forEach(output::println);
            if (findings.isEmpty())
            {
                output.println("nothing was found");
            }
        }
        output.flush();
        return findings.isEmpty() ? NOTHING_FOUND : SOMETHING_FOUND;
    }

    /** Lines of at most a width, but for words that are longer; the cure stands further right. */
    static List<String> text(final List<Finding> findings, final int width)
    {
        final List<String> lines = new ArrayList<>();
        for (final Finding finding : findings)
        {
            HelpText.wrap(finding.text(), width, lines);
            HelpText.wrap("  " + finding.cure(), width, lines);
        }
        return lines;
    }
}
