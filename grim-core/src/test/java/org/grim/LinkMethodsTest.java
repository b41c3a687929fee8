// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import org.grim.endpoint.EndpointLink;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertTrue;

/** A part that sends for a link is given the objects that it needs: it does not call the link back. */
final class LinkMethodsTest
{
    private static final int NAME_COUNT_MAX = 13;

    @Test
    void shouldHaveFewPublicMethods()
    {
        final Set<String> names = Arrays.stream(EndpointLink.class.getMethods())
            .filter(method -> method.getDeclaringClass() != Object.class && !Modifier.isStatic(method.getModifiers()))
            .map(Method::getName).collect(Collectors.toCollection(TreeSet::new));

        assertTrue(names.size() <= NAME_COUNT_MAX, () -> "names=" + names);
    }
}
