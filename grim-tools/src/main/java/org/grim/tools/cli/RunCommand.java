// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

import org.grim.tools.process.EndSignal;
import org.grim.tools.process.ForeignProcess;
import org.grim.tools.run.Run;
import org.grim.tools.run.RunHosts;
import org.grim.tools.run.RunRequest;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Ranks of a program, as processes of one cluster.
 * <p>Thread: main.
 */
@Command(name = RunCommand.NAME, mixinStandardHelpOptions = true,
    description = "Starts N processes of a program as nodes of one cluster, and ends all when one fails.",
    customSynopsis = {"grim run -n N [OPTIONS] [-cp PATH] MAIN-CLASS [ARGUMENT...]",
        "       grim run -n N [OPTIONS] -- COMMAND [ARGUMENT...]"},
    footer = {"", "The node of rank R has the name node-R. Ranks start on this host; with",
        "--hosts or --hostfile in blocks on those, by ssh; otherwise inside a Slurm",
        "allocation by srun. The same paths have to be valid on all hosts. Standard",
        "input goes to rank 0. Each rank finds GRIM_RUN_RANK, GRIM_RUN_SIZE and",
        "GRIM_RUN_ID in its environment. Exit code: 0 if all ranks end with 0,",
        "otherwise that of the first that failed."})
final class RunCommand implements Callable<Integer>
{
    static final String NAME = "run";

    private static final String SEPARATOR = "--";
    /** Most members of a group, and so most processes of an MPI job. */
    private static final int COUNT_MAX = 1024;
    private static final String ALLOCATION_VARIABLE = "SLURM_JOB_ID";

    @Spec
    private CommandSpec spec;

    @Option(names = {"-n", "--ranks"}, paramLabel = "N", required = true, description = "Ranks, 1 to 1024.")
    private int count;

    @Option(names = "--hosts", paramLabel = "LIST",
        description = "Hosts with their slots, such as a,b or a:2,b:4; without slots ranks are spread evenly.")
    private String hosts;

    @Option(names = "--hostfile", paramLabel = "FILE",
        description = "File of a host per line: NAME, NAME:SLOTS or NAME slots=SLOTS; # begins a comment.")
    private Path hostfile;

    @Option(names = {"-cp", "-classpath", "--class-path"}, paramLabel = "PATH",
        description = "Class path of MAIN-CLASS, behind which GRIM stands (default: variable CLASSPATH, or .).")
    private String classPath;

    @Option(names = "-D", paramLabel = "PROPERTY", description = "System property of MAIN-CLASS, as -Dname=value.")
    private List<String> properties = new ArrayList<>();

    @Option(names = "-X", paramLabel = "FLAG", description = "JVM's flag for MAIN-CLASS, such as -Xmx1g.")
    private List<String> flags = new ArrayList<>();

    @Option(names = "--tag-output", description = "Begin each line of output with [RANK].")
    private boolean isTagged;

    @Option(names = "--keep-going", description = "Let the other ranks go on when one fails.")
    private boolean isKeepingGoing;

    @Option(names = "--ssh", paramLabel = "COMMAND", defaultValue = "ssh", split = " ",
        description = "Command that is used as ssh, with its own options (default: ${DEFAULT-VALUE}).")
    private List<String> ssh;

    @Option(names = "--srun", paramLabel = "COMMAND", defaultValue = "srun", split = " ",
        description = "Command that is used as srun, with its own options (default: ${DEFAULT-VALUE}).")
    private List<String> srun;

    @Option(names = "--directory", paramLabel = "DIR", defaultValue = "/dev/shm",
        description = "Where each host keeps the run's files while it lasts (default: ${DEFAULT-VALUE}).")
    private Path directory;

    @Parameters(arity = "0..*", paramLabel = "ARGUMENT",
        description = "MAIN-CLASS, or -- and any command, with arguments.")
    private List<String> words = new ArrayList<>();

    @Override
    public Integer call()
    {
        OptionCheck.requireWithin(spec, "-n", count, 1, COUNT_MAX);
        if (hosts != null && hostfile != null)
        {
            throw usage("--hosts=" + hosts + " and --hostfile=" + hostfile + " exclude each other");
        }
        if (words.isEmpty())
        {
            throw usage("a main class is missing, or -- and a command: see grim run --help");
        }
        try (EndSignal end = EndSignal.register())
        {
            return Run.run(request(System.getenv()), System.out, System.err, end::isEnded);
        }
    }

    private RunRequest request(final Map<String, String> environment)
    {
        final List<String> original = spec.commandLine().getParseResult().originalArgs();
        final int first = original.size() - words.size();
        final boolean isClass = !original.get(first - 1).equals(SEPARATOR);
        final RunHosts where = where(environment);
        if (!isClass && RunHosts.LOCAL.equals(where))
        {
            requireExecutable(words.get(0), environment);
        }
        if (where == null)
        {
            requireExecutable(srun.get(0), environment);
        }
        final List<String> jvmFlags = new ArrayList<>();
        flags.forEach(flag -> jvmFlags.add("-X" + flag));
        properties.forEach(property -> jvmFlags.add("-D" + property));
        if (!isClass && (classPath != null || !jvmFlags.isEmpty()))
        {
            throw usage("-cp, -D and -X are for a main class; behind -- they belong to the command");
        }
        final String path = classPath == null ? environment.getOrDefault("CLASSPATH", ".") : classPath;
        if (isClass)
        {
            requireOneMpi(path);
        }
        return new RunRequest(count, where, new RunRequest.Program(isClass, jvmFlags, path, words), ssh,
            srun, directory.toAbsolutePath().toString(), isTagged, isKeepingGoing);
    }

    /** The classes of another library would stand before those of GRIM. */
    private void requireOneMpi(final String path)
    {
        final Path other = Run.otherMpi(path);
        if (other != null)
        {
            throw usage("class path entry=" + other + " has an MPI library of its own, which would be used in place " +
                "of GRIM's: take it off the class path");
        }
    }

    private RunHosts where(final Map<String, String> environment)
    {
        if (hosts != null || hostfile != null)
        {
            return hosts == null ? RunHosts.ofFile(hostfile) : RunHosts.ofList(hosts);
        }
        return environment.containsKey(ALLOCATION_VARIABLE) ? null : RunHosts.LOCAL;
    }

    private void requireExecutable(final String program, final Map<String, String> environment)
    {
        final boolean isThere = program.contains(File.separator) ? Files.isExecutable(Path.of(program)) :
            ForeignProcess.find(program, environment.get("PATH")) != null;
        if (!isThere)
        {
            throw usage("command=" + program + " is not an executable file" +
                (program.contains(File.separator) ? "" : " on PATH=" + environment.get("PATH")));
        }
    }

    private ParameterException usage(final String sentence)
    {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
