// SPDX-License-Identifier: Apache-2.0
package org.grim.stream;

import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Messages between owner and sink of a connection, beside {@linkplain org.grim.device.accelerator.ItemFormat items}.
 * <pre>
 *  stream.sink     request of the owner: a0 connection, a1 epoch; its name       answer: a1 slot
 *  stream.probe    request of the owner: a0 connection                           answer: whether the sink has it
 *  stream.close    of the owner: a0 connection
 *  stream.account  of the sink: a0 connection, a1 last sequence, a2 kind (bits 0-1) and number of items; a reason
 *  stream.list     request of anybody                     answer: lines, fields separated by tabs, for each connection
 *                  connection NUMBER STATE EPOCH SINK WINDOW INJECTED DELIVERED FAILED LOST UNKNOWN NAME
 *                  stage DEVICE SLOT OPERATION KERNEL, for each of its stages
 *                  failure TEXT, if the last change of its path has failed
 * </pre>
 * An account continues the one before. If items lie between them, an account was lost with a path.
 */
final class StreamFormat
{
    static final String ITEM = "stream.item";
    static final String SINK = "stream.sink";
    static final String PROBE = "stream.probe";
    static final String CLOSE = "stream.close";
    static final String ACCOUNT = "stream.account";
    static final String LIST = "stream.list";

    static final int FIRST_EPOCH = 1;

    static final int DELIVERED = 0;
    static final int LOST = 1;
    /** Has a reason. */
    static final int FAILED = 2;
    /** All items of an epoch are accounted for: its number stands for the sequence. */
    static final int ENDED = 3;

    private static final int KIND_MASK = 3;
    private static final int COUNT_SHIFT = 2;

    private StreamFormat()
    {
    }

    /** Composes a line of the list: a field has no tab and no line end. */
    static String line(final Object... fields)
    {
        return Stream.of(fields).map(field -> field.toString().replaceAll("\\p{Cntrl}", " "))
            .collect(Collectors.joining("\t", "", "\n"));
    }

    static int account(final int kind, final long count)
    {
        return kind | ((int)count << COUNT_SHIFT);
    }

    static int kind(final int account)
    {
        return account & KIND_MASK;
    }

    static int count(final int account)
    {
        return account >>> COUNT_SHIFT;
    }

    /** Completes the lower 32 bits of a sequence, which is near another. */
    static long sequence(final long near, final int lower)
    {
        return near + (lower - (int)near);
    }
}
