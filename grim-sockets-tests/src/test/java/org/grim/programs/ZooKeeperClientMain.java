// SPDX-License-Identifier: Apache-2.0
package org.grim.programs;

import java.util.Arrays;
import java.util.concurrent.CountDownLatch;

import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;

/** ZooKeeper's client: writes and reads entries, and learns of a change. */
public final class ZooKeeperClientMain
{
    private static final int ENTRY_COUNT = 100;
    private static final int TIMEOUT_MS = 30_000;

    private ZooKeeperClientMain()
    {
    }

    public static void main(final String[] args) throws Exception
    {
        ListeningServer.await(args[0], args[1]);
        final CountDownLatch connected = new CountDownLatch(1);
        final CountDownLatch changed = new CountDownLatch(1);
        final ZooKeeper client = new ZooKeeper(args[0] + ":" + args[1], TIMEOUT_MS, event ->
        {
            if (event.getState() == Watcher.Event.KeeperState.SyncConnected)
            {
                connected.countDown();
            }
            if (event.getType() == Watcher.Event.EventType.NodeDataChanged)
            {
                changed.countDown();
            }
        });
        connected.await();
        final byte[] data = new byte[1000];
        for (int i = 0; i < ENTRY_COUNT; i++)
        {
            Arrays.fill(data, (byte)i);
            client.create("/entry-" + i, data, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            if (!Arrays.equals(data, client.getData("/entry-" + i, i == 0, null)))
            {
                throw new IllegalStateException("entry " + i + " is not as it was written");
            }
        }
        client.setData("/entry-0", new byte[1], -1);
        changed.await();
        ReceivedBytes.printAndAwaitEnd();
    }
}
