// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.net.InetAddress;
import java.net.UnknownHostException;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

/** Texts about a group's address for the host's operator. */
final class GroupChannelTest
{
    @Test
    void shouldWarnOfAnAddressThatOtherHostsReach() throws UnknownHostException
    {
        assertNull(GroupChannel.exposure(InetAddress.getByAddress(new byte[] {127, 0, 0, 9}), 7900));
        assertNull(GroupChannel.exposure(InetAddress.getLoopbackAddress(), 7900));
        assertEquals("listens at 192.0.2.7 port=7900 for every host that can reach it, and without a key " +
            "(grim.network.key-file) nothing that agents say is sealed or signed: close this port " +
            "to all but the cluster's hosts",
            GroupChannel.exposure(InetAddress.getByAddress(new byte[] {(byte)192, 0, 2, 7}), 7900));
    }
}
