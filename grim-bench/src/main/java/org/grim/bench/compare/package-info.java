// SPDX-License-Identifier: Apache-2.0
/**
 * The pair harness: who is measured at what, in two processes, each peer with its own copy of the measuring code.
 * Programs of others have processes of their own, where they are installed. Measuring threads. Imports process and
 * boards; the peers themselves are loaded by name, each in a class loader of its own.
 */
package org.grim.bench.compare;
