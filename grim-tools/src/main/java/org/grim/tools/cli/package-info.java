// SPDX-License-Identifier: Apache-2.0
/**
 * The commands: options, texts and exit codes. Main thread. Imports the other packages of {@code org.grim.tools}; other
 * modules add commands by {@link org.grim.tools.cli.CommandSet}.
 */
package org.grim.tools.cli;
