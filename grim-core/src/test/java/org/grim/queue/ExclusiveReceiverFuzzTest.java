// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import org.grim.HostileInput;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** The receiver of a queue whose slots, descriptor and payload memory a peer writes as it likes. */
final class ExclusiveReceiverFuzzTest
{
    private static final int STEP_COUNT_MAX = 64;

    @FuzzTest
    void shouldHandOverOnlyItsOwnPayloadsAndHarmNoOtherQueue(final byte[] bytes)
    {
        final HostileInput input = new HostileInput(bytes);
        final HostileInbox inbox = new HostileInbox(HostileInbox.HOSTILE_EXCLUSIVE, input.nextBelow(2) * -8L);
        for (int step = 0; step < STEP_COUNT_MAX && input.hasMore(); step++)
        {
            inbox.step(input);
        }
        inbox.finish();
    }
}
