// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/** Native calls stand in one room, the driver meets the firmware at the board's memory alone. */
@ArchTag("architecture")
@AnalyzeClasses(packages = "org.grim.myrinet", importOptions = ImportOption.DoNotIncludeTests.class)
final class MyrinetArchitectureTest
{
    private static final String POSIX = "org.grim.myrinet.posix";

    @ArchTest
    static final ArchRule JNR_IN_ONE_ROOM = noClasses().that().resideOutsideOfPackage(POSIX)
        .should().dependOnClassesThat().resideInAnyPackage("jnr..", "com.kenai.jffi..");

    @ArchTest
    static final ArchRule POSIX_KNOWS_JNR_ALONE = classes().that().resideInAPackage(POSIX)
        .should().onlyDependOnClassesThat().resideInAnyPackage("java..", "jnr.ffi..", "org.grim", POSIX);

    @ArchTest
    static final ArchRule JNR_DOES_NOT_LEAK = methods()
        .that().arePublic().and().areDeclaredInClassesThat().resideInAPackage(POSIX)
        .and().areDeclaredInClassesThat().areTopLevelClasses().and().areDeclaredInClassesThat().arePublic()
        .should().haveRawReturnType(com.tngtech.archunit.base.DescribedPredicate.not(
            com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage("jnr..")));

    @ArchTest
    static final ArchRule POSIX_HAS_NO_STATE =
        fields().that().areDeclaredInClassesThat().resideInAPackage(POSIX).should().beFinal();

    @ArchTest
    static final ArchRule FIRMWARE_IS_UNKNOWN = noClasses().that().resideInAPackage("org.grim.myrinet..")
        .should().dependOnClassesThat().resideInAPackage("org.grim.ni..");

    @ArchTest
    static final ArchRule MEMORY_KNOWS_THE_BOARD_AND_THE_SEAM = classes()
        .that().resideInAPackage("org.grim.myrinet.memory")
        .should().onlyDependOnClassesThat().resideInAnyPackage("java..", "org.agrona..", "org.slf4j..", "org.grim",
            "org.grim.board..", "org.grim.buffer", "org.grim.thread", "org.grim.transport", POSIX,
            "org.grim.myrinet.memory");

    @ArchTest
    static final ArchRule RAW_MEMORY_IN_CORE_ALONE = noClasses().that().resideInAPackage("org.grim.myrinet..")
        .should().dependOnClassesThat().haveFullyQualifiedName("org.agrona.concurrent.UnsafeBuffer")
        .orShould().dependOnClassesThat().haveFullyQualifiedName("org.agrona.UnsafeApi");
}
