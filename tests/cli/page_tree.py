"""Checks the call tree of psim's page: what functions have in it of their own, and that callers have the sum of their callees.

    page_tree.py PAGE.html MOST    prints how much more each hot function has than in the table of functions, in percent of
                                   the run, and whether each call differs from its own part and its callees by less than MOST
"""
import json
import re
import sys

MANY = 5  # percent of the run from which a function is printed


def main():
    page, most = sys.argv[1:]
    with open(page, encoding='utf-8') as file:
        report = json.loads(re.search(r'const report = (.*);\n', file.read()).group(1))
    tables = {item['n']: [dict(zip([name for name, _ in item['c']], row)) for row in item['r']] for item in report if 'c' in item}
    own, path, sums = {}, [], []
    for row in tables['calls']:
        own[row['place']] = own.get(row['place'], 0) + row['self']
        path[row['depth']:] = [{'share': row['share'], 'own': 0}]
        sums.append(path[-1])
        for call in path:
            call['own'] += row['self']
    hot = [row for row in tables['functions'] if row['share'] >= MANY]
    print(*(f"{row['place']} {own[row['place']] - row['share']:+.3f}" for row in hot))
    print(max(abs(call['share'] - call['own']) for call in sums) < float(most))


if __name__ == '__main__':
    main()
