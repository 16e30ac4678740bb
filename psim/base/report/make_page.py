"""Writes page.html as C: the bytes before and after the mark at which a program writes its data.

    make_page.py page.html page.css page.js page_*.js > report_page.c

The scripts become one, in the order of the arguments.
"""
import sys
import textwrap

MARK = '"DATA"'


def array(name, text):
    """A text as an array of bytes: a string literal may have 4095 only."""
    data = ', '.join(str(byte) for byte in text.encode('ascii') + b'\0')
    return f'extern const char {name}[];\nconst char {name}[] = {{\n' + '\n'.join(textwrap.wrap(data, 118)) + '\n};\n'


def main():
    page, style, *scripts = (open(name, encoding='ascii').read() for name in sys.argv[1:])
    page = page.replace('/* page.css */', style).replace('/* page.js */', ''.join(scripts))
    head, tail = page.split(MARK)
    print(array('report_page_head', head))
    print(array('report_page_tail', tail))


if __name__ == '__main__':
    main()
