// SPDX-License-Identifier: Apache-2.0
package org.grim.members;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.grim.GrimConfig;
import org.grim.death.History;
import org.slf4j.LoggerFactory;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A JVM of one node. It starts ahead of its time and waits for lines:
 * <pre>
 *  go SEED PLAN-SEED KEY NAME CONFIGURATION    (without blanks) joins the cluster
 *  enter                         joins the group
 *  leave MS                      leaves the group, and joins again
 *  meet NAME MS                  belongs to another group, too, for a while
 *  settle COUNT                  no more disturbances; awaits so many members
 *  create NAME COUNT             joins a new group with so many, and does an operation
 *  calm true|false               sends nothing for a while, and holds nothing
 *  quiet                         sends nothing more
 *  end                           leaves the cluster, and the process ends
 * </pre>
 * It ends when its standard input does.
 */
final class MemberMain
{
    private final History.Sink history = History.toStandardOutput();
    private final Queue<String[]> commands = new ConcurrentLinkedQueue<>();

    private MemberMain()
    {
    }

    public static void main(final String[] arguments) throws IOException
    {
        new MemberMain().run();
        Runtime.getRuntime().halt(1);
    }

    private void run() throws IOException
    {
        GrimConfig.builder().nodeName("warm-up").build();
        history.onRecord(History.READY, 0, 0, 0, 0);
        final BufferedReader input =
            new BufferedReader(new InputStreamReader(new FileInputStream(FileDescriptor.in), UTF_8));
        String line = input.readLine();
        while (line != null)
        {
            final String[] words = line.split(" ", 6);
            if (words[0].equals("go"))
            {
                go(words);
            }
            else
            {
                commands.add(words);
            }
            line = input.readLine();
        }
    }

    private void go(final String[] words)
    {
        final Config config = ConfigFactory.parseString(words[5]);
        final GrimConfig.Builder builder = GrimConfig.builder().nodeName(words[4]);
        config.entrySet().forEach(entry -> builder.set(entry.getKey(), entry.getValue().unwrapped()));
        final Thread thread = new Thread(() ->
        {
            try
            {
                new MemberNode(builder, Long.parseLong(words[1]), Long.parseLong(words[2]),
                    Integer.parseInt(words[3]), commands, history).run();
                Runtime.getRuntime().exit(0);
            }
            catch (final Throwable ex)
            {
                LoggerFactory.getLogger(MemberMain.class).error(words[4], ex);
                Runtime.getRuntime().exit(3);
            }
        }, words[4]);
        thread.setDaemon(true);
        thread.start();
    }
}
