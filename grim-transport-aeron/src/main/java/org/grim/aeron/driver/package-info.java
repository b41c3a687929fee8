// SPDX-License-Identifier: Apache-2.0
/**
 * Additions to Aeron's embedded media driver: it refuses datagrams whose frames do not fit them, and does not flood the
 * log. Runs on the driver's threads. Imports Aeron only.
 */
package org.grim.aeron.driver;
