// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli.groups;

import java.nio.file.Path;

import org.grim.bench.groups.GroupComparison;
import org.grim.bench.groups.GroupMember;
import org.grim.bench.groups.Waiting;
import org.grim.tools.pair.PeerPair;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * A member of the group of {@code bench groups}, in a process of its own.
 * <p>Thread: main.
 */
@Command(name = GroupComparison.MEMBER_COMMAND, hidden = true)
public final class GroupMemberCommand implements Runnable
{
    @Option(names = "--directory", required = true)
    private Path directory;

    @Option(names = "--index", required = true)
    private int index;

    @Option(names = "--members", required = true)
    private int members;

    @Option(names = "--cpu", required = true)
    private int cpu;

    @Option(names = "--waiting", required = true)
    private Waiting waiting;

    @Override
    public void run()
    {
        PeerPair.disableBoundsChecks();
        GroupMember.run(directory, index, members, cpu, waiting);
    }
}
