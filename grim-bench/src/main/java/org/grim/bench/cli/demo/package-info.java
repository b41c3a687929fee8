// SPDX-License-Identifier: Apache-2.0
/**
 * The command {@code demo-cluster}, and the hidden one of its nodes. Main thread. Imports {@code org.grim},
 * {@code org.grim.bench.nodes, org.grim.tools.cli, org.grim.tools.process}.
 */
package org.grim.bench.cli.demo;
