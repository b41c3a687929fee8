// SPDX-License-Identifier: Apache-2.0
/**
 * The pair harness: two pinned JVMs with a peer or more between them, measured in interleaved rounds. Another module
 * adds peers by a {@code PeerFactory}. The measuring thread of either JVM; imports {@code boards} and {@code process}
 * of the tools, and the public API.
 */
package org.grim.tools.pair;
