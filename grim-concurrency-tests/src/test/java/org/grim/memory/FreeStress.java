// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import org.grim.MemoryRegion;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Freeing a region while a peer writes to it: either the writer sees that it is free, or the owner sees that the writer
 * is at work, and does not give the page to another region.
 */
public final class FreeStress
{
    private FreeStress()
    {
    }

    /** RM-P: the page's tag says that it is free. A copy that takes long. */
    @JCStressTest
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "Written, and the page is kept")
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "Refused, and the page is kept")
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Written before, and the page is another's")
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "Refused, and the page is another's")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Written into another region")
    @State
    public static class Physical
    {
        private final StressNode node = new StressNode();
        private final DirectHop hop = node.newHop();
        private boolean isFree;

        @Actor
        public void write(final II_Result result)
        {
            result.r1 = node.write(hop, true, MemorySettings.PAGE_LENGTH, 0) ? 1 : 0;
        }

        @Actor
        public void free()
        {
            isFree = node.freeAndStore();
        }

        @Arbiter
        public void judge(final II_Result result)
        {
            result.r2 = !isFree ? 0 : node.last() == 0 ? 1 : 2;
        }
    }

    /** RM-V: the slot's generation says that it is free, also while another region comes into the slot. */
    @JCStressTest
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "Written, and the page is kept")
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "Refused, and the page is kept")
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Written before, and the page is another's")
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "Refused, and the page is another's")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Written into another region")
    @State
    public static class Virtual
    {
        private final StressNode node = new StressNode();
        private final DirectHop hop = node.newHop();
        private MemoryRegion next;

        @Actor
        public void write(final II_Result result)
        {
            result.r1 = node.write(hop, false, Long.BYTES, 0) ? 1 : 0;
        }

        @Actor
        public void free()
        {
            next = node.freeAndReuse();
        }

        @Arbiter
        public void judge(final II_Result result)
        {
            result.r2 = next == null ? 0 : next.buffer().getLong(0) == 0 ? 1 : 2;
        }
    }
}
