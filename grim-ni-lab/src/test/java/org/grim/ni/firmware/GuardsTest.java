// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.firmware;

import org.grim.ni.guard.Guard;
import org.grim.ni.guard.Guards;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.params.provider.EnumSource.Mode.EXCLUDE;

/** Each guard is needed: there is a run that goes well with it, and wrong without it. */
final class GuardsTest
{
    /** Guards of remote memory are tested with it, in {@code org.grim.ni.memory}. */
    @ParameterizedTest
    @EnumSource(value = Guard.class, mode = EXCLUDE, names = {"ADDRESS_CHECK", "NOTIFICATION_LAST",
        "TRANSLATION_CONTEXT", "REGISTERED_PART", "RIGHT_CHECK", "FORGET"})
    void shouldNeedEachGuard(final Guard guard)
    {
        assertNull(scenario(guard, Guards.ALL));

        assertNotNull(outcome(guard), () -> "nothing is wrong without " + guard);
    }

    /** Fault of a run without a guard; an exception is a fault, too. */
    private static String outcome(final Guard guard)
    {
        try
        {
            return scenario(guard, Guards.without(guard));
        }
        catch (final RuntimeException | AssertionError ex)
        {
            return ex.toString();
        }
    }

    private static String scenario(final Guard guard, final Guards guards)
    {
        return switch (guard)
        {
            case WINDOW_LIMIT -> DeliveryScenarios.windowLimit(guards);
            case DUPLICATE_CHECK -> DeliveryScenarios.duplicateCheck(guards);
            case ORDER_CHECK -> DeliveryScenarios.orderCheck(guards);
            case SEQUENCE_WRAP -> DeliveryScenarios.sequenceWrap(guards);
            case ACK_AFTER_COPY, ROLLBACK_REFUSED, ARRIVAL_ROOM -> DeliveryScenarios.tooManyForTheHost(guards);
            case NACK_SENT -> DeliveryScenarios.nackSent(guards);
            case ROLLBACK_TRIPLE -> DeliveryScenarios.rollbackTriple(guards);
            case TOKEN_QUARANTINE -> DeliveryScenarios.tokenQuarantine(guards);
            case ANSWER_SEQUENCE -> DeliveryScenarios.answerSequence(guards);
            case ANSWER_SOURCE -> DeliveryScenarios.answerSource(guards);
            case TIMEOUT_RESEND -> DeliveryScenarios.timeOutResend(guards);
            case PEER_GONE -> DeliveryScenarios.peerGone(guards);
            case REFUSAL_KEPT -> DeliveryScenarios.refusalKept(guards);
            case FRONT_IN_ORDER -> ChannelScenarios.frontInOrder(guards);
            case DOORBELL_BEFORE_BACK -> ChannelScenarios.doorbellBeforeBack(guards);
            case CHANNEL_QUOTA -> ChannelScenarios.channelQuota(guards);
            case EPOCH_ORDER -> EpochScenarios.epochOrder(guards);
            case EPOCH_CONFIRMED -> EpochScenarios.epochConfirmed(guards);
            case EPOCH_DISCARD -> EpochScenarios.epochDiscard(guards);
            case LOSS_REPORTED -> EpochScenarios.lossReported(guards);
            case PACKET_NUMBER -> EpochScenarios.packetNumber(guards);
            case PACKET_CHECKSUM -> EpochScenarios.packetChecksum(guards);
            case CUT_PACKET -> EpochScenarios.cutPacket(guards);
            case TICKET_ORDER -> MulticastScenarios.ticketOrder(guards);
            case TREE_DIRECTION -> MulticastScenarios.treeDirection(guards);
            case RECYCLED_KEPT -> MulticastScenarios.recycledKept(guards);
            case TREE_FORWARDING -> MulticastScenarios.treeForwarding(guards);
            case ADDRESS_CHECK, NOTIFICATION_LAST, TRANSLATION_CONTEXT, REGISTERED_PART, RIGHT_CHECK, FORGET ->
                throw new IllegalArgumentException(guard + " is tested elsewhere");
        };
    }
}
