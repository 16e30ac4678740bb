"""Writes an execution trace of Chakra, t.RANK.json and t.RANK.et, of nodes as text:

    python3 chakra_trace.py RANKS 'ID TYPE [KEY=VALUE]…; …'

data and ctrl are lists of ids; us is the duration; other keys are attributes. {r} is the rank, {n} the next one. The wire
format is that of protobuf.dev, "Encoding", and the numbers of fields those of mlcommons/chakra's et_def.proto.
"""
import json
import sys

TYPES = ["INVALID_NODE", "METADATA_NODE", "MEM_LOAD_NODE", "MEM_STORE_NODE", "COMP_NODE", "COMM_SEND_NODE", "COMM_RECV_NODE",
         "COMM_COLL_NODE"]


def varint(value):
    out = bytearray()
    value %= 1 << 64
    while value > 0x7f:
        out.append(value & 0x7f | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(value)


def data(field, value):
    return varint(field << 3 | 2) + varint(len(value)) + value


def attribute(name, value):
    """Returns the attribute as JSON and as bytes."""
    if name == "involved_dim":
        bools = [c == "1" for c in value]
        return ({"name": name, "boolList": {"values": bools}},
                data(1, name.encode()) + data(28, data(1, bytes(bools))))
    if name == "pg_name":
        return {"name": name, "stringVal": value}, data(1, name.encode()) + data(29, value.encode())
    return {"name": name, "int64Val": value}, data(1, name.encode()) + number(9, int(value))


def node(text):
    ident, kind, *settings = text.split()
    as_json = {"id": ident, "name": "node " + ident, "type": kind, "attr": []}
    as_bytes = number(1, int(ident)) + data(2, ("node " + ident).encode()) + number(3, TYPES.index(kind))
    for setting in settings:
        key, value = setting.split("=", 1)
        if key in ("data", "ctrl"):
            ids = [int(i) for i in value.split(",")]
            as_json[key + "Deps"] = [str(i) for i in ids]
            as_bytes += data(5 if key == "data" else 4, b"".join(varint(i) for i in ids))
        elif key == "us":
            as_json["durationMicros"] = value
            as_bytes += number(7, int(value))
        elif key == "groups":
            as_json["inputs"] = {"values": value}
            as_bytes += data(8, data(1, value.encode()))
        else:
            text_form, bytes_form = attribute(key, value)
            as_json["attr"].append(text_form)
            as_bytes += data(10, bytes_form)
    return as_json, as_bytes


ranks = int(sys.argv[1])
for rank in range(ranks):
    nodes = [node(n.replace("{r}", str(rank)).replace("{n}", str((rank + 1) % ranks)).replace("{p}", str((rank - 1) % ranks)))
             for n in sys.argv[2].split(";") if n.strip()]
    with open(f"t.{rank}.json", "w") as f:
        f.write(json.dumps({"version": "0.0.4"}) + "\n")
        for as_json, _ in nodes:
            f.write(json.dumps(as_json) + "\n")
    with open(f"t.{rank}.et", "wb") as f:
        for message in [data(1, b"0.0.4")] + [as_bytes for _, as_bytes in nodes]:
            f.write(varint(len(message)) + message)
