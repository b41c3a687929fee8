// SPDX-License-Identifier: Apache-2.0
/**
 * Makes texts from outside fit to be shown: values of configuration keys, and names that peers wrote into shared
 * memory. Any thread; no state. Imports nothing of GRIM.
 */
package org.grim.text;
