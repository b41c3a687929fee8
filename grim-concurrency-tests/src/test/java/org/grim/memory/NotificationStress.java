// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The notification word of a write follows its last byte. */
public final class NotificationStress
{
    private static final int WORD_INDEX = 2048;

    private NotificationStress()
    {
    }

    static void look(final StressNode node, final int length, final II_Result result)
    {
        result.r1 = node.region.buffer().getIntAcquire(WORD_INDEX);
        result.r2 = node.region.buffer().getByte(length - 1) == StressNode.BYTE &&
            node.region.buffer().getByte(0) == StressNode.BYTE ? 1 : 0;
    }

    /** Bytes that are copied word by word. */
    @JCStressTest
    @Outcome(id = {"0, 0", "0, 1"}, expect = Expect.ACCEPTABLE, desc = "Not notified yet")
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Notified, and all bytes are there")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Notified of bytes that are not there")
    @State
    public static class Words
    {
        private static final int LENGTH = 29;

        private final StressNode node = new StressNode();
        private final DirectHop hop = node.newHop();

        @Actor
        public void write()
        {
            node.write(hop, true, LENGTH, WORD_INDEX);
        }

        @Actor
        public void wait(final II_Result result)
        {
            look(node, LENGTH, result);
        }
    }

    /** Bytes that a copying routine copies. */
    @JCStressTest
    @Outcome(id = {"0, 0", "0, 1"}, expect = Expect.ACCEPTABLE, desc = "Not notified yet")
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Notified, and all bytes are there")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Notified of bytes that are not there")
    @State
    public static class Block
    {
        private static final int LENGTH = 1000;

        private final StressNode node = new StressNode();
        private final DirectHop hop = node.newHop();

        @Actor
        public void write()
        {
            node.write(hop, false, LENGTH, WORD_INDEX);
        }

        @Actor
        public void wait(final II_Result result)
        {
            look(node, LENGTH, result);
        }
    }
}
