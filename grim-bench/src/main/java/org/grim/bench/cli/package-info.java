// SPDX-License-Identifier: Apache-2.0
/**
 * The commands: options, texts and exit codes. Main thread. Imports the other packages of {@code org.grim.bench}.
 */
package org.grim.bench.cli;
