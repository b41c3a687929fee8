// SPDX-License-Identifier: Apache-2.0
/**
 * Programs as a user would write them, one file each, with nothing but the public API. {@code ./grim example NAME} runs
 * one: its processes are nodes {@code node-0}, {@code node-1} and so on of one cluster.
 */
package org.grim.example;
