// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.posix;

/** Advice to the kernel about memory. */
public enum Advice
{
    /** It will be used soon: read it in. */
    WILL_NEED(3),
    /** Large pages are welcome, where the kernel has them for such memory. */
    HUGE_PAGES(14),
    /** Make all pages writable now, so that the first store to each costs no fault. Linux 5.14. */
    POPULATE_WRITE(23);

    private final int number;

    Advice(final int number)
    {
        this.number = number;
    }

    int number()
    {
        return number;
    }
}
