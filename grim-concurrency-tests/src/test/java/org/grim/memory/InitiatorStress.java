// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two initiators and one line: one of them gets it. */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "The first has the line")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "The second has the line")
@Outcome(expect = Expect.FORBIDDEN, desc = "Both have it, or nobody")
@State
public class InitiatorStress
{
    private final StressNode node = new StressNode();

    /** Leaves one line. */
    public InitiatorStress()
    {
        node.newHop();
    }

    @Actor
    public void attach(final II_Result result)
    {
        result.r1 = node.tryAttach() == null ? 0 : 1;
    }

    @Actor
    public void attachToo(final II_Result result)
    {
        result.r2 = node.tryAttach() == null ? 0 : 1;
    }
}
