// SPDX-License-Identifier: Apache-2.0
package org.grim.network.registry;

/**
 * A handler's name and its cluster-wide id.
 *
 * @param name of the handler.
 * @param id   of it, for as long as the cluster exists.
 */
public record HandlerName(String name, int id)
{
}
