// SPDX-License-Identifier: Apache-2.0
/**
 * The API for applications: join a cluster, register handlers, send active messages, poll, share memory. Interfaces,
 * values and exceptions; each type says its thread. Imports no other package of GRIM, but {@code Grim} its top floor.
 */
package org.grim;
