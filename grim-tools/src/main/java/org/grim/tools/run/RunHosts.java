// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.grim.text.SafeText;

/**
 * Hosts of a run, in the order in which they get ranks. Thread: any; immutable.
 */
public record RunHosts(List<Host> hosts)
{
    static final String LOCAL_NAME = "localhost";
    /** This host alone. */
    public static final RunHosts LOCAL = new RunHosts(List.of(new Host(LOCAL_NAME, 0)));

    static final int SLOTS_MAX = 4096;
    /** Begins with no hyphen, which ssh would take for an option. A name is also a label of GRIM: up to 60 bytes. */
    private static final Pattern HOST = Pattern.compile(
        "(?<name>(\\w[\\w.-]*@)?(\\w[\\w.-]{0,59}|\\[[0-9A-Fa-f:.]{2,58}]))(:(?<slots>[0-9]{1,9}))?");

    /** One host, as ssh takes it; 0 slots if their number was not said. */
    public record Host(String name, int slots)
    {
        /** Returns the name or address without the user and without brackets. */
        String address()
        {
            return name.substring(name.indexOf('@') + 1).replaceAll("[\\[\\]]", "");
        }
    }

    /**
     * Reads the value of {@code --hosts}, such as {@code a,b:2}.
     *
     * @throws IllegalArgumentException naming what is wrong.
     */
    public static RunHosts ofList(final String list)
    {
        final List<Host> hosts = new ArrayList<>();
        for (final String word : list.split(",", -1))
        {
            add(hosts, word.trim(), "--hosts=" + SafeText.shorten(list));
        }
        return new RunHosts(List.copyOf(hosts));
    }

    /**
     * Reads a file of a host per line: {@code NAME}, {@code NAME:SLOTS} or {@code NAME slots=SLOTS}; {@code #} begins a
     * comment.
     *
     * @throws IllegalArgumentException naming file and line, if it cannot be read or has something else in it.
     */
    public static RunHosts ofFile(final Path file)
    {
        final List<Host> hosts = new ArrayList<>();
        final List<String> lines;
        try
        {
            lines = Files.readAllLines(file);
        }
        catch (final IOException ex)
        {
            throw new IllegalArgumentException("--hostfile=" + file + " cannot be read as text: " + ex, ex);
        }
        for (int i = 0; i < lines.size(); i++)
        {
            final String line = lines.get(i).split("#", -1)[0].trim().replaceFirst("\\s+slots\\s*=\\s*", ":");
            if (!line.isEmpty())
            {
                add(hosts, line, "--hostfile=" + file + " line=" + (i + 1));
            }
        }
        if (hosts.isEmpty())
        {
            throw new IllegalArgumentException("--hostfile=" + file + " names no host");
        }
        return new RunHosts(List.copyOf(hosts));
    }

    private static void add(final List<Host> hosts, final String text, final String where)
    {
        final Matcher matcher = HOST.matcher(text);
        if (!matcher.matches())
        {
            throw new IllegalArgumentException(where + ": \"" + SafeText.shorten(text) +
                "\" is neither NAME nor NAME:SLOTS, nor in a file NAME slots=SLOTS; a name has up to 60 characters");
        }
        final String name = matcher.group("name");
        final String slots = matcher.group("slots");
        if (slots != null && (Integer.parseInt(slots) < 1 || Integer.parseInt(slots) > SLOTS_MAX))
        {
            throw new IllegalArgumentException(
                where + ": slots=" + slots + " of host=" + name + " is outside 1 to " + SLOTS_MAX);
        }
        if (hosts.stream().anyMatch(host -> host.name().equals(name)))
        {
            throw new IllegalArgumentException(where + ": host=" + name + " is named twice");
        }
        hosts.add(new Host(name, slots == null ? 0 : Integer.parseInt(slots)));
    }

    /**
     * Distributes ranks in blocks: to each host as many as it has slots; evenly, if no host names its slots.
     *
     * @return the index of the host of each rank.
     * @throws IllegalArgumentException if the slots are too few.
     */
    List<Integer> place(final int rankCount)
    {
        final boolean isEven = hosts.stream().allMatch(host -> host.slots() == 0);
        final List<Integer> places = new ArrayList<>();
        for (int i = 0; i < hosts.size(); i++)
        {
            final int rest = rankCount - places.size();
            final int hostsLeft = hosts.size() - i;
            // A host without a number of slots has one, as soon as another host names its slots.
            final int share = isEven ? (rest + hostsLeft - 1) / hostsLeft : Math.max(1, hosts.get(i).slots());
            for (int j = 0; j < Math.min(rest, share); j++)
            {
                places.add(i);
            }
        }
        if (places.size() < rankCount)
        {
            throw new IllegalArgumentException("-n=" + rankCount + " is above the slots=" + places.size() +
                " of all hosts");
        }
        return places;
    }
}
