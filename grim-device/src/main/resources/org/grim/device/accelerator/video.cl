// SPDX-License-Identifier: Apache-2.0
// Grim-Kernels: gray, gauss, sobel, spectrum
// Grim-Scratch: 8
// Grim-Refusal-1: has no such operation
// Grim-Refusal-2: needs a video frame, and the item is none
// Grim-Refusal-3: needs planes, and the frame is a JPEG file
//
// The kernels of the classes GrayKernel, GaussKernel, SobelKernel and SpectrumKernel on video frames: a header of 64
// bytes, big endian, and planes without gaps. Each work-item computes every get_global_size(0)th byte.

#define OPERATION 15
#define HAS_CONSTANT 16
#define HEADER_LENGTH 64
#define MONO 1
#define YUV_420 2
#define YUV_444 4
#define JPEG 5
#define BLACK 16
#define WHITE 235
#define SIDE_MAX 1024

typedef struct
{
    uint format;
    uint width;
    uint height;
    uint refusal;
    bool is_last;
} frame_t;

static uint u16(global const uchar *bytes, const uint offset)
{
    return bytes[offset] << 8 | bytes[offset + 1];
}

static uint u32(global const uchar *bytes, const uint offset)
{
    return u16(bytes, offset) << 16 | u16(bytes, offset + 2);
}

static void put16(global uchar *bytes, const uint offset, const uint value)
{
    bytes[offset] = (uchar)(value >> 8);
    bytes[offset + 1] = (uchar)value;
}

static void put32(global uchar *bytes, const uint offset, const uint value)
{
    put16(bytes, offset, value >> 16);
    put16(bytes, offset + 2, value);
}

// Width and height of a plane, 0 if the format has no such plane.
static uint row_length(const uint format, const uint plane, const uint width)
{
    const uint shift = plane > 0 && format != YUV_444 ? 1 : 0;
    return plane > 0 && format == MONO ? 0 : (width + shift) >> shift;
}

static uint row_count(const uint format, const uint plane, const uint height)
{
    const uint shift = plane > 0 && format == YUV_420 ? 1 : 0;
    return plane > 0 && format == MONO ? 0 : (height + shift) >> shift;
}

static ulong planes_length(const uint format, const uint width, const uint height)
{
    ulong length = 0;
    for (uint plane = 0; plane < 3; plane++)
    {
        length += (ulong)row_length(format, plane, width) * row_count(format, plane, height);
    }
    return length;
}

// Checks operation and header, as VideoFrame does.
static frame_t frame_of(global const uchar *item, const uint length, const uint operation, const uint operation_max)
{
    frame_t frame = {0, 0, 0, 0, false};
    if (operation > operation_max)
    {
        frame.refusal = 1;
        return frame;
    }
    if (length < HEADER_LENGTH || u32(item, 0) != 0x47524D46)
    {
        frame.refusal = 2;
        return frame;
    }
    frame.format = u16(item, 4);
    frame.width = u16(item, 8);
    frame.height = u16(item, 10);
    frame.is_last = (u32(item, 44) & 2) != 0;
    const uint planes = u32(item, 48);
    const bool is_free = frame.format == JPEG || frame.is_last;
    if (frame.format < MONO || frame.format > JPEG || planes > length - HEADER_LENGTH || frame.width == 0 ||
        frame.height == 0 || (!is_free && planes != planes_length(frame.format, frame.width, frame.height)))
    {
        frame.refusal = 2;
    }
    else if (frame.format == JPEG && !frame.is_last)
    {
        frame.refusal = 3;
    }
    return frame;
}

// Writes status and header, or passes the last frame. Returns whether there are planes to compute.
static bool begin(
    const frame_t frame, global const uchar *item, const uint length, global uchar *result, global uint *status,
    const uint format, const uint width, const uint height)
{
    const uint planes = frame.refusal == 0 && !frame.is_last ? (uint)planes_length(format, width, height) : 0;
    if (get_global_id(0) == 0)
    {
        status[0] = frame.is_last ? length : HEADER_LENGTH + planes;
        status[1] = frame.refusal;
    }
    if (frame.refusal != 0)
    {
        return false;
    }
    if (frame.is_last)
    {
        for (uint i = get_global_id(0); i < length; i += get_global_size(0))
        {
            result[i] = item[i];
        }
        return false;
    }
    if (get_global_id(0) == 0)
    {
        for (uint i = 0; i < HEADER_LENGTH; i++)
        {
            result[i] = i < 48 ? item[i] : 0;
        }
        put16(result, 4, format);
        put16(result, 6, format == MONO ? 1 : 3);
        put16(result, 8, width);
        put16(result, 10, height);
        for (uint plane = 0; plane < 3; plane++)
        {
            put32(result, 12 + 4 * plane, row_length(format, plane, width));
        }
        put32(result, 48, planes);
    }
    return true;
}

// A pixel; beyond the edge stand the edge's pixels.
static int at(global const uchar *plane, const int width, const int height, const int x, const int y)
{
    return plane[clamp(y, 0, height - 1) * width + clamp(x, 0, width - 1)];
}

kernel void gray(
    global const uchar *item, const uint length, global uchar *result, global uint *status, const uint flags,
    const int constant_b)
{
    const frame_t frame = frame_of(item, length, flags & OPERATION, 0);
    if (begin(frame, item, length, result, status, MONO, frame.width, frame.height))
    {
        for (uint i = get_global_id(0); i < frame.width * frame.height; i += get_global_size(0))
        {
            result[HEADER_LENGTH + i] = item[HEADER_LENGTH + i];
        }
    }
}

constant int weights[2][5] = {{1, 2, 1, 0, 0}, {1, 4, 6, 4, 1}};
constant int shifts[2] = {4, 8};

kernel void gauss(
    global const uchar *item, const uint length, global uchar *result, global uint *status, const uint flags,
    const int constant_b)
{
    const uint operation = flags & OPERATION;
    const frame_t frame = frame_of(item, length, operation, 1);
    if (!begin(frame, item, length, result, status, frame.format, frame.width, frame.height))
    {
        return;
    }
    const int radius = 1 + operation;
    uint offset = HEADER_LENGTH;
    for (uint plane = 0; plane < 3; plane++)
    {
        const int width = row_length(frame.format, plane, frame.width);
        const int height = row_count(frame.format, plane, frame.height);
        for (uint i = get_global_id(0); i < (uint)(width * height); i += get_global_size(0))
        {
            const int x = i % width;
            const int y = i / width;
            int sum = 1 << (shifts[operation] - 1);
            for (int v = -radius; v <= radius; v++)
            {
                for (int u = -radius; u <= radius; u++)
                {
                    sum += weights[operation][radius + v] * weights[operation][radius + u] *
                        at(item + offset, width, height, x + u, y + v);
                }
            }
            result[offset + i] = (uchar)(sum >> shifts[operation]);
        }
        offset += width * height;
    }
}

// The root of up to 2^24, rounded down: sqrt may be wrong in the last bit.
static int root(const int square)
{
    int found = (int)sqrt((float)square);
    found -= found * found > square ? 1 : 0;
    return found + ((found + 1) * (found + 1) <= square ? 1 : 0);
}

kernel void sobel(
    global const uchar *item, const uint length, global uchar *result, global uint *status, const uint flags,
    const int constant_b)
{
    const frame_t frame = frame_of(item, length, flags & OPERATION, 0);
    if (!begin(frame, item, length, result, status, MONO, frame.width, frame.height))
    {
        return;
    }
    const int least = (flags & HAS_CONSTANT) != 0 ? constant_b : 0;
    const int width = frame.width;
    const int height = frame.height;
    global const uchar *plane = item + HEADER_LENGTH;
    for (uint i = get_global_id(0); i < (uint)(width * height); i += get_global_size(0))
    {
        const int x = i % width;
        const int y = i / width;
        const int corners = at(plane, width, height, x + 1, y + 1) - at(plane, width, height, x - 1, y - 1);
        const int others = at(plane, width, height, x + 1, y - 1) - at(plane, width, height, x - 1, y + 1);
        const int across = corners + others +
            2 * (at(plane, width, height, x + 1, y) - at(plane, width, height, x - 1, y));
        const int down = corners - others +
            2 * (at(plane, width, height, x, y + 1) - at(plane, width, height, x, y - 1));
        const int gradient = root(across * across + down * down);
        result[HEADER_LENGTH + i] = (uchar)(gradient < least ? BLACK : min(WHITE, BLACK + gradient));
    }
}

static uint side(const uint length)
{
    uint found = 1;
    while (2 * found <= length && found < SIDE_MAX)
    {
        found *= 2;
    }
    return found;
}

// The number with its bits in reverse, of a side that is a power of two.
static uint reversed(const uint number, const uint count)
{
    uint found = 0;
    for (uint bit = 1; bit < count; bit *= 2)
    {
        found = found * 2 + ((number & bit) != 0 ? 1 : 0);
    }
    return found;
}

static void combine(global float2 *first, global float2 *second, const float2 unit)
{
    const float2 b = *second;
    const float2 turned = (float2)(b.x * unit.x - b.y * unit.y, b.x * unit.y + b.y * unit.x);
    const float2 a = *first;
    *first = a + turned;
    *second = a - turned;
}

// One group computes all: its barriers separate the passes.
kernel void spectrum(
    global const uchar *item, const uint length, global uchar *result, global uint *status, const uint flags,
    const int constant_b, global uchar *scratch)
{
    local float2 units[SIDE_MAX / 2];
    if (get_group_id(0) != 0)
    {
        return;
    }
    const frame_t frame = frame_of(item, length, flags & OPERATION, 0);
    const uint width = side(frame.width);
    const uint height = side(frame.height);
    const uint first_item = get_local_id(0);
    const uint step = get_local_size(0);
    if (frame.is_last && frame.refusal == 0)
    {
        if (first_item == 0)
        {
            status[0] = length;
        }
        for (uint i = first_item; i < length; i += step)
        {
            result[i] = item[i];
        }
        return;
    }
    if (!begin(frame, item, length, result, status, MONO, width, height))
    {
        return;
    }
    global float2 *numbers = (global float2 *)scratch;
    const uint corner =
        HEADER_LENGTH + (frame.height - height) / 2 * frame.width + (frame.width - width) / 2;
    for (uint i = first_item; i < width * height; i += step)
    {
        const uint x = i % width;
        const uint y = i / width;
        numbers[reversed(y, height) * width + reversed(x, width)] =
            (float2)(item[corner + y * frame.width + x], 0);
    }
    for (uint i = first_item; i < SIDE_MAX / 2; i += step)
    {
        const float angle = -(float)i / (SIDE_MAX / 2);
        units[i] = (float2)(cospi(angle), sinpi(angle));
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (uint half_count = 1; half_count < width; half_count *= 2)
    {
        for (uint i = first_item; i < width * height / 2; i += step)
        {
            const uint k = i & (half_count - 1);
            global float2 *first = numbers + 2 * (i - k) + k;
            combine(first, first + half_count, units[k * (SIDE_MAX / 2 / half_count)]);
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    for (uint half_count = 1; half_count < height; half_count *= 2)
    {
        for (uint i = first_item; i < width * height / 2; i += step)
        {
            const uint pair = i / width;
            const uint k = pair & (half_count - 1);
            global float2 *first = numbers + (2 * (pair - k) + k) * width + i % width;
            combine(first, first + half_count * width, units[k * (SIDE_MAX / 2 / half_count)]);
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    const float scale = (WHITE - BLACK) / log1p(255.0f * width * height);
    for (uint i = first_item; i < width * height; i += step)
    {
        const uint x = (i % width) ^ (width / 2);
        const uint y = (i / width) ^ (height / 2);
        result[HEADER_LENGTH + y * width + x] = (uchar)(BLACK + (int)(scale * log1p(sqrt(dot(numbers[i], numbers[i]))) + 0.5f));
    }
}
