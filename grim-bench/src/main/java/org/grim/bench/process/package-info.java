// SPDX-License-Identifier: Apache-2.0
/**
 * What measuring processes need of the system: CPUs to run on, waits with an end, programs of others. The thread that
 * calls. Imports {@code org.grim} only.
 */
package org.grim.bench.process;
