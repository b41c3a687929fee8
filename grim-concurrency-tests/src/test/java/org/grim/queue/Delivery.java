// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.Outcome;

/** Faults, accepted messages that did not come, whether messages came while they were being sent. */
@Outcome(id = "0, 0, 1", expect = Expect.ACCEPTABLE, desc = "All came intact, some while others were sent")
@Outcome(id = "0, 0, 0", expect = Expect.ACCEPTABLE, desc = "All came intact, after they were sent")
@Outcome(expect = Expect.FORBIDDEN, desc = "A message was torn, lost, repeated or out of order")
public final class Delivery
{
    private Delivery()
    {
    }
}
