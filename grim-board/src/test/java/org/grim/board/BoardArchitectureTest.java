// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

/** Dependencies of the layout of a board's memory on the core. */
@ArchTag("architecture")
@AnalyzeClasses(packages = "org.grim.board", importOptions = ImportOption.DoNotIncludeTests.class)
final class BoardArchitectureTest
{
    @ArchTest
    static final ArchRule BOARD = classes().that().resideInAPackage("org.grim.board..").should()
        .onlyDependOnClassesThat().resideInAnyPackage("java..", "org.agrona..", "org.grim", "org.grim.board..",
            "org.grim.buffer", "org.grim.counters", "org.grim.transport", "org.grim.wire");
}
