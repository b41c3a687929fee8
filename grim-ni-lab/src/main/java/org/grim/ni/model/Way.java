// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.model;

import java.util.function.Consumer;

/** The stages from one host to the other, in a row. */
final class Way
{
    private final Injection injection;

    Way(final ModelParameters parameters, final Assumptions assumptions, final Side side, final Side farSide,
        final Consumer<Fragment> onSeen)
    {
        final StageCosts costs = new StageCosts(parameters, assumptions);
        final Reception reception = new Reception(parameters, assumptions, costs, farSide, onSeen,
            fragment -> side.processor.use(costs.settleNs(), () -> onAnswered(fragment)));
        final Transmission transmission =
            new Transmission(parameters, costs, side, farSide, reception);
        injection = new Injection(parameters, costs, side, transmission);
    }

    Injection injection()
    {
        return injection;
    }

    private void onAnswered(final Fragment fragment)
    {
        injection.onAnswered(fragment);
    }
}
