// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.model;

/** The board that a fragment is sent to. */
interface NextHop
{
    /** Returns the board and its host. */
    Side side();

    /** A fragment's header has come so far that decoding begins. */
    void onHeader(Fragment fragment);

    /** A fragment's last byte has come. */
    void onArrived(Fragment fragment);
}
