// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.io.IOException;

import com.code_intelligence.jazzer.junit.FuzzTest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

/** Bytes of any kind instead of what agents say: a message that is written as it was read, or a refusal. */
final class AgentMessageFuzzTest
{
    @FuzzTest
    void shouldReadOrRefuse(final byte[] bytes)
    {
        try
        {
            final AgentMessage message = AgentMessage.decode(bytes);

            assertEquals(message, AgentMessage.decode(message.encode()));
        }
        catch (final IOException | IllegalArgumentException ex)
        {
            assertNotNull(ex);                  // As its receiver expects.
        }
    }
}
