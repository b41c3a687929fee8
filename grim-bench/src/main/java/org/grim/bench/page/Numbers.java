// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.page;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/** Figures as people read them: no more digits than say something. Any thread; no state. */
final class Numbers
{
    private static final double KIBI = 1024;
    private static final double KILO = 1e3;
    private static final double TEN_THOUSAND = 1e4;
    private static final double MEGA = 1e6;
    private static final double GIGA = 1e9;
    private static final double TERA = 1e12;
    private static final double PERCENT = 100;
    private static final double GREAT_CHANGE = 10;
    private static final double LEAST = 1e-4;
    private static final MathContext DIGITS = new MathContext(4, RoundingMode.HALF_UP);

    private Numbers()
    {
    }

    /** Four digits, and a prefix from a million on. */
    static String text(final double value)
    {
        final double size = Math.abs(value);
        if (!Double.isFinite(value))
        {
            return Double.toString(value);
        }
        if (size >= TERA || (size > 0 && size < LEAST))
        {
            return String.format(Locale.ROOT, "%.3g", value);
        }
        if (size >= GIGA)
        {
            return digits(value / GIGA) + " G";
        }
        if (size >= MEGA)
        {
            return digits(value / MEGA) + " M";
        }
        return size >= TEN_THOUSAND ? String.format(Locale.ROOT, "%,.0f", value) : digits(value);
    }

    /** As a label of an axis: short, times with the unit that fits. */
    static String label(final double value, final String unit)
    {
        if ("ns".equals(unit))
        {
            if (value >= GIGA)
            {
                return digits(value / GIGA) + " s";
            }
            if (value >= MEGA)
            {
                return digits(value / MEGA) + " ms";
            }
            return value >= KILO ? digits(value / KILO) + " \u00b5s" : digits(value) + " ns";
        }
        return value >= KILO && value < MEGA ? digits(value / KILO) + " k" : text(value);
    }

    /** Bytes and counts by powers of 1024 where they are such. */
    static String binary(final double value)
    {
        if (value >= KIBI * KIBI && value % (KIBI * KIBI) == 0)
        {
            return Numbers.text(value / KIBI / KIBI) + " Mi";
        }
        return value >= KIBI && value % KIBI == 0 ? Numbers.text(value / KIBI) + " Ki" : plain(value);
    }

    /** All digits. */
    static String plain(final double value)
    {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }

    /** A share of noise, in percent. */
    static String percent(final double share)
    {
        return Double.isFinite(share) ? digits(rounded(share * PERCENT)) + " %" : "-";
    }

    /** A change with its sign, in percent; many times as such. */
    static String change(final double change)
    {
        if (!Double.isFinite(change))
        {
            return "-";
        }
        return change >= GREAT_CHANGE ? "x " + digits(1 + change) :
            String.format(Locale.ROOT, "%+.1f %%", change * PERCENT);
    }

    private static double rounded(final double percent)
    {
        return percent >= GREAT_CHANGE ? Math.rint(percent) : Math.rint(percent * GREAT_CHANGE) / GREAT_CHANGE;
    }

    private static String digits(final double value)
    {
        return new BigDecimal(value, DIGITS).stripTrailingZeros().toPlainString();
    }
}
