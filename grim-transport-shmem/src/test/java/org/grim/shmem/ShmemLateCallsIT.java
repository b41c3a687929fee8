// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem;

import org.grim.LateCallsContract;
import org.junit.jupiter.api.Tag;

@Tag("process")
final class ShmemLateCallsIT extends LateCallsContract
{
    ShmemLateCallsIT()
    {
        super("shmem");
    }
}
