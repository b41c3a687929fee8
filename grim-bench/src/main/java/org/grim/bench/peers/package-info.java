// SPDX-License-Identifier: Apache-2.0
/**
 * What GRIM is compared with. Measuring threads; imports {@code org.grim.buffer} and {@code org.grim.bench.process}.
 */
package org.grim.bench.peers;
