// SPDX-License-Identifier: Apache-2.0
package org.grim.transport;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The only declaration of a configuration key, on the component of a record that {@link Keys#read} makes. The
 * component's type says what the value is: boolean, number, text, list of texts, or list of whole numbers.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Key
{
    /** Bytes of a KiB. */
    int KIB = 1 << 10;
    /** Bytes of a MiB. */
    int MIB = 1 << 20;
    /** Bytes of a GiB. */
    int GIB = 1 << 30;
    /** Nanoseconds of a millisecond. */
    long MS = 1_000_000;
    /** Nanoseconds of a second. */
    long SECOND = 1_000 * MS;
    /** Nanoseconds of a minute. */
    long MINUTE = 60 * SECOND;

    /** Unit of a number. */
    enum Unit
    {
        /** No unit. */
        COUNT,
        /** A length. */
        BYTES,
        /** A time. */
        NANOSECONDS
    }

    /** {@return path of the key below {@code grim}} */
    String value();

    /** {@return default value as a file would have it; a text without quotes} */
    String initial() default "";

    /** {@return description of the key for users, in Markdown} */
    String text();

    /** {@return unit of a number} */
    Unit unit() default Unit.COUNT;

    /** {@return minimum of a number or of each number of a list; fewest bytes of a text} */
    long min() default 0;

    /** {@return maximum of a number or of each number of a list; most bytes of a text or of each of a list} */
    long max() default Long.MAX_VALUE;

    /** {@return an earlier key of the record, whose value is the minimum; empty for {@link #min()}} */
    String minKey() default "";

    /** {@return an earlier key of the record, whose value is the maximum; empty for {@link #max()}} */
    String maxKey() default "";

    /** {@return an earlier key of the record, whose value is subtracted from {@link #max()}; empty for none} */
    String maxLessKey() default "";

    /** {@return number of which a length is a multiple} */
    int multipleOf() default 1;

    /** {@return whether a number is a power of two} */
    boolean isPowerOfTwo() default false;

    /** {@return most elements of a list} */
    int countMax() default 0;

    /** {@return words that a text, or each text of a list, is one of; a list begins with the first; empty for any} */
    String[] words() default {};

    /** {@return regular expression of a text; empty for any text of {@link #min()} to {@link #max()} bytes} */
    String form() default "";

    /** {@return {@link #form()} in words} */
    String formText() default "";
}
