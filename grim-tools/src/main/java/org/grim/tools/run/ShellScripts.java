// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.run;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Scripts for {@code sh} that run on the hosts of a run. Each process of a run is the leader of a group, whose number
 * stands in the file {@code rank-N} of the run's directory.
 * <p>Thread: any; no state.
 */
final class ShellScripts
{
    /** Line by which a guard says that its directory is made. */
    static final String READY = "grim-run ready";

    /**
     * Guard of a host; arguments: directory, id of the run, command of the media driver or nothing, a last command. The
     * driver's process gets a file's path, which it makes when it is ready, and ends by its standard input if the guard
     * is killed. The guard reads words from standard input, and at its end, which comes however the launcher ends, it
     * ends what still runs, the driver last, and removes the directory. That may be there, of a guard that was killed.
     */
    static final String GUARD = """
        dir=$1 id=$2 driver=$3
        shift 3
        umask 077
        [ -O "$dir" ] || mkdir "$dir" || exit 1
        trap '' INT TERM HUP
        signal_all()
        {
            found=1
            for file in "$dir"/rank-*
            do
                if [ -f "$file" ] && kill -s "$1" -- "-$(cat "$file")" 2>/dev/null; then found=0; fi
            done
            return $found
        }
        IFS= read -r key && [ -n "$key" ] && printf %s "$key" >"$dir/key"
        if [ -n "$driver" ] && [ ! -e "$dir/alive" ]
        then
            mkfifo "$dir/alive" || exit 1
            eval "$driver "'"$dir/driver"' <"$dir/alive" >"$dir/driver.log" 2>&1 &
            exec 8>"$dir/alive"
            until [ -e "$dir/driver" ]
            do
                kill -0 $! 2>/dev/null || { cat "$dir/driver.log"; rm -rf "$dir"; exit 1; }
                sleep 0.05
            done
        fi
        echo grim-run ready
        while read -r word rank
        do
            case $word in
                ask) : >"$dir/asked"; signal_all TERM ;;
                kill) signal_all KILL ;;
                end)
                    kill -s KILL -- "-$(cat "$dir/rank-$rank")" 2>/dev/null
                    rm -f "$dir/rank-$rank" ;;
            esac
        done
        await_all()
        {
            count=0
            while [ $count -lt $1 ] && signal_all 0
            do
                sleep 0.1
                count=$((count + 1))
            done
        }
        if signal_all TERM
        then
            await_all 50
            if signal_all KILL; then await_all 10; fi
        fi
        grep -lasF "GRIM_RUN_ID=$id" /proc/[0-9]*/environ | while IFS=/ read -r none proc pid rest
        do
            kill -s KILL "$pid" 2>/dev/null
        done
        [ $# = 0 ] || "$@" </dev/null
        rm -rf "$dir" || { sleep 0.2; rm -rf "$dir"; }
        """;

    /**
     * Beginning of a process; arguments: working directory, the run's directory, number, command. It ends at once if
     * all were asked to end before the guard could find it.
     */
    private static final String BEGIN = """
        cd "$1" && echo $$ >"$2/rank-$3" || exit 1
        [ ! -e "$2/asked" ] || exit 143
        shift 3
        """;

    /** A process of this host: becomes the command. */
    static final String START_LOCAL = BEGIN + "exec \"$@\"\n";

    /** A process of another host: silent beside the command, as ssh passes on exit codes, but not signals. */
    static final String START_REMOTE = BEGIN + """
        trap : INT TERM HUP
        exec 3>&2 2>/dev/null
        (exec "$@" 2>&3 3>&-)
        exit $?
        """;

    /** A task of srun; arguments: the run's directory, command. The key comes in the environment. */
    static final String TASK = """
        dir=$1
        shift
        (umask 077; mkdir -p "$dir" && printf %s "$GRIM_RUN_KEY" >"$dir/key.$$" && mv "$dir/key.$$" "$dir/key") ||
            exit 1
        unset GRIM_RUN_KEY
        export GRIM_RUN_RANK="$SLURM_PROCID"
        exec "$@"
        """;

    private ShellScripts()
    {
    }

    /** Returns words as one line for a shell. */
    static String quote(final List<String> words)
    {
        return words.stream().map(word -> "'" + word.replace("'", "'\\''") + "'").collect(Collectors.joining(" "));
    }
}
