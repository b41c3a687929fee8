// SPDX-License-Identifier: Apache-2.0
/**
 * View of the transport from outside: names of its streams, client and driver of a node, and the positions of all hops
 * in the driver's counters.
 * <p>Thread: any. May import the SPI and Aeron; knows no other package of the transport.
 */
package org.grim.aeron.observe;
