// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import org.grim.LateCallsContract;
import org.junit.jupiter.api.Tag;

@Tag("process")
@Tag("long")
final class MyrinetLateCallsIT extends LateCallsContract
{
    MyrinetLateCallsIT()
    {
        super("myrinet");
    }
}
