// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Structure of the main code of a module: its packages by name, cycles of packages, and of classes. */
@Tag("architecture")
public abstract class StructureContract
{
    private static final Logger LOGGER = LoggerFactory.getLogger(StructureContract.class);
    private static final String FRONT_DOOR = "org.grim.Grim";
    /** Most classes that all depend on each other. */
    private static final int COMPONENT_MAX = 5;
    /** Packages of what JMH's compiler makes. */
    private static final String GENERATED = ".jmh_generated";

    private final Map<String, Set<String>> classEdges = new TreeMap<>();
    private final Map<String, Set<String>> packageEdges = new TreeMap<>();
    private final Set<String> knownPackages;

    /**
     * Reads the classes of a module.
     *
     * @param location      of its main classes, as the last part of a path.
     * @param knownPackages all packages that it has.
     */
    protected StructureContract(final String location, final String... knownPackages)
    {
        this.knownPackages = new TreeSet<>(List.of(knownPackages));
        final ImportOption inModule = where -> where.contains("/" + location + "/");
        for (final JavaClass each : new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(inModule).importPackages("org.grim"))
        {
            read(each);
        }
        assertTrue(classEdges.size() > 1, () -> "no classes in " + location);
    }

    @Test
    void shouldHaveTheKnownPackagesOnly()
    {
        assertEquals(knownPackages, packageEdges.keySet());
    }

    @Test
    void shouldHaveNoTwoPackagesThatUseEachOther()
    {
        final List<Collection<String>> cycles = components(packageEdges);

        cycles.forEach(cycle -> LOGGER.info("cycle of packages: {}", cycle));
        assertEquals(List.of(), cycles);
    }

    @Test
    void shouldHaveSmallComponentsOfClasses()
    {
        final List<Collection<String>> components = components(classEdges);

        components.forEach(each -> LOGGER.info("component of {} classes: {}", each.size(), each));
        assertTrue(components.isEmpty() || components.get(0).size() <= COMPONENT_MAX, components::toString);
    }

    private void read(final JavaClass each)
    {
        final String name = topLevel(each);
        if (name.endsWith("-info") || each.getPackageName().endsWith(GENERATED))
        {
            return;
        }
        classEdges.computeIfAbsent(name, key -> new TreeSet<>());
        packageEdges.computeIfAbsent(each.getPackageName(), key -> new TreeSet<>());
        if (name.equals(FRONT_DOOR))
        {
            return;                             // The one class that may call the top floor.
        }
        for (final Dependency dependency : each.getDirectDependenciesFromSelf())
        {
            final JavaClass target = dependency.getTargetClass().getBaseComponentType();
            if (target.getPackageName().startsWith("org.grim"))
            {
                classEdges.get(name).add(topLevel(target));
                packageEdges.get(each.getPackageName()).add(target.getPackageName());
            }
        }
    }

    private static String topLevel(final JavaClass each)
    {
        final int nested = each.getName().indexOf('$');
        return nested < 0 ? each.getName() : each.getName().substring(0, nested);
    }

    /** Sets of classes that reach each other, the largest first. */
    private static List<Collection<String>> components(final Map<String, Set<String>> edges)
    {
        final Set<String> done = new HashSet<>();
        final Map<String, Set<String>> reach = new HashMap<>();
        edges.keySet().forEach(from -> reach.put(from, reachable(from, edges)));
        final List<Collection<String>> found = new ArrayList<>();
        for (final String from : edges.keySet())
        {
            if (!done.contains(from))
            {
                final Set<String> component = new TreeSet<>(Set.of(from));
                reach.get(from).stream().filter(to -> reach.getOrDefault(to, Set.of()).contains(from))
                    .forEach(component::add);
                done.addAll(component);
                if (component.size() > 1)
                {
                    found.add(component);
                }
            }
        }
        found.sort(Comparator.comparing(component -> -component.size()));
        return found;
    }

    private static Set<String> reachable(final String from, final Map<String, Set<String>> edges)
    {
        final Set<String> seen = new HashSet<>();
        final Deque<String> next = new ArrayDeque<>(edges.get(from));
        while (!next.isEmpty())
        {
            final String each = next.pop();
            if (seen.add(each))
            {
                next.addAll(edges.getOrDefault(each, Set.of()));
            }
        }
        return seen;
    }
}
