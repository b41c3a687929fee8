-- SPDX-License-Identifier: Apache-2.0
-- Explains traces of GRIM's network interfaces to Wireshark and tshark: packets of link type USER0 (147), each with
-- an 8-byte pseudo header before the message as it was on the wire. Use it with
--     wireshark -X lua_script:docs/grim.lua -r trace.pcap
-- or put it into the folder of personal Lua plugins (Help, About, Folders). Runs with Lua 5.1 to 5.4.
--
-- Nothing here trusts a length: each field is read only if the capture holds all of it.

local GRIM_ID = 0x0636
local PSEUDO_LENGTH = 8
local PSEUDO_VERSION = 1
local WORD_LENGTH = 4
local HEADER_LENGTH = 32
local CONTROL_LENGTH = 8
local PAYLOAD_LENGTH_MAX = 65504

local AM, RM_V, RM_P, RM_READ, RM_REPLY = 1, 2, 3, 4, 5
local MULTICAST_DATA, MULTICAST_TREE, ACK, NACK, SYNCHRONISE, REFUSED = 6, 7, 8, 9, 10, 11
local RM_SIGNAL, RM_FETCH_ADD, RM_COMPARE_AND_SET, RM_GET_AND_SET = 12, 13, 14, 15
local RM_FETCH_AND, RM_FETCH_OR, RM_FETCH_XOR, RM_ADD_LONG, RM_SET_LONG = 16, 17, 18, 19, 20
local RESENT = 2

local EVENTS = {
    [1] = "SENT", [2] = "RESENT", [3] = "LOST", [4] = "REPEATED", [5] = "CORRUPTED", [6] = "TRUNCATED",
    [7] = "DELIVERED", [8] = "REORDERED", [9] = "DELAYED"
}
-- What the information column says after the message; a plain SENT goes without saying.
local EVENT_NOTES = {
    [2] = "retransmission", [3] = "lost", [4] = "repeated", [5] = "corrupted", [6] = "truncated", [7] = "delivered",
    [8] = "reordered", [9] = "delayed"
}
local TYPES = {
    [AM] = "ACTIVE_MESSAGE", [RM_V] = "REMOTE_WRITE_VIRTUAL", [RM_P] = "REMOTE_WRITE_PHYSICAL",
    [RM_READ] = "REMOTE_READ", [RM_REPLY] = "REMOTE_READ_REPLY", [MULTICAST_DATA] = "MULTICAST_DATA",
    [MULTICAST_TREE] = "MULTICAST_TREE_UPDATE", [ACK] = "ACK", [NACK] = "NACK", [SYNCHRONISE] = "SYNCHRONISE",
    [REFUSED] = "REFUSED", [RM_SIGNAL] = "REMOTE_WRITE_SIGNAL", [RM_FETCH_ADD] = "REMOTE_FETCH_ADD",
    [RM_COMPARE_AND_SET] = "REMOTE_COMPARE_AND_SET", [RM_GET_AND_SET] = "REMOTE_GET_AND_SET",
    [RM_FETCH_AND] = "REMOTE_FETCH_AND", [RM_FETCH_OR] = "REMOTE_FETCH_OR", [RM_FETCH_XOR] = "REMOTE_FETCH_XOR",
    [RM_ADD_LONG] = "REMOTE_WRITE_ADD_LONG", [RM_SET_LONG] = "REMOTE_WRITE_SET_LONG"
}
local SHORT_TYPES = {
    [AM] = "AM", [RM_V] = "RM-V", [RM_P] = "RM-P", [RM_READ] = "RM-RV", [RM_REPLY] = "RM-RV-REPLY",
    [MULTICAST_DATA] = "MULTICAST", [MULTICAST_TREE] = "MULTICAST-TREE", [ACK] = "ACK", [NACK] = "NACK",
    [SYNCHRONISE] = "SYNCHRONISE", [REFUSED] = "REFUSED", [RM_SIGNAL] = "RM-SIGNAL", [RM_FETCH_ADD] = "RM-FETCH-ADD",
    [RM_COMPARE_AND_SET] = "RM-COMPARE-AND-SET", [RM_GET_AND_SET] = "RM-GET-AND-SET",
    [RM_FETCH_AND] = "RM-FETCH-AND", [RM_FETCH_OR] = "RM-FETCH-OR", [RM_FETCH_XOR] = "RM-FETCH-XOR",
    [RM_ADD_LONG] = "RM-ADD-LONG", [RM_SET_LONG] = "RM-SET-LONG"
}
local IS_CONTROL = { [ACK] = true, [NACK] = true, [REFUSED] = true }
local IS_ATOMIC = {
    [RM_FETCH_ADD] = true, [RM_COMPARE_AND_SET] = true, [RM_GET_AND_SET] = true, [RM_FETCH_AND] = true,
    [RM_FETCH_OR] = true, [RM_FETCH_XOR] = true
}
local HAS_LONG_SIGNAL = { [RM_ADD_LONG] = true, [RM_SET_LONG] = true }
local IS_REMOTE = {
    [RM_V] = true, [RM_P] = true, [RM_READ] = true, [RM_REPLY] = true, [RM_SIGNAL] = true, [RM_ADD_LONG] = true,
    [RM_SET_LONG] = true
}
for code in pairs(IS_ATOMIC) do
    IS_REMOTE[code] = true
end

local grim = Proto("grim", "GRIM message")

local f = {
    source_ni = ProtoField.uint16("grim.trace.source_ni", "Source NI", base.DEC),
    destination_ni = ProtoField.uint16("grim.trace.destination_ni", "Destination NI", base.DEC),
    event = ProtoField.uint8("grim.trace.event", "Event", base.DEC, EVENTS),
    version = ProtoField.uint8("grim.trace.version", "Trace version", base.DEC),
    flags = ProtoField.uint16("grim.trace.flags", "Flags", base.HEX),

    id = ProtoField.uint16("grim.id", "GRIM id", base.HEX),
    token = ProtoField.uint8("grim.token", "NI token", base.DEC),
    sequence = ProtoField.uint8("grim.sequence", "NI sequence", base.DEC),
    type = ProtoField.uint8("grim.type", "Type", base.DEC, TYPES, 0xFC),
    correction = ProtoField.uint8("grim.correction", "Payload correction", base.DEC, nil, 0x03),
    reserved = ProtoField.uint8("grim.reserved", "Reserved", base.DEC, nil, 0x03),
    tree = ProtoField.uint8("grim.tree", "Multicast tree", base.DEC),
    source = ProtoField.uint16("grim.source", "Source endpoint", base.HEX),
    source_node = ProtoField.uint16("grim.source.node", "Node", base.DEC, nil, 0xFFF0),
    source_device = ProtoField.uint16("grim.source.device", "Device", base.DEC, nil, 0x000F),
    words = ProtoField.uint16("grim.payload_words", "Payload length in words", base.DEC),
    destination = ProtoField.uint16("grim.destination", "Destination endpoint", base.HEX),
    destination_node = ProtoField.uint16("grim.destination.node", "Node", base.DEC, nil, 0xFFF0),
    destination_device = ProtoField.uint16("grim.destination.device", "Device", base.DEC, nil, 0x000F),
    source_channel = ProtoField.uint8("grim.source_channel", "Source channel", base.DEC),
    destination_channel = ProtoField.uint8("grim.destination_channel", "Destination channel", base.DEC),
    handler = ProtoField.uint16("grim.handler", "Active message handler", base.DEC),
    argument = {},
    payload_length = ProtoField.uint32("grim.payload_length", "Payload length in bytes", base.DEC),
    payload = ProtoField.bytes("grim.payload", "Payload"),
    padding = ProtoField.bytes("grim.padding", "Padding"),
    excess = ProtoField.bytes("grim.excess", "Bytes after the message"),

    answering = ProtoField.uint16("grim.answering", "Answering endpoint", base.HEX),
    answering_node = ProtoField.uint16("grim.answering.node", "Node", base.DEC, nil, 0xFFF0),
    answering_device = ProtoField.uint16("grim.answering.device", "Device", base.DEC, nil, 0x000F),

    remote_address = ProtoField.uint64("grim.rm.remote_address", "Remote address", base.HEX),
    notification_address = ProtoField.uint64("grim.rm.notification_address", "Notification address", base.HEX),
    notification_value = ProtoField.uint32("grim.rm.notification_value", "Notification value", base.HEX_DEC),
    data_length = ProtoField.uint32("grim.rm.data_length", "Data length in bytes", base.DEC),
    signal_value = ProtoField.uint64("grim.rm.signal_value", "Value of a signal of 64 bits", base.HEX),
    target_address = ProtoField.uint64("grim.rm.target_address", "Asking node's target address", base.HEX),
    operand = ProtoField.uint64("grim.rm.operand", "Operand", base.HEX),
    comparand = ProtoField.uint64("grim.rm.comparand", "Comparand", base.HEX),
    data = ProtoField.bytes("grim.rm.data", "Data"),

    own_epoch = ProtoField.uint64("grim.sync.own_epoch", "Own epoch", base.DEC),
    peer_epoch = ProtoField.uint64("grim.sync.peer_epoch", "Known epoch of the peer", base.DEC),
    layout_version = ProtoField.uint32("grim.sync.layout_version", "Layout version", base.DEC),
    sync_flags = ProtoField.uint32("grim.sync.flags", "Flags", base.HEX),
    answer_wanted = ProtoField.bool("grim.sync.answer_wanted", "Answer wanted", 32, nil, 0x00000001)
}
for i = 0, 3 do
    f.argument[i] = ProtoField.int32("grim.argument" .. i, "Argument " .. i, base.DEC)
end

local all_fields = {}
for _, field in pairs(f) do
    if type(field) == "table" then
        for i = 0, 3 do
            all_fields[#all_fields + 1] = field[i]
        end
    else
        all_fields[#all_fields + 1] = field
    end
end
grim.fields = all_fields

local e = {
    truncated = ProtoExpert.new("grim.truncated", "The message ends too early",
        expert.group.MALFORMED, expert.severity.ERROR),
    not_grim = ProtoExpert.new("grim.not_grim", "The GRIM id is wrong",
        expert.group.MALFORMED, expert.severity.ERROR),
    unknown_type = ProtoExpert.new("grim.unknown_type", "The type is unknown",
        expert.group.MALFORMED, expert.severity.ERROR),
    bad_length = ProtoExpert.new("grim.bad_length", "The payload length is impossible",
        expert.group.MALFORMED, expert.severity.ERROR),
    reserved = ProtoExpert.new("grim.reserved_bits", "Reserved bits are set",
        expert.group.MALFORMED, expert.severity.WARN),
    excess = ProtoExpert.new("grim.excess_bytes", "Bytes follow the end of the message",
        expert.group.MALFORMED, expert.severity.WARN),
    trace = ProtoExpert.new("grim.trace.unknown", "The trace header is not of a kind that this dissector knows",
        expert.group.UNDECODED, expert.severity.WARN),
    resent = ProtoExpert.new("grim.retransmission", "Retransmission",
        expert.group.SEQUENCE, expert.severity.NOTE)
}
local all_experts = {}
for _, item in pairs(e) do
    all_experts[#all_experts + 1] = item
end
grim.experts = all_experts

-- Adds a field if the capture holds all of it. Returns its range and item, or nil.
local function add(tree, field, buffer, offset, length)
    if offset + length > buffer:len() then
        return nil
    end
    local range = buffer(offset, length)
    return range, tree:add(field, range)
end

local function add_number(tree, field, buffer, offset, length)
    local range, item = add(tree, field, buffer, offset, length)
    if range == nil then
        return nil
    end
    return range:uint(), item
end

-- What is there of a stretch of bytes; nothing if that is nothing.
local function add_bytes(tree, field, buffer, offset, length)
    local available = math.min(length, buffer:len() - offset)
    if available > 0 then
        return tree:add(field, buffer(offset, available))
    end
    return nil
end

local function endpoint_name(address)
    local device = address % 16
    local node = (address - device) / 16
    if device == 0 then
        return string.format("%d", node)
    end
    return string.format("%d.%d", node, device)
end

local function add_endpoint(tree, field, node_field, device_field, buffer, offset)
    local address, item = add_number(tree, field, buffer, offset, 2)
    if address == nil then
        return "?"
    end
    item:add(node_field, buffer(offset, 2))
    item:add(device_field, buffer(offset, 2))
    item:append_text(" (" .. endpoint_name(address) .. ")")
    return endpoint_name(address)
end

local function shown(number)
    if number == nil then
        return "?"
    end
    return string.format("%d", number)
end

local function word_tree(tree, buffer, offset, label)
    local length = math.min(WORD_LENGTH, buffer:len() - offset)
    if length <= 0 then
        return tree
    end
    return tree:add(buffer(offset, length), label)
end

local function truncated(tree, buffer, start, needed)
    local held = buffer:len() - start
    tree:add_proto_expert_info(e.truncated, string.format("The message ends after %d of %d bytes, in word %d",
        held, needed, math.floor(held / WORD_LENGTH)))
end

local function add_excess(tree, buffer, offset)
    local item = add_bytes(tree, f.excess, buffer, offset, buffer:len() - offset)
    if item ~= nil then
        item:add_proto_expert_info(e.excess, string.format("%d bytes follow the end of the message",
            buffer:len() - offset))
    end
end

-- Word 0, which all messages have in common. Returns id, token and sequence, each nil if it is not there.
local function add_identity(tree, buffer, start)
    local word = word_tree(tree, buffer, start, "Word 0: identity")
    local id, item = add_number(word, f.id, buffer, start, 2)
    if id ~= nil and id ~= GRIM_ID then
        item:add_proto_expert_info(e.not_grim, string.format("GRIM id 0x%04x is not 0x%04x", id, GRIM_ID))
    end
    local token = add_number(word, f.token, buffer, start + 2, 1)
    local sequence = add_number(word, f.sequence, buffer, start + 3, 1)
    return id, token, sequence
end

local function dissect_control(tree, buffer, start, code, token, sequence)
    local word = word_tree(tree, buffer, start + 4, "Word 1: answer")
    add(word, f.type, buffer, start + 4, 1)
    local _, reserved = add(word, f.reserved, buffer, start + 4, 1)
    if buffer(start + 4, 1):uint() % 4 ~= 0 then
        reserved:add_proto_expert_info(e.reserved)
    end
    local channel = add_number(word, f.source_channel, buffer, start + 5, 1)
    local answering = add_endpoint(word, f.answering, f.answering_node, f.answering_device, buffer, start + 6)
    if start + CONTROL_LENGTH > buffer:len() then
        truncated(tree, buffer, start, CONTROL_LENGTH)
    else
        add_excess(tree, buffer, start + CONTROL_LENGTH)
    end
    return string.format("%s token=%s sequence=%s channel=%s from=%s", SHORT_TYPES[code], shown(token),
        shown(sequence), shown(channel), answering)
end

local function add_arguments(tree, buffer, start, code)
    for i = 0, 3 do
        local offset = start + 16 + i * WORD_LENGTH
        add(word_tree(tree, buffer, offset, "Word " .. (4 + i) .. ": argument " .. i), f.argument[i], buffer, offset,
            WORD_LENGTH)
    end
    if IS_REMOTE[code] then
        add(tree, f.remote_address, buffer, start + 16, 8)
        add(tree, f.notification_address, buffer, start + 24, 8)
    elseif code == SYNCHRONISE then
        add(tree, f.own_epoch, buffer, start + 16, 8)
        add(tree, f.peer_epoch, buffer, start + 24, 8)
    end
end

-- The extension of remote-memory messages: notification value, data length, for reads and atomic operations the asking
-- node's address, and for the latter two operands; for signals of 64 bits their value.
local function dissect_remote(tree, buffer, offset, length, code)
    local extension_length = IS_ATOMIC[code] and 32 or (code == RM_READ or HAS_LONG_SIGNAL[code]) and 16 or 8
    if length < extension_length then
        tree:add_proto_expert_info(e.bad_length, string.format("The payload of %d bytes cannot hold the extension of %d",
            length, extension_length))
        return
    end
    add(tree, f.notification_value, buffer, offset, 4)
    local data_length, item = add_number(tree, f.data_length, buffer, offset + 4, 4)
    if code == RM_READ or IS_ATOMIC[code] then
        add(tree, f.target_address, buffer, offset + 8, 8)
        if IS_ATOMIC[code] then
            add(tree, f.operand, buffer, offset + 16, 8)
            add(tree, f.comparand, buffer, offset + 24, 8)
        end
    else
        if HAS_LONG_SIGNAL[code] then
            add(tree, f.signal_value, buffer, offset + 8, 8)
        end
        local there = length - extension_length
        add_bytes(tree, f.data, buffer, offset + extension_length, there)
        if data_length ~= nil and data_length ~= there then
            item:add_proto_expert_info(e.bad_length, string.format("Data length %.0f differs from the %d bytes there",
                data_length, there))
        end
    end
end

local function dissect_synchronise(tree, buffer, offset, length)
    if length < 8 then
        tree:add_proto_expert_info(e.bad_length, string.format("The payload of %d bytes cannot hold version and flags",
            length))
        return
    end
    add(tree, f.layout_version, buffer, offset, 4)
    local range, item = add(tree, f.sync_flags, buffer, offset + 4, 4)
    if range ~= nil then
        item:add(f.answer_wanted, range)
    end
end

local function dissect_payload(tree, buffer, start, code, length, padding)
    local offset = start + HEADER_LENGTH
    local item = add_bytes(tree, f.payload, buffer, offset, length)
    if IS_REMOTE[code] then
        dissect_remote(item or tree, buffer, offset, length, code)
    elseif code == SYNCHRONISE then
        dissect_synchronise(item or tree, buffer, offset, length)
    end
    if offset + length > buffer:len() then
        truncated(tree, buffer, start, HEADER_LENGTH + length)
        return
    end
    -- The last word's padding may be missing: receivers judge by the bytes of the payload.
    add_bytes(tree, f.padding, buffer, offset + length, padding)
    add_excess(tree, buffer, offset + length + padding)
end

-- Words 1 to 3. Returns what they hold as a table of texts and numbers, nil for what is not there.
local function add_route(tree, buffer, start)
    local r = {}
    local word = word_tree(tree, buffer, start + 4, "Word 1: type and source")
    local _, type_item = add(word, f.type, buffer, start + 4, 1)
    if type_item ~= nil and TYPES[math.floor(buffer(start + 4, 1):uint() / 4)] == nil then
        type_item:add_proto_expert_info(e.unknown_type)
    end
    local _, correction_item = add(word, f.correction, buffer, start + 4, 1)
    if correction_item ~= nil then
        r.correction = buffer(start + 4, 1):uint() % 4
    end
    r.tree = add_number(word, f.tree, buffer, start + 5, 1)
    r.source = add_endpoint(word, f.source, f.source_node, f.source_device, buffer, start + 6)

    word = word_tree(tree, buffer, start + 8, "Word 2: length and destination")
    r.words, r.words_item = add_number(word, f.words, buffer, start + 8, 2)
    if r.words ~= nil then
        r.length = r.words * WORD_LENGTH - r.correction
        if r.length >= 0 then
            word:add(f.payload_length, buffer(start + 8, 2), r.length):set_generated()
        end
    end
    r.destination = add_endpoint(word, f.destination, f.destination_node, f.destination_device, buffer, start + 10)

    word = word_tree(tree, buffer, start + 12, "Word 3: channels and handler")
    r.source_channel = add_number(word, f.source_channel, buffer, start + 12, 1)
    r.destination_channel = add_number(word, f.destination_channel, buffer, start + 13, 1)
    r.handler = add_number(word, f.handler, buffer, start + 14, 2)
    return r
end

local function describe(buffer, start, code, r, token, sequence)
    local name = SHORT_TYPES[code] or ("type=" .. shown(code))
    local text = string.format("%s %s->%s token=%s sequence=%s channel=%s->%s", name, r.source, r.destination,
        shown(token), shown(sequence), shown(r.source_channel), shown(r.destination_channel))
    if code == AM or code == MULTICAST_DATA then
        text = text .. " handler=" .. shown(r.handler)
    end
    if code == MULTICAST_DATA or code == MULTICAST_TREE then
        text = text .. " tree=" .. shown(r.tree)
    end
    local has_arguments = start + HEADER_LENGTH <= buffer:len()
    if has_arguments and IS_REMOTE[code] then
        text = text .. " address=0x" .. tostring(buffer(start + 16, 8):bytes())
    elseif has_arguments and code == SYNCHRONISE then
        text = text .. " epoch=" .. tostring(buffer(start + 16, 8):uint64()) ..
            " peer=" .. tostring(buffer(start + 24, 8):uint64())
    end
    return text .. " length=" .. shown(r.length)
end

local function dissect_message(tree, buffer, start)
    local id, token, sequence = add_identity(tree, buffer, start)
    local wrong_id = ""
    if id ~= nil and id ~= GRIM_ID then
        wrong_id = string.format("not GRIM (id=0x%04x) ", id)
    end
    if start + 4 >= buffer:len() then
        truncated(tree, buffer, start, CONTROL_LENGTH)
        return wrong_id .. string.format("malformed token=%s sequence=%s", shown(token), shown(sequence))
    end

    local code = math.floor(buffer(start + 4, 1):uint() / 4)
    if IS_CONTROL[code] then
        return wrong_id .. dissect_control(tree, buffer, start, code, token, sequence)
    end
    local r = add_route(tree, buffer, start)
    add_arguments(tree, buffer, start, code)
    if start + HEADER_LENGTH > buffer:len() then
        truncated(tree, buffer, start, HEADER_LENGTH)
    elseif r.length < 0 then
        r.words_item:add_proto_expert_info(e.bad_length, string.format(
            "0 words less a correction of %d bytes leave no length", r.correction))
        add_excess(tree, buffer, start + HEADER_LENGTH)
    else
        if r.length > PAYLOAD_LENGTH_MAX then
            r.words_item:add_proto_expert_info(e.bad_length, string.format("Payload length %d exceeds %d",
                r.length, PAYLOAD_LENGTH_MAX))
        end
        dissect_payload(tree, buffer, start, code, r.length, r.correction)
    end
    return wrong_id .. describe(buffer, start, code, r, token, sequence)
end

-- Returns the code of the event, or nil if what follows the pseudo header cannot be known.
local function dissect_pseudo(tree, buffer, pinfo)
    local held = math.min(PSEUDO_LENGTH, buffer:len())
    local pseudo = tree:add(buffer(0, held), "Trace")
    local source = add_number(pseudo, f.source_ni, buffer, 0, 2)
    local destination = add_number(pseudo, f.destination_ni, buffer, 2, 2)
    local event, event_item = add_number(pseudo, f.event, buffer, 4, 1)
    local version, version_item = add_number(pseudo, f.version, buffer, 5, 1)
    local flags, flags_item = add_number(pseudo, f.flags, buffer, 6, 2)
    pinfo.cols.src:set("NI " .. shown(source))
    pinfo.cols.dst:set("NI " .. shown(destination))
    if flags == nil then
        pseudo:add_proto_expert_info(e.trace, string.format("The trace header has %d of %d bytes", held, PSEUDO_LENGTH))
        return nil
    end
    if version ~= PSEUDO_VERSION then
        version_item:add_proto_expert_info(e.trace, string.format("Trace version %d is not %d", version, PSEUDO_VERSION))
        return nil
    end
    if EVENTS[event] == nil then
        event_item:add_proto_expert_info(e.trace, string.format("Event %d is unknown", event))
    elseif event == RESENT then
        event_item:add_proto_expert_info(e.resent)
    end
    if flags ~= 0 then
        flags_item:add_proto_expert_info(e.trace, string.format("Flags 0x%04x are unknown", flags))
    end
    return event
end

function grim.dissector(buffer, pinfo, root)
    pinfo.cols.protocol:set("GRIM")
    if buffer:len() == 0 then
        pinfo.cols.info:set("empty record")
        return 0
    end
    local tree = root:add(grim, buffer())
    local event = dissect_pseudo(tree, buffer, pinfo)
    if event == nil then
        pinfo.cols.info:set("unknown trace header")
        add_bytes(tree, f.excess, buffer, PSEUDO_LENGTH, buffer:len() - PSEUDO_LENGTH)
        return buffer:len()
    end

    local text = "no message"
    if buffer:len() > PSEUDO_LENGTH then
        text = dissect_message(tree, buffer, PSEUDO_LENGTH)
    else
        truncated(tree, buffer, PSEUDO_LENGTH, CONTROL_LENGTH)
    end
    if event ~= 1 then
        text = text .. " [" .. (EVENT_NOTES[event] or string.format("event %d", event)) .. "]"
    end
    pinfo.cols.info:set(text)
    tree:append_text(": " .. text)
    return buffer:len()
end

-- Older Wiresharks know the table of link types as wtap.
local encapsulations = wtap_encaps or wtap
DissectorTable.get("wtap_encap"):add(encapsulations.USER0, grim)
