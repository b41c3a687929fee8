// SPDX-License-Identifier: Apache-2.0
/**
 * What applications reach of Myrinet beyond GRIM's own interfaces. Any thread. Imports no other package of the module.
 */
package org.grim.myrinet.extension;
