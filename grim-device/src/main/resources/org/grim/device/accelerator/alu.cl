// SPDX-License-Identifier: Apache-2.0
// Grim-Kernels: alu, alu-bytes
// Grim-Refusal-1: has no such operation: max=9
// Grim-Refusal-2: has a length that is no multiple of its operands'
//
// The kernels of the class Alu. Operand A is the payload and B the constant, or A is the first and B the second half of
// the payload. Words are 32-bit and little endian, as the device must be. Results wrap.

#define OPERATION 15
#define HAS_CONSTANT 16

static int apply(const uint operation, const int a, const int b)
{
    switch (operation)
    {
        case 0:
            return a;
        case 1:
            return ~a;
        case 2:
            return as_int(as_uint(a) + as_uint(b));
        case 3:
            return as_int(as_uint(a) - as_uint(b));
        case 4:
            return as_int(as_uint(a) * as_uint(b));
        case 5:
            return a & b;
        case 6:
            return a | b;
        case 7:
            return a ^ b;
        case 8:
            return min(a, b);
        default:
            return max(a, b);
    }
}

static bool is_split(const uint flags)
{
    return (flags & OPERATION) > 1 && (flags & HAS_CONSTANT) == 0;
}

// Checks an item. Returns whether it is refused.
static bool is_refused(const uint length, const uint flags, const uint width, global uint *status)
{
    const uint unit = is_split(flags) ? 2 * width : width;
    const uint refusal = (flags & OPERATION) > 9 ? 1 : length % unit != 0 ? 2 : 0;
    if (get_global_id(0) == 0)
    {
        status[0] = is_split(flags) ? length / 2 : length;
        status[1] = refusal;
    }
    return refusal != 0;
}

kernel void alu(
    global const uchar *item, const uint length, global uchar *result, global uint *status, const uint flags,
    const int constant_b)
{
    if (is_refused(length, flags, 4, status))
    {
        return;
    }
    const uint count = (is_split(flags) ? length / 2 : length) / 4;
    global const int *a = (global const int *)item;
    global int *target = (global int *)result;
    for (uint i = get_global_id(0); i < count; i += get_global_size(0))
    {
        target[i] = apply(flags & OPERATION, a[i], is_split(flags) ? a[count + i] : constant_b);
    }
}

kernel void alu_bytes(
    global const uchar *item, const uint length, global uchar *result, global uint *status, const uint flags,
    const int constant_b)
{
    if (is_refused(length, flags, 1, status))
    {
        return;
    }
    const uint count = is_split(flags) ? length / 2 : length;
    for (uint i = get_global_id(0); i < count; i += get_global_size(0))
    {
        result[i] = (uchar)apply(flags & OPERATION, item[i], is_split(flags) ? item[count + i] : constant_b & 0xFF);
    }
}
