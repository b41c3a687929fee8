// SPDX-License-Identifier: Apache-2.0
package org.grim.remote;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.CountingErrorHandler;
import org.grim.GrimConfig;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.node.ScriptedEndpoint;
import org.grim.wire.MessageHeader;

import com.code_intelligence.jazzer.junit.FuzzTest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A record of an operation whose bytes anybody wrote is executed within its bytes, or its link ends. */
final class OperationRecordFuzzTest
{
    private static final CountingErrorHandler ERRORS = new CountingErrorHandler();
    private static final GrimConfig CONFIG = ScriptedEndpoint.config("8KiB", ERRORS);

    @FuzzTest
    void shouldExecuteOrRefuseARecordOfAnyBytes(final byte[] bytes)
    {
        final ScriptedEndpoint own = new ScriptedEndpoint(CONFIG, ERRORS);
        own.hop.pieceLengthMax = Integer.MAX_VALUE;
        final EndpointRemoteLink link = (EndpointRemoteLink)own.remote();
        final AtomicBuffer record = Buffers.allocate(MessageHeader.LENGTH + Math.max(16, bytes.length));
        record.putBytes(0, bytes);

        final SendStatus status =
            link.tryExecute(record, 0, MessageHeader.LENGTH, Math.max(0, bytes.length - MessageHeader.LENGTH));

        assertTrue(status == SendStatus.SENT || status == SendStatus.CLOSED, () -> "status=" + status);
        assertEquals(status == SendStatus.SENT ? 1 : 0, own.hop.taken.size());
        own.close();
    }
}
