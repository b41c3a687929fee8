// SPDX-License-Identifier: Apache-2.0
/**
 * The command {@code pipelines}: asks owners of streams and their stages. Main thread. Imports {@code org.grim}, its
 * devices, and of the tools {@code observe} and {@code report}.
 */
package org.grim.tools.pipelines;
