// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import org.grim.buffer.OwnFiles;
import org.grim.buffer.Uninterrupted;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/** Sockets stand on the API, on settings and on files. */
@ArchTag("architecture")
@AnalyzeClasses(packages = "org.grim.sockets", importOptions = ImportOption.DoNotIncludeTests.class)
final class SocketsArchitectureTest
{
    @ArchTest
    static final ArchRule EXPORTED_ONLY = noClasses().that().resideInAPackage("org.grim.sockets..")
        .should().dependOnClassesThat(resideInAPackage("org.grim..").and(not(resideInAnyPackage("org.grim",
        "org.grim.transport", "org.grim.cluster", "org.grim.sockets.."))).and(not(
        resideInAnyPackage("org.grim.buffer", "org.grim.shared", "org.grim.text", "org.grim.thread"))));

    @ArchTest
    static final ArchRule FILES_OF_TOOLS_ONLY = noClasses().that().resideInAnyPackage("org.grim.sockets",
        "org.grim.sockets.node").should().dependOnClassesThat(resideInAnyPackage("org.grim.buffer", "org.grim.text")
        .and(not(belongToAnyOf(OwnFiles.class, Uninterrupted.class))));

    @ArchTest
    static final ArchRule FINAL = classes().that().resideInAPackage("org.grim.sockets..").and().areNotInterfaces()
        .and().areTopLevelClasses()
        .should().haveModifier(com.tngtech.archunit.core.domain.JavaModifier.FINAL);
}
