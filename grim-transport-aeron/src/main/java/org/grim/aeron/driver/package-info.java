// SPDX-License-Identifier: Apache-2.0
/**
 * What the embedded media driver does beyond Aeron's own: it refuses datagrams whose frames do not fit them, and does
 * not flood the log. Runs on the driver's threads. Imports Aeron only.
 */
package org.grim.aeron.driver;
