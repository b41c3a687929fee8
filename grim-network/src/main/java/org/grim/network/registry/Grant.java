// SPDX-License-Identifier: Apache-2.0
package org.grim.network.registry;

/**
 * A number that was given to a node for one incarnation.
 *
 * @param number      virtual node number.
 * @param incarnation of the node; the number's next one is higher.
 * @param name        of the node; a name that comes back gets the same number.
 * @param host        that the node runs on.
 * @param request     of that host, so that a repeated request is not granted twice.
 */
public record Grant(int number, int incarnation, String name, String host, int request)
{
}
