// SPDX-License-Identifier: Apache-2.0
/**
 * What applications call: join a cluster, register handlers, send active messages, poll. One thread per endpoint.
 * Imports every other package of the module; none of those imports more of this one than its values and exceptions.
 */
package org.grim;
