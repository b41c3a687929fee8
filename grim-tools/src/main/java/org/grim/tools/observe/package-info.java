// SPDX-License-Identifier: Apache-2.0
/**
 * A cluster seen from outside: reads the files of its nodes, living or dead, and writes nothing. One thread. Imports
 * {@code org.grim, org.grim.cluster, org.grim.counters, org.grim.queue, org.grim.buffer, org.grim.tools.report}, and
 * the packages below.
 */
package org.grim.tools.observe;
