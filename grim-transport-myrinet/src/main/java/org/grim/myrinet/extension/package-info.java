// SPDX-License-Identifier: Apache-2.0
/**
 * Functions of Myrinet for applications, beyond GRIM's own interfaces. Any thread. Imports no other package of the
 * module.
 */
package org.grim.myrinet.extension;
