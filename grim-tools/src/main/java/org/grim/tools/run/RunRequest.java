// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.run;

import java.util.List;

/**
 * The wish of a user: a program, and where it runs: without hosts by {@code srun}. Each host keeps files of the run in
 * a directory while it lasts. Tags are the ranks before each line of output. A run that keeps going ends no
 * rank because another one fails.
 * <p>Thread: any; immutable.
 */
public record RunRequest(
    int count, RunHosts hosts, Program program, List<String> ssh, List<String> srun, String directory,
    boolean isTagged, boolean isKeepingGoing)
{
    /** A main class with flags of its JVM and class path, or any command; with arguments. */
    public record Program(boolean isClass, List<String> flags, String classPath, List<String> words)
    {
    }
}
