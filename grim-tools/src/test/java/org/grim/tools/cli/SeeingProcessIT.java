// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.management.JMX;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

import org.grim.NodeMXBean;
import org.grim.tools.process.ForeignProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import com.sun.tools.attach.VirtualMachine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A loaded pair whose receiver stands still and dies, seen by the JDK's own tools. */
@Tag("process")
@Timeout(240)
final class SeeingProcessIT
{
    private static final long TIMEOUT_MS = 120_000;

    @TempDir
    private Path directory;

    @Test
    @SuppressWarnings("BanJNDI")                // The address is that of a process of this test.
    void shouldShowBackPressureAndADeath() throws Exception
    {
        final Path recording = directory.resolve("sender.jfr");
        try (GrimProcess victim = peer("victim"); GrimProcess sender =
            peer("sender", "-XX:StartFlightRecording:filename=" + recording))
        {
            sender.await("a refusal", () -> sender.output().contains("refused"));

            final VirtualMachine machine = VirtualMachine.attach(Long.toString(sender.process().pid()));
            final JMXServiceURL address = new JMXServiceURL(machine.startLocalManagementAgent());
            machine.detach();
            try (JMXConnector connector = JMXConnectorFactory.connect(address))
            {
                final MBeanServerConnection connection = connector.getMBeanServerConnection();
                final NodeMXBean bean = JMX.newMXBeanProxy(
                    connection, new ObjectName("org.grim:type=Node,cluster=seen,node=sender"), NodeMXBean.class);
                assertTrue(bean.getBackPressured() > 0 && bean.getMessagesSent() > 0);
                sender.await("a sender that polls", () -> "UP".equals(bean.getStatus()));
                assertEquals(2, bean.getNodeCount());

                victim.process().destroyForcibly();
                sender.await("the death", () -> bean.getNodesGone() == 1);
            }
            sender.process().getOutputStream().write('\n');
            sender.process().getOutputStream().flush();
            assertEquals(0, sender.exitCode(), sender.error());
        }

        final String events = ForeignProcess.run(List.of(Path.of(System.getProperty("java.home"), "bin", "jfr")
            .toString(), "print", "--events", "grim.*", recording.toString()), Map.of(), TIMEOUT_MS);
        assertTrue(events.contains("grim.NodeJoined") && events.contains("node = \"sender\""), events);
        assertTrue(events.contains("grim.BackPressure") && events.contains("refused = "), events);
        assertTrue(events.contains("grim.NodeGone") && events.contains("node = \"victim\""), events);
    }

    @Test
    void shouldNotNeedTheFlightRecorder() throws Exception
    {
        try (GrimProcess alone = peer("alone", "--limit-modules=java.se,jdk.unsupported"))
        {
            assertEquals(0, alone.exitCode(), alone.error());
            assertTrue(alone.error().contains("handler=failing failed"), alone.error());
        }
    }

    private GrimProcess peer(final String name, final String... options) throws Exception
    {
        final List<String> command = GrimProcess.java();
        command.addAll(List.of(options));
        command.addAll(List.of(System.getProperty("build.jvmFlags").split(" ")));
        command.addAll(
            List.of("-cp", GrimProcess.classPath(), SeenPeer.class.getName(), directory.toString(), name));
        return GrimProcess.start(directory, new ProcessBuilder(command));
    }
}
