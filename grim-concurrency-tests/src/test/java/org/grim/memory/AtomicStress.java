// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import org.grim.RemoteLink.AtomicOperation;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/** A peer's atomic operation on a word, and the owner's own. */
public final class AtomicStress
{
    private static final int WORD_INDEX = 2048;

    private AtomicStress()
    {
    }

    /** Both add: no addition is lost, and each finds what the other one left. */
    @JCStressTest
    @Outcome(id = "0, 1, 3", expect = Expect.ACCEPTABLE, desc = "The peer was first")
    @Outcome(id = "2, 0, 3", expect = Expect.ACCEPTABLE, desc = "The owner was first")
    @Outcome(expect = Expect.FORBIDDEN, desc = "One addition was not seen")
    @State
    public static class Add
    {
        private final StressNode node = new StressNode();
        private final DirectHop hop = node.newHopThatReads();

        @Actor
        public void peer(final JJJ_Result result)
        {
            result.r1 = node.update(hop, AtomicOperation.FETCH_ADD, WORD_INDEX, 1, 0);
        }

        @Actor
        public void owner(final JJJ_Result result)
        {
            result.r2 = node.region.buffer().getAndAddLong(WORD_INDEX, 2);
        }

        @Arbiter
        public void sum(final JJJ_Result result)
        {
            result.r3 = node.region.buffer().getLongVolatile(WORD_INDEX);
        }
    }

    /** The peer sets a bit, and the owner adds: neither is lost. */
    @JCStressTest
    @Outcome(id = "0, 1, 3", expect = Expect.ACCEPTABLE, desc = "The peer was first")
    @Outcome(id = "2, 0, 3", expect = Expect.ACCEPTABLE, desc = "The owner was first")
    @Outcome(expect = Expect.FORBIDDEN, desc = "One change was not seen")
    @State
    public static class Or
    {
        private final StressNode node = new StressNode();
        private final DirectHop hop = node.newHopThatReads();

        @Actor
        public void peer(final JJJ_Result result)
        {
            result.r1 = node.update(hop, AtomicOperation.FETCH_OR, WORD_INDEX, 1, 0);
        }

        @Actor
        public void owner(final JJJ_Result result)
        {
            result.r2 = node.region.buffer().getAndAddLong(WORD_INDEX, 2);
        }

        @Arbiter
        public void bits(final JJJ_Result result)
        {
            result.r3 = node.region.buffer().getLongVolatile(WORD_INDEX);
        }
    }

    /** Both set the word if it is 0: one of them does. */
    @JCStressTest
    @Outcome(id = "0, 1, 1", expect = Expect.ACCEPTABLE, desc = "The peer has set it")
    @Outcome(id = "2, 0, 2", expect = Expect.ACCEPTABLE, desc = "The owner has set it")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Both have set it, or nobody")
    @State
    public static class Set
    {
        private final StressNode node = new StressNode();
        private final DirectHop hop = node.newHopThatReads();

        @Actor
        public void peer(final JJJ_Result result)
        {
            result.r1 = node.update(hop, AtomicOperation.COMPARE_AND_SET, WORD_INDEX, 1, 0);
        }

        @Actor
        public void owner(final JJJ_Result result)
        {
            result.r2 = node.region.buffer().compareAndExchangeLong(WORD_INDEX, 0, 2);
        }

        @Arbiter
        public void value(final JJJ_Result result)
        {
            result.r3 = node.region.buffer().getLongVolatile(WORD_INDEX);
        }
    }

    /** A signal follows the last byte. */
    @JCStressTest
    @Outcome(id = {"0, 0", "0, 1"}, expect = Expect.ACCEPTABLE, desc = "Not signalled yet")
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Signalled, and all bytes are there")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Signalled of bytes that are not there")
    @State
    public static class Signal
    {
        private static final int LENGTH = 29;

        private final StressNode node = new StressNode();
        private final DirectHop hop = node.newHop();

        @Actor
        public void write()
        {
            node.writeWithSignal(hop, LENGTH, WORD_INDEX);
        }

        @Actor
        public void wait(final II_Result result)
        {
            NotificationStress.look(node, LENGTH, result);
        }
    }
}
