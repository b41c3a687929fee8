// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.util.List;

/**
 * Commands that another module adds to {@code grim}; found by {@link java.util.ServiceLoader}.
 * <p>Thread: main.
 */
public interface CommandSet
{
    /** {@return the commands; classes with picocli's {@code Command}, or instances of them} */
    List<Object> commands();
}
