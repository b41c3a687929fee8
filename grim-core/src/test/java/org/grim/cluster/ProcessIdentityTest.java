// SPDX-License-Identifier: Apache-2.0
package org.grim.cluster;

import java.io.BufferedReader;
import java.io.IOException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(120)
final class ProcessIdentityTest
{
    @Test
    void shouldSeeAnotherProcessUntilItEnds() throws IOException
    {
        final ProcessIdentity identity;
        try (OtherProcess other = OtherProcess.start())
        {
            identity = other.identity();

            assertTrue(identity.isOtherThatExists());
        }

        assertFalse(identity.isOtherThatExists());
    }

    @Test
    void shouldNotTakeALaterProcessOfTheNumberForIt() throws IOException
    {
        try (OtherProcess other = OtherProcess.start())
        {
            final ProcessIdentity later = other.identity();

            assertFalse(new ProcessIdentity(later.number(), later.start() - 1, later.namespace()).isOtherThatExists());
        }
    }

    @Test
    void shouldKnowNothingOfAProcessOfAnotherNamespaceOrOfWhichOnlyTheNumberIsKnown() throws IOException
    {
        try (OtherProcess other = OtherProcess.start())
        {
            final ProcessIdentity seen = other.identity();

            assertFalse(
                new ProcessIdentity(seen.number(), seen.start(), seen.namespace() + 1).isOtherThatExists());
            assertFalse(ProcessIdentity.ofNumber(seen.number()).isOtherThatExists());
        }
    }

    @Test
    void shouldNotCountThisProcessItself()
    {
        assertFalse(ProcessIdentity.own().isOtherThatExists());
    }

    /** The shell's child, whose end nobody asks for. */
    @Test
    void shouldTakeAZombieForGone() throws IOException
    {
        try (OtherProcess other = OtherProcess.start())
        {
            assertTrue(other.identity().isOtherThatExists());
        }
        final Process parent = new ProcessBuilder("sh", "-c", "sleep 0 & echo $!; exec sleep 600").start();
        try (BufferedReader output = parent.inputReader(UTF_8))
        {
            final long number = Long.parseLong(output.readLine());
            OtherProcess.awaitZombie(number);

            assertFalse(OtherProcess.identity(number).isOtherThatExists());
        }
        finally
        {
            parent.destroyForcibly().onExit().join();
        }
    }
}
