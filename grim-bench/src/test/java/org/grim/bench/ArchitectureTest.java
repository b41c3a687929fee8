// SPDX-License-Identifier: Apache-2.0
package org.grim.bench;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

@ArchTag("architecture")
@AnalyzeClasses(packages = "org.grim.bench", importOptions = DoNotIncludeTests.class)
final class ArchitectureTest
{
    @ArchTest
    static final ArchRule PACKAGES_HAVE_NO_CYCLES =
        SlicesRuleDefinition.slices().matching("org.grim.bench.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule ONLY_THE_COMMANDS_KNOW_PICOCLI = noClasses().that()
        .resideInAPackage("org.grim.bench..").and().resideOutsideOfPackage("org.grim.bench.cli..")
        .should().dependOnClassesThat().resideInAPackage("picocli..");
}
