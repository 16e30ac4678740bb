#!/usr/bin/env python3
"""paraver_check.py FILE.prv: reads a Paraver trace by the format's description alone, and checks what a viewer relies on.

Prints tasks, state records, events, messages and their bytes. It holds: records are in the order of their time; the states
of a task follow one another from 0 to the end without gap; an event has a name; a message begins and ends with its tasks'
processors; processors and nodes are those of the header.
"""
import re
import sys


def meanings(path):
    """The states and the types with their values, of a .pcf file."""
    states, types, part, types_of_part = set(), {}, '', []
    with open(path, encoding='utf-8') as f:
        for line in map(str.rstrip, f):
            word = line.split(' ', 1)[0]
            if word.isupper() and not word.isdigit():
                types_of_part = [] if word == 'EVENT_TYPE' else types_of_part
                part = word
            elif line and part == 'STATES':
                states.add(int(word))
            elif line and part == 'EVENT_TYPE':
                types_of_part.append(types.setdefault(int(line.split()[1]), set()))
            elif line and part == 'VALUES':
                for values in types_of_part:
                    values.add(int(word))
    return states, types


def names(path):
    """The number of names of each level of a .row file, which has as many as it says."""
    levels, level = {}, ''
    with open(path, encoding='utf-8') as f:
        for line in map(str.rstrip, f):
            if line.startswith('LEVEL '):
                level = line.split()[1]
                levels[level] = [int(line.split()[3]), 0]
            elif line:
                levels[level][1] += 1
    assert all(stated == found for stated, found in levels.values()), levels
    return {level: found for level, (found, _) in levels.items()}


def header(line):
    """End, processors of each node, node of each task (from 1 on)."""
    m = re.fullmatch(r'#Paraver \(\d\d/\d\d/\d+ at \d\d:\d\d\):(\d+)_ns:(\d+)\(([\d,]+)\):1:(\d+)\(([\d:,]+)\)', line)
    assert m, line
    processors = [int(n) for n in m[3].split(',')]
    tasks = [[int(n) for n in task.split(':')] for task in m[5].split(',')]
    assert len(processors) == int(m[2]) and len(tasks) == int(m[4]) == sum(processors)
    assert all(threads == 1 for threads, _ in tasks)
    return int(m[1]), processors, [node for _, node in tasks]


def main():
    stem = sys.argv[1].removesuffix('.prv')
    states, types = meanings(stem + '.pcf')
    with open(stem + '.prv', encoding='utf-8') as f:
        end, processors, node_of = header(f.readline().rstrip())
        records = [[int(n) for n in line.split(':')] for line in f]
    assert names(stem + '.row') == {'NODE': len(processors), 'THREAD': len(node_of)}
    first = [1 + sum(processors[:n]) for n in range(len(processors))]
    place, until, count, size, last = {}, [0] * len(node_of), [0, 0, 0, 0], 0, 0

    def of_task(cpu, application, task, thread):
        node = node_of[task - 1] - 1
        assert application == thread == 1 and first[node] <= cpu < first[node] + processors[node]
        assert place.setdefault(task, cpu) == cpu

    for r in records:
        assert last <= r[5] <= end, r
        last = r[5]
        count[r[0]] += 1
        of_task(*r[1:5])
        if r[0] == 1:
            assert until[r[3] - 1] == r[5] < r[6] <= end and r[7] in states and len(r) == 8, r
            until[r[3] - 1] = r[6]
        elif r[0] == 2:
            assert len(r) == 8 and r[7] in types[r[6]], r
        else:
            of_task(*r[7:11])
            assert len(r) == 15 and r[5] <= r[6] and r[5] <= r[11] <= r[12] <= end, r
            size += r[13]
    assert len(set(place.values())) == len(place) and set(until) <= {end}, until
    print(len(node_of), 'tasks', *(f'{n} {what}' for n, what in zip(count[1:], ('states', 'events', 'messages'))), size, 'bytes')


main()
