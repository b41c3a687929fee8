// SPDX-License-Identifier: Apache-2.0
/**
 * The command {@code copy}: a file through active messages or remote memory, from one JVM to another. One thread per
 * JVM. Imports {@code org.grim, org.grim.transport, org.grim.tools.process}.
 */
package org.grim.example.copy;
