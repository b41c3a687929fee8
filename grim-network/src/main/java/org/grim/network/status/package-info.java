// SPDX-License-Identifier: Apache-2.0
/**
 * Reports of agents to tools of other hosts: the state of nodes and hops, read from a host's files, and its encoding in
 * messages.
 * <p>Thread: any. May import core and the registry's codec; knows neither agents nor connections.
 */
package org.grim.network.status;
