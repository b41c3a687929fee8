// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

/** The contract is what the JDK does. */
final class JdkSelectorTest extends SelectorContract
{
    @Override
    ProviderPair open()
    {
        return ProviderPair.ofJdk();
    }
}
