// SPDX-License-Identifier: Apache-2.0
/**
 * A cluster seen from outside: reads the files of its nodes and boards, living or dead, and writes nothing; who waits
 * for whom. One thread. Imports {@code org.grim}, its packages {@code board, buffer, cluster, counters, network, queue,
 * transport} and {@code wire}, and {@code org.grim.tools.report}.
 */
package org.grim.tools.observe;
