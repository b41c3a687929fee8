// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.grim.ProcessCluster;
import org.grim.TransportCluster;
import org.grim.death.PeerJvm;
import org.grim.death.ShmDirectory;
import org.grim.network.namespaces.NetworkNamespaces;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Two hosts in network namespaces, each with a media driver, for all tests of a class: datagrams between the nodes that
 * use them pass two network devices and a switch. Where the machine does not permit it, the tests are skipped.
 */
final class NamespaceDrivers implements BeforeAllCallback, AfterAllCallback
{
    private static final int HOST_COUNT = 2;

    private final Path directory = ShmDirectory.create();
    private final PeerJvm[] drivers = new PeerJvm[HOST_COUNT];
    private NetworkNamespaces hosts;

    @Override
    public void beforeAll(final ExtensionContext context) throws IOException
    {
        final String refusal = NetworkNamespaces.refusal();
        assumeTrue(refusal.isEmpty(), refusal);
        hosts = new NetworkNamespaces(HOST_COUNT);
        for (int i = 0; i < HOST_COUNT; i++)
        {
            final int host = i;
            drivers[i] = new PeerJvm(directory.resolve(host + ".log"), List.of(), command -> hosts.on(host, command),
                DriverMain.class, driver(host));
            assertEquals(driver(host), drivers[i].process().inputReader(StandardCharsets.UTF_8).readLine(),
                () -> ShmDirectory.text(directory.resolve(host + ".log")));
        }
    }

    @Override
    public void afterAll(final ExtensionContext context)
    {
        for (final PeerJvm driver : drivers)
        {
            if (driver != null)
            {
                driver.close();
            }
        }
        if (hosts != null)
        {
            hosts.close();
        }
        ShmDirectory.delete(directory);
    }

    /** Two nodes in two JVMs, on these hosts. */
    TransportCluster cluster(final Map<String, Object> settings, final long firstPosition)
    {
        settings.putAll(settingsOf(0));
        return ProcessCluster.startOnTwoHosts(settings, settingsOf(1), firstPosition);
    }

    private Map<String, Object> settingsOf(final int host)
    {
        return Map.of("grim.aeron.directory", driver(host), "grim.aeron.bind", hosts.address(host) + ":0");
    }

    private String driver(final int host)
    {
        return directory.resolve("driver-" + host).toString();
    }
}
