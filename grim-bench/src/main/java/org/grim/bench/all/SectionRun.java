// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** One part of a section of {@code bench all}, in one fork; of {@code slowDown} see {@link Part}. */
public record SectionRun(Section section, String part, Effort effort, Path directory, Path output, int slowDown)
    implements ForkTask
{
    @Override
    public String title()
    {
        return section + "/" + part;
    }

    @Override
    public long timeoutMs()
    {
        return TimeUnit.MINUTES.toMillis(20);
    }

    @Override
    public boolean isChecked()
    {
        return false;
    }

    @Override
    public void fill(final Figures figures)
    {
        final Part of = new Part(part, effort, directory, slowDown, figures);
        switch (section)
        {
            case MESSAGES, MEMORY, BOARD -> PairSection.run(of, section);
            case POLL, CHANNELS, COST -> OneThreadSection.run(of, section);
            case LOAD -> LoadSection.run(of);
            case CPU -> CpuSection.run(of);
        }
    }
}
