// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.report;

import java.util.Locale;

import com.fasterxml.jackson.annotation.JsonValue;

/** Judgement of a row. */
public enum Verdict
{
    /** Changed for the worse, beyond noise and beyond what is worth a word. */
    WORSE,

    /** The same for the better. */
    BETTER,

    /** No change was shown; one that is smaller than what the row could have shown may be there. */
    NONE_SHOWN,

    /** The figures do not allow a judgement. */
    NOT_JUDGED;

    /** {@return name in reports; lower case, with spaces} */
    @JsonValue
    public String label()
    {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
