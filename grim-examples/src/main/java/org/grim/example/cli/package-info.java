// SPDX-License-Identifier: Apache-2.0
/** The command {@code example}: runs a program of this module as processes of one cluster. */
package org.grim.example.cli;
