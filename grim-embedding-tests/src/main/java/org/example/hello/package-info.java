// SPDX-License-Identifier: Apache-2.0
/** A program that uses GRIM as a named module does, on the module path. */
package org.example.hello;
