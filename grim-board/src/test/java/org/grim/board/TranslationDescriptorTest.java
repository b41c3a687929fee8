// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class TranslationDescriptorTest
{
    @Test
    void shouldKeepItsOffsets()
    {
        assertEquals(0, TranslationDescriptor.REQUEST_VIRTUAL_OFFSET);
        assertEquals(8, TranslationDescriptor.REQUEST_COUNT_OFFSET);
        assertEquals(12, TranslationDescriptor.REQUEST_ID_OFFSET);
        assertEquals(16, TranslationDescriptor.REQUEST_LENGTH);
        assertEquals(3, TranslationDescriptor.RIGHTS_MASK);
        assertEquals(16, StaticTranslation.GENERATION_SHIFT);
        assertEquals(12, StaticTranslation.RIGHTS_SHIFT);
        assertTrue(BoardGeometry.CONTEXT_COUNT_MAX <= StaticTranslation.CONTEXT_MASK);
        assertEquals(0, StaticTranslation.CONTEXT_OFFSET);
        assertEquals(4, StaticTranslation.GENERATION_OFFSET);
        assertEquals(8, StaticTranslation.VIRTUAL_OFFSET);
        assertEquals(16, StaticTranslation.LENGTH_OFFSET);
        assertEquals(24, StaticTranslation.PHYSICAL_OFFSET);
    }
}
