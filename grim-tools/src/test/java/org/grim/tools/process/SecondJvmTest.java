// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.process;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class SecondJvmTest
{
    @Test
    void shouldHandOnFlagsButNoAgents()
    {
        final List<String> flags =
            List.of("-Xmx1g", "-javaagent:jacoco.jar", "-agentlib:jdwp=x", "-Dbuild.jar=a", "-Dgrim.node.name=b");

        assertEquals(List.of("-Xmx1g", "-Dgrim.node.name=b"), SecondJvm.inheritedFlags(flags));
    }

    @Test
    void shouldGiveChildrenTheRightsThatTheJarHas()
    {
        final List<String> command = SecondJvm.command(List.of("nodes", "--json"));

        assertTrue(command.contains("--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED"), command::toString);
        assertTrue(command.contains("--enable-native-access=ALL-UNNAMED"), command::toString);
        assertEquals(List.of("org.grim.tools.cli.GrimCommand", "nodes", "--json"),
            command.subList(command.size() - 3, command.size()));
        assertEquals(1, command.stream().filter(flag -> flag.startsWith("-Dorg.grim.tools.parent=")).count());
        assertEquals(List.of(), SecondJvm.inheritedFlags(
            command.stream().filter(flag -> flag.startsWith("-Dorg.grim.tools.parent")).toList()));
    }
}
