// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.explorer;

import java.util.List;

import org.grim.ni.guard.Guard;
import org.grim.ni.window.SequenceSpace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class ExplorerTest
{
    private static final Logger LOG = LoggerFactory.getLogger(ExplorerTest.class);
    private static final int MESSAGE_COUNT_MAX = 5;

    @ParameterizedTest
    @CsvSource({"1,1", "2,1", "2,2", "3,1", "3,2", "3,3", "3,4"})
    void shouldKeepAllRulesOnAWireWithRoomForOneAnswer(final int bits, final int window)
    {
        for (int messageCount = 1; messageCount <= MESSAGE_COUNT_MAX; messageCount++)
        {
            assertSound(ExplorerConfig.of(bits, window, messageCount).withCapacity(window, 1));
        }
    }

    @ParameterizedTest
    @CsvSource({"1,1", "2,1", "2,2", "3,1", "3,2", "3,3"})
    void shouldKeepAllRulesOnAWireWithRoomForAWindowAndACopy(final int bits, final int window)
    {
        for (int messageCount = 1; messageCount <= MESSAGE_COUNT_MAX; messageCount++)
        {
            assertSound(ExplorerConfig.of(bits, window, messageCount));
        }
    }

    @Test
    void shouldKeepAllRulesInTheWidestLegalModel()
    {
        assertSound(ExplorerConfig.of(3, 4, MESSAGE_COUNT_MAX).withCapacity(4, 4));
    }

    @ParameterizedTest
    @CsvSource({"1,1", "2,1", "3,1", "3,2", "3,3"})
    void shouldSettleEachMessageAsItWasWhenTheWireMayLoseDenials(final int bits, final int window)
    {
        assertTrue(window <= SequenceSpace.lossyWindowMax(bits));

        for (int messageCount = 1; messageCount <= MESSAGE_COUNT_MAX; messageCount++)
        {
            assertSound(ExplorerConfig.of(bits, window, messageCount).withCapacity(window, window).withDenials());
        }
    }

    @Test
    void shouldSettleEachMessageAsItWasInTheWidestModelThatMayLoseDenials()
    {
        assertSound(ExplorerConfig.of(3, 3, MESSAGE_COUNT_MAX).withDenials());
    }

    @ParameterizedTest
    @CsvSource({"1,1", "2,1", "2,2", "3,1", "3,2", "3,3", "3,4"})
    void shouldSettleEachMessageAsItWasWhenTheWireKeepsAllDenials(final int bits, final int window)
    {
        for (int messageCount = 1; messageCount <= ExplorerConfig.MESSAGE_COUNT_MAX; messageCount++)
        {
            assertSound(ExplorerConfig.of(bits, window, messageCount).withDenials().withoutLoss());
        }
    }

    @ParameterizedTest
    @CsvSource({"2,2", "3,4"})
    void shouldComeToADeadEndWhenTheWindowIsTooWideForDenialsThatGetLost(final int bits, final int window)
    {
        final Violation violation = violationOf(
            ExplorerConfig.of(bits, window, 2).withCapacity(window, 2).withDenials());

        assertTrue(window > SequenceSpace.lossyWindowMax(bits));
        assertEquals(Violation.Kind.SCHEDULE, violation.kind());
        assertTrue(lastOf(violation.steps()).startsWith("wire loses REFUSED 1"), violation::describe);
    }

    @Test
    void shouldTakeADenialForAnAcceptanceIfNothingIsLeftOutBehindIt()
    {
        final Violation violation = violationOf(
            ExplorerConfig.of(3, 2, 3).withDenials().without(Guard.REFUSAL_KEPT));

        assertEquals(Violation.Kind.SAFETY, violation.kind());
        assertEquals("the sender believes that message 0 was accepted, which was denied", violation.rule());
        assertEquals(7, violation.steps().size());
    }

    @Test
    void shouldComeToADeadEndWhenTheWindowIsTooWide()
    {
        final Violation violation = violationOf(
            ExplorerConfig.of(2, 3, 2).withCapacity(3, 2).without(Guard.WINDOW_LIMIT));

        assertEquals(Violation.Kind.SCHEDULE, violation.kind());
        assertTrue(lastOf(violation.steps()).contains("delivered 2"), violation::describe);
    }

    @Test
    void shouldBelieveInADeliveryThatNeverWasWhenTheWindowIsTheWholeSequence()
    {
        final Violation violation = violationOf(
            ExplorerConfig.of(2, 4, 5).withCapacity(4, 2).without(Guard.WINDOW_LIMIT));

        assertEquals(Violation.Kind.SAFETY, violation.kind());
        assertEquals("the sender believes that 5 messages were accepted, of which 1 were delivered", violation.rule());
    }

    @Test
    void shouldDeliverACopyWithoutTheDuplicateCheck()
    {
        final Violation violation = violationOf(ExplorerConfig.of(2, 2, 5).without(Guard.DUPLICATE_CHECK));

        assertEquals(Violation.Kind.SAFETY, violation.kind());
        assertEquals("message 0 was delivered when message 1 was due", violation.rule());
        assertEquals(5, violation.steps().size());
    }

    @Test
    void shouldDeliverOutOfOrderWithoutTheOrderCheck()
    {
        final Violation violation = violationOf(ExplorerConfig.of(2, 2, 5).without(Guard.ORDER_CHECK));

        assertEquals(Violation.Kind.SAFETY, violation.kind());
        assertEquals("message 1 was delivered when message 0 was due", violation.rule());
    }

    @Test
    void shouldAcknowledgeTheFirstMessageAfterTheWrapUndeliveredIfSequencesDoNotWrap()
    {
        final Violation violation = violationOf(ExplorerConfig.of(2, 2, 5).without(Guard.SEQUENCE_WRAP));

        assertEquals(Violation.Kind.SAFETY, violation.kind());
        assertEquals("the sender believes that 5 messages were accepted, of which 4 were delivered", violation.rule());
    }

    @Test
    void shouldFindNothingWithoutWrapWhileNoSequenceWraps()
    {
        final ExplorerReport report = Explorer.explore(ExplorerConfig.of(2, 2, 3).without(Guard.SEQUENCE_WRAP));

        assertTrue(report.violations().isEmpty(), report::describe);
    }

    @Test
    void shouldFindTheSameAgain()
    {
        final ExplorerReport once = Explorer.explore(ExplorerConfig.of(3, 2, 4));

        assertEquals(once.describe(), Explorer.explore(ExplorerConfig.of(3, 2, 4)).describe());
    }

    @Test
    void shouldRefuseAModelThatItsEncodingCannotHold()
    {
        assertThrows(IllegalArgumentException.class, () -> ExplorerConfig.of(4, 2, 5));
        assertThrows(IllegalArgumentException.class, () -> ExplorerConfig.of(3, 2, 8));
        assertThrows(IllegalArgumentException.class, () -> ExplorerConfig.of(3, 2, 5).withCapacity(6, 1));
        assertThrows(IllegalArgumentException.class, () -> ExplorerConfig.of(3, 2, 5).withCapacity(1, 0));
    }

    private static void assertSound(final ExplorerConfig config)
    {
        final long startNs = System.nanoTime();
        final ExplorerReport report = Explorer.explore(config);
        LOG.info("{} in {} ms", report.describe(), (System.nanoTime() - startNs) / 1_000_000);

        assertTrue(report.violations().isEmpty(), report::describe);
        assertTrue(report.goalCount() > 0, report::describe);
        assertTrue(report.restStepCount() > 0, report::describe);
    }

    private static Violation violationOf(final ExplorerConfig config)
    {
        final ExplorerReport report = Explorer.explore(config);
        LOG.info("{}", report.describe());

        assertTrue(!report.violations().isEmpty(), report::describe);
        return report.violations().get(0);
    }

    private static String lastOf(final List<String> steps)
    {
        return steps.get(steps.size() - 1);
    }
}
