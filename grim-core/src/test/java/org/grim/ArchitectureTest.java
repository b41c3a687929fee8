// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.List;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.SimpleConditionEvent.violated;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/** The arrows of the design's map: who may know whom. */
@ArchTag("architecture")
@AnalyzeClasses(packages = "org.grim", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest
{
    /** All packages, floor by floor from the ground up. A floor may use itself and the floors below it. */
    private static final List<List<String>> FLOORS = List.of(
        List.of("org.grim"),
        List.of("org.grim.buffer", "org.grim.crypto", "org.grim.text", "org.grim.thread"),
        List.of("org.grim.counters", "org.grim.shared", "org.grim.wire"),
        List.of("org.grim.transport"),
        List.of("org.grim.cluster", "org.grim.loop", "org.grim.memory", "org.grim.queue"),
        List.of("org.grim.endpoint"),
        List.of("org.grim.extension", "org.grim.handlers", "org.grim.large", "org.grim.loopback", "org.grim.remote"),
        List.of("org.grim.node"));

    @ArchTest
    static final ArchRule FLOORS_USE_FLOORS_BELOW = classes().that().doNotHaveFullyQualifiedName("org.grim.Grim")
        .should(new ArchCondition<JavaClass>("use their own floor and those below it")
        {
            @Override
            public void check(final JavaClass user, final ConditionEvents events)
            {
                user.getDirectDependenciesFromSelf().stream().filter(dependency -> isAbove(dependency, user))
                    .forEach(dependency -> events.add(violated(dependency, dependency.getDescription())));
            }
        });

    @ArchTest
    static final ArchRule API_IMPORTS_NOTHING = noClasses().that().resideInAPackage("org.grim")
        .and().doNotHaveFullyQualifiedName("org.grim.Grim")
        .should().dependOnClassesThat(resideInAPackage("org.grim..").and(not(resideInAPackage("org.grim"))));

    @ArchTest
    static final ArchRule FRONT_DOOR = noClasses().that().haveFullyQualifiedName("org.grim.Grim")
        .should().dependOnClassesThat(resideInAPackage("org.grim..").and(not(resideInAnyPackage("org.grim",
            "org.grim.node"))));

    @ArchTest
    static final ArchRule SPI_IMPORTS_THE_API_AND_THE_FORMAT = noClasses().that().resideInAPackage("org.grim.transport")
        .should().dependOnClassesThat(resideInAPackage("org.grim..").and(not(resideInAnyPackage("org.grim",
            "org.grim.transport", "org.grim.text", "org.grim.wire"))));

    @ArchTest
    static final ArchRule MEMORY_IN_ONE_PLACE = noClasses().that().resideOutsideOfPackage("org.grim.buffer")
        .should().dependOnClassesThat().haveFullyQualifiedName("org.agrona.concurrent.UnsafeBuffer")
        .orShould().dependOnClassesThat().haveFullyQualifiedName("org.agrona.UnsafeApi");

    @ArchTest
    static final ArchRule NO_TRANSPORT_BY_NAME = noClasses()
        .that().resideOutsideOfPackage("org.grim.loopback")
        .should().dependOnClassesThat().resideInAnyPackage("org.grim.loopback", "org.grim.shmem", "org.grim.myrinet");

    @ArchTest
    static final ArchRule FINAL_INSIDE = classes().that().resideOutsideOfPackages("org.grim", "org.grim.transport")
        .and().areNotInterfaces().and().areNotEnums().and().areNotAnonymousClasses()
        .and().doNotHaveModifier(com.tngtech.archunit.core.domain.JavaModifier.ABSTRACT)
        .should().haveModifier(com.tngtech.archunit.core.domain.JavaModifier.FINAL);

    /** Names of all packages. */
    static String[] packages()
    {
        return FLOORS.stream().flatMap(List::stream).toArray(String[]::new);
    }

    private static boolean isAbove(final Dependency dependency, final JavaClass user)
    {
        final String used = dependency.getTargetClass().getBaseComponentType().getPackageName();
        return used.startsWith("org.grim") && floorOf(used) > floorOf(user.getPackageName());
    }

    private static int floorOf(final String packageName)
    {
        for (int floor = 0; floor < FLOORS.size(); floor++)
        {
            if (FLOORS.get(floor).contains(packageName))
            {
                return floor;
            }
        }
        throw new AssertionError("package " + packageName + " stands on no floor");
    }
}
