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
        assertEquals(0, TranslationDescriptor.REQUEST_ADDRESS_OFFSET);
        assertEquals(8, TranslationDescriptor.REGION_LENGTH_OFFSET);
        assertEquals(16, TranslationDescriptor.ENABLED_OFFSET);
        assertEquals(64, TranslationDescriptor.PAGE_COUNT_OFFSET);
        assertEquals(72, TranslationDescriptor.PAGES_OFFSET);
        assertEquals(216, TranslationDescriptor.ANSWER_ID_OFFSET);
        assertTrue(TranslationDescriptor.ANSWER_ID_OFFSET + 4 <= BoardDescriptor.CONTEXT_LENGTH);
        assertEquals(3, TranslationDescriptor.RIGHTS_MASK);
        assertEquals(16, TranslationDescriptor.STATIC_GENERATION_SHIFT);
        assertEquals(12, TranslationDescriptor.STATIC_RIGHTS_SHIFT);
        assertTrue(BoardGeometry.CONTEXT_COUNT_MAX <= TranslationDescriptor.STATIC_CONTEXT_MASK);
        assertEquals(0, TranslationDescriptor.STATIC_CONTEXT_OFFSET);
        assertEquals(4, TranslationDescriptor.STATIC_GENERATION_OFFSET);
        assertEquals(8, TranslationDescriptor.STATIC_VIRTUAL_OFFSET);
        assertEquals(16, TranslationDescriptor.STATIC_LENGTH_OFFSET);
        assertEquals(24, TranslationDescriptor.STATIC_PHYSICAL_OFFSET);
    }
}
