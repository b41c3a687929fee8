// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import org.grim.group.GroupSender;

/** Reports of a group's owner to a sender that is no member, for tests that wait for them. */
public final class SenderReports
{
    private SenderReports()
    {
    }

    /** Returns whether the owner has sent all that the sender has accepted to all members, and has said so. */
    public static boolean areComplete(final GroupSender sender)
    {
        return ((OutsideSender)sender).isFlushed();
    }
}
