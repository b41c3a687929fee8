// SPDX-License-Identifier: Apache-2.0
package org.grim.bench;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

final class LauncherTest
{
    @Test
    void shouldRefuseOldJvmInOneSentence()
    {
        assertEquals("this JVM is Java 11, GRIM needs Java 17 or newer.", Launcher.refusal("11"));
        assertEquals("this JVM is Java 1.8, GRIM needs Java 17 or newer.", Launcher.refusal("1.8"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"17", "25", "100"})
    void shouldAcceptJvmThatIsNewEnough(final String version)
    {
        assertNull(Launcher.refusal(version));
    }
}
