// SPDX-License-Identifier: Apache-2.0
package org.grim.programs.campaign;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.concurrent.locks.LockSupport;

import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A member of Hazelcast. Its arguments are the number of members, its port, and the first one's. It prints a line when
 * all are there, and answers each line of input: {@code put} makes it put entries, without backups; {@code count}
 * counts the right ones.
 */
public final class HazelcastMemberMain
{
    static final int ENTRY_COUNT = 5_000;

    private static final long LOOK_NS = 50_000_000;

    private HazelcastMemberMain()
    {
    }

    public static void main(final String[] args) throws Exception
    {
        final Config config = new Config();
        config.setProperty("hazelcast.shutdownhook.enabled", "true")
            .setProperty("hazelcast.shutdownhook.policy", "GRACEFUL")
            .setProperty("hazelcast.phone.home.enabled", "false").setProperty("hazelcast.socket.bind.any", "false")
            .setProperty("hazelcast.operation.thread.count", "2");
        config.getMetricsConfig().setEnabled(false);
        config.getJetConfig().setEnabled(false);
        config.getNetworkConfig().setPort(Integer.parseInt(args[1])).setPortAutoIncrement(false);
        config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
        final JoinConfig join = config.getNetworkConfig().getJoin();
        join.getAutoDetectionConfig().setEnabled(false);
        join.getMulticastConfig().setEnabled(false);
        join.getTcpIpConfig().setEnabled(true).addMember("127.0.0.1:" + args[2]);
        config.getMapConfig("entries").setBackupCount(0);
        final HazelcastInstance member = Hazelcast.newHazelcastInstance(config);
        try (PrintStream output = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8);
            BufferedReader input = new BufferedReader(new InputStreamReader(System.in, UTF_8)))
        {
            while (member.getCluster().getMembers().size() < Integer.parseInt(args[0]))
            {
                LockSupport.parkNanos(LOOK_NS);
            }
            output.println("joined");
            final IMap<Integer, String> entries = member.getMap("entries");
            for (String line = input.readLine(); line != null; line = input.readLine())
            {
                output.println(line.equals("put") ? put(entries) : count(entries));
            }
        }
        Runtime.getRuntime().halt(0);
    }

    private static int put(final IMap<Integer, String> entries)
    {
        for (int i = 0; i < ENTRY_COUNT; i++)
        {
            entries.set(i, "entry " + i);
        }
        return ENTRY_COUNT;
    }

    private static int count(final IMap<Integer, String> entries)
    {
        int count = 0;
        for (int i = 0; i < ENTRY_COUNT; i++)
        {
            count += ("entry " + i).equals(entries.get(i)) ? 1 : 0;
        }
        return count;
    }
}
