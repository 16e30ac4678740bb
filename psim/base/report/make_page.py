"""Writes page.html as C: the bytes before and after the mark at which a program writes its data.

    make_page.py page.html page.css colours.h page.js page_*.js > report_page.c

The scripts become one, in the order of the arguments, behind the colours.
"""
import json
import re
import sys
import textwrap

MARK = '"DATA"'


def array(name, text):
    """A text as an array of bytes: a string literal may have 4095 only."""
    data = ', '.join(str(byte) for byte in text.encode('ascii') + b'\0')
    return f'extern const char {name}[];\nconst char {name}[] = {{\n' + '\n'.join(textwrap.wrap(data, 118)) + '\n};\n'


def colours(header):
    """The colours of colours.h as a script."""
    named = dict(re.findall(r'#define SVG_(\w+) "(#\w{6})"', header))
    lists = {name: re.findall(r'M\((.+?)\)', rows) for name, rows in
             re.findall(r'#define SVG_(\w+)\(M\)((?:.*\\\n)+.*)', header)}
    coloured = {name: {key: named[colour] for key, colour in (row.split(', SVG_') for row in lists[name])}
                for name in ('CATEGORIES', 'PARTS')}
    ramp = [[int(value, 16) for value in row.split(', ')] for row in lists['RAMP']]
    values = {'COLOUR': named, 'CURVES': list(coloured['CATEGORIES'].values()), 'PARTS': coloured['PARTS'], 'RAMP': ramp}
    return ''.join(f'const {name} = {json.dumps(value)};\n' for name, value in values.items())


def main():
    page, style, header, *scripts = (open(name, encoding='ascii').read() for name in sys.argv[1:])
    scripts.insert(0, colours(header))
    page = page.replace('/* page.css */', style).replace('/* page.js */', ''.join(scripts))
    head, tail = page.split(MARK)
    print(array('report_page_head', head))
    print(array('report_page_tail', tail))


if __name__ == '__main__':
    main()
