// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pair.peers;

import java.util.Map;

import org.grim.tools.pair.Peer;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertFalse;

final class LimitPeerTest extends PeerContract
{
    @Override
    protected Map<Peer, Peer> pairs()
    {
        return Map.of(
            new CopyFlagPeer(directory, true, 65504, first), new CopyFlagPeer(directory, false, 65504, second));
    }

    @Test
    void shouldPassOneWordRaw()
    {
        try (RawPeer sender = new RawPeer(directory, true, first);
            RawPeer taker = new RawPeer(directory, false, second))
        {
            final Payload payload = new Payload(true);

            assertPassed(sender, taker, second, payload.write(8), payload, 8);
            assertPassed(sender, taker, second, payload.write(8), payload, 8);
            assertFalse(taker.poll() > 0);
        }
    }
}
