// SPDX-License-Identifier: Apache-2.0
/**
 * What agents tell tools of other hosts: how nodes and hops are, read from a host's files, and how it stands in
 * messages.
 * <p>Thread: any. May import core and the registry's codec; knows neither agents nor connections.
 */
package org.grim.network.status;
