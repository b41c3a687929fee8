// SPDX-License-Identifier: Apache-2.0
/**
 * The command {@code replay}: runs recorded items through kernels without a cluster. Main thread. Imports devices, and
 * of the tools {@code report}.
 */
package org.grim.tools.replay;
