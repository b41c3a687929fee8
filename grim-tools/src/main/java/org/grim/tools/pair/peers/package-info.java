// SPDX-License-Identifier: Apache-2.0
/**
 * The code that measures, this library as a peer, and its limits; loaded again for each peer. Measuring threads;
 * imports {@code org.grim.tools.pair} and the public API.
 */
package org.grim.tools.pair.peers;
