// SPDX-License-Identifier: Apache-2.0
package org.grim.programs;

import java.io.File;
import java.net.InetSocketAddress;
import java.nio.file.Files;

import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

/** One server of ZooKeeper, with its own code for connections. */
public final class ZooKeeperServerMain
{
    private static final int CLIENT_COUNT_MAX = 10;
    private static final int TICK_MS = 2_000;

    private ZooKeeperServerMain()
    {
    }

    public static void main(final String[] args) throws Exception
    {
        final File directory = Files.createTempDirectory("zookeeper").toFile();
        final NIOServerCnxnFactory factory = new NIOServerCnxnFactory();
        factory.configure(new InetSocketAddress(args[0], 0), CLIENT_COUNT_MAX);
        factory.startup(new ZooKeeperServer(directory, directory, TICK_MS));
        ServerPort.printAndAwaitEnd(factory.getLocalPort());
    }
}
