// SPDX-License-Identifier: Apache-2.0
/** The command {@code bench groups} and the hidden one of its members. */
package org.grim.bench.cli.groups;
