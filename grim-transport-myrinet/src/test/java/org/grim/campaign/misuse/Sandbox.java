// SPDX-License-Identifier: Apache-2.0
package org.grim.campaign.misuse;

import java.lang.reflect.Executable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

import org.grim.Grim;
import org.grim.GrimConfig;

/** Shared objects of all callers: the API, objects, findings, and the nodes, so that all can be closed. Any thread. */
final class Sandbox
{
    final Path directory;
    final PublicApi api = new PublicApi();
    final Pool pool = new Pool();
    final Findings findings;
    final Executable enableMethod;
    final Executable closeMethod;
    final Executable pollMethod;
    volatile boolean isStopped;

    private final ReadWriteLock ending = new ReentrantReadWriteLock();
    private final List<Grim> nodes = new ArrayList<>();
    private boolean isEnding;

    Sandbox(final Path directory, final Findings findings) throws NoSuchMethodException
    {
        this.directory = directory;
        this.findings = findings;
        enableMethod = Grim.class.getMethod("enable", GrimConfig.class);
        closeMethod = Grim.class.getMethod("close");
        pollMethod = Grim.class.getMethod("poll");
    }

    /** One more node; null if all are about to be closed. */
    Grim enable(final GrimConfig config)
    {
        ending.readLock().lock();
        try
        {
            if (isEnding)
            {
                return null;
            }
            final Grim grim = Grim.enable(config);
            synchronized (nodes)
            {
                nodes.add(grim);
            }
            return grim;
        }
        finally
        {
            ending.readLock().unlock();
        }
    }

    /** Closes all nodes, also in use by other threads; there will be no more. */
    void closeAll()
    {
        ending.writeLock().lock();
        try
        {
            isEnding = true;
        }
        finally
        {
            ending.writeLock().unlock();
        }
        final List<Grim> all;
        synchronized (nodes)
        {
            all = new ArrayList<>(nodes);
            nodes.clear();
        }
        for (final Grim grim : all)
        {
            try
            {
                grim.close();
            }
            catch (final Throwable ex)
            {
                findings.onCall(closeMethod, ex, false);
            }
        }
    }
}
