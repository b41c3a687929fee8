// SPDX-License-Identifier: Apache-2.0
/**
 * What is seen of the transport from outside: how its streams are named, which client and driver a node uses, and the
 * positions of all hops in the driver's counters.
 * <p>Thread: any. May import the SPI and Aeron; knows no other package of the transport.
 */
package org.grim.aeron.observe;
