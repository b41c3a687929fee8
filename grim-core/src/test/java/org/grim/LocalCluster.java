// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.HashMap;
import java.util.Map;

/** Both nodes in this JVM, stepped in turn by the test thread. */
public final class LocalCluster implements TransportCluster
{
    private final Grim near;
    private final FarNode far;
    private final boolean hasPeer;

    private LocalCluster(final Grim near, final FarNode far, final boolean hasPeer)
    {
        this.near = near;
        this.far = far;
        this.hasPeer = hasPeer;
    }

    /** Two nodes. */
    public static LocalCluster ofTwo(final Map<String, Object> settings, final long firstPosition)
    {
        final Grim near = Grim.enable(ContractSupport.builder(settings, firstPosition).nodeName("near").build());
        return new LocalCluster(near, FarNode.join(settings, firstPosition), true);
    }

    /** Two nodes that count as nodes of different hosts, although they share a directory. */
    public static LocalCluster ofTwoHosts(final Map<String, Object> settings, final long firstPosition)
    {
        final Grim near = Grim.enable(ContractSupport.builder(settings, firstPosition).nodeName("near").build());
        return new LocalCluster(near, FarNode.join(onFarHost(settings), firstPosition), true);
    }

    static Map<String, Object> onFarHost(final Map<String, Object> settings)
    {
        final Map<String, Object> farSettings = new HashMap<>(settings);
        farSettings.put("grim.node.host", "far-host");
        return farSettings;
    }

    /** One node, which talks to itself. */
    public static LocalCluster ofOne(final Map<String, Object> settings, final long firstPosition)
    {
        final CountingErrorHandler errors = new CountingErrorHandler();
        final Grim grim = Grim.enable(
            ContractSupport.builder(settings, firstPosition).nodeName("far").errorHandler(errors).build());
        return new LocalCluster(grim, FarNode.beside(grim, errors), false);
    }

    @Override
    public Grim near()
    {
        return near;
    }

    @Override
    public String far(final String command)
    {
        return far.run(command);
    }

    @Override
    public boolean hasPeer()
    {
        return hasPeer;
    }

    @Override
    public int pollNear()
    {
        return hasPeer ? near.endpoint().poll() : far.step();
    }

    @Override
    public int stepFar()
    {
        return hasPeer ? far.step() : 0;
    }

    @Override
    public void close()
    {
        far.close();
        near.close();
    }
}
