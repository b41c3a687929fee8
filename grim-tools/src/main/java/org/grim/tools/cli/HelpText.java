// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Help of all commands: footers are wrapped once, as paragraphs, and the list of commands has groups.
 * <p>Thread: any; no state.
 */
final class HelpText
{
    private static final int WIDTH = 78;
    private static final int HANGING = 4;
    /** A line of source that is shorter ends its paragraph. */
    private static final int FULL_LENGTH = 60;
    /** Begins a paragraph, and so does an indented line. */
    private static final String JSON = "JSON";
    /** In the order of need. */
    private static final Map<String, List<String>> GROUPS = new LinkedHashMap<>();

    static
    {
        GROUPS.put("Programs", List.of("run", "example", "pingpong", "demo-cluster",
            "demo-video", "replay"));
        GROUPS.put("A cluster, seen from outside", List.of("clusters", "nodes", "stat", "top", "pipelines",
            "why", "doctor"));
        GROUPS.put("Processes that serve others", List.of("host", "board", "device"));
        GROUPS.put("Help", List.of("help", "completion"));
        GROUPS.put("Measurements", List.of("bench", "report", "tune", "poll", "jmh"));
        GROUPS.put("Laboratory", List.of("simulate", "scale", "model"));
    }

    private HelpText()
    {
    }

    /** Arranges the help of the command line and of all its commands. */
    static void arrange(final CommandLine line)
    {
        line.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING, help -> "");
        line.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, HelpText::commands);
        wrapFooters(line);
    }

    private static void wrapFooters(final CommandLine line)
    {
        final UsageMessageSpec usage = line.getCommandSpec().usageMessage();
        final List<String> lines = new ArrayList<>();
        paragraphs(usage.footer()).forEach(paragraph -> wrap(paragraph, lines));
        usage.footer(lines.toArray(new String[0]));
        line.getSubcommands().values().forEach(HelpText::wrapFooters);
    }

    /** Joins lines that the source broke. */
    static List<String> paragraphs(final String... lines)
    {
        final List<String> paragraphs = new ArrayList<>();
        int previousLength = 0;
        for (final String line : lines)
        {
            if (previousLength >= FULL_LENGTH && !line.isEmpty() && !line.startsWith(" ") && !line.startsWith(JSON))
            {
                final int last = paragraphs.size() - 1;
                paragraphs.set(last, paragraphs.get(last) + " " + line);
            }
            else
            {
                paragraphs.add(line);
            }
            previousLength = line.startsWith(" ") ? 0 : line.length();
        }
        return paragraphs;
    }

    /** Breaks a paragraph into lines; further lines of an indented one stand further right. */
    static void wrap(final String paragraph, final List<String> lines)
    {
        wrap(paragraph, WIDTH, lines);
    }

    static void wrap(final String paragraph, final int width, final List<String> lines)
    {
        final int indent = paragraph.length() - paragraph.stripLeading().length();
        String rest = paragraph;
        while (rest.length() > width)
        {
            final int space = rest.lastIndexOf(' ', width);
            final int end = space > indent + HANGING ? space : rest.indexOf(' ', width);
            if (end < 0)
            {
                break;                                      // One long word.
            }
            lines.add(rest.substring(0, end));
            rest = " ".repeat(indent == 0 ? 0 : indent + HANGING) + rest.substring(end + 1);
        }
        lines.add(rest);
    }

    private static String commands(final Help help)
    {
        final Map<String, Help> left = new LinkedHashMap<>(help.subcommands());
        final StringBuilder text = new StringBuilder();
        GROUPS.forEach((title, names) ->
        {
            final Map<String, Help> group = new LinkedHashMap<>();
            names.stream().filter(left::containsKey).forEach(name -> group.put(name, left.remove(name)));
            append(text, help, title, group);
        });
        append(text, help, "More", left);
        return text.toString();
    }

    private static void append(
        final StringBuilder text, final Help help, final String title, final Map<String, Help> group)
    {
        if (!group.isEmpty())
        {
            text.append(System.lineSeparator()).append(title).append(':').append(System.lineSeparator())
                .append(help.commandList(group));
        }
    }
}
