"""Writes a page of psim with a script that opens other reports in it, and puts what it says then in its title.

    page_beside.py PAGE.html FILE... > BOTH.html
"""
import json
import sys

SCRIPT = r'''<script>
(async () => {
  const seen = [], part = document.getElementById("compare");
  part.open = true;
  for (const [name, text] of OTHERS) {
    await part.show(new File([text], name));
    for (const shown of part.querySelectorAll(".verdict, .verdict + .scroll tbody tr:first-child, .tools + .scroll tbody tr:first-child, .tools + div > p:first-child"))
      seen.push(shown.innerText.replace(/\s+/g, " "));
  }
  document.title = seen.join(" | ");
})();
</script>'''


def read(name):
    with open(name, encoding='utf-8') as file:
        return file.read()


def main():
    page, *others = sys.argv[1:]
    files = json.dumps([[name, read(name)] for name in others]).replace('<', '\\u003c')
    print(read(page) + SCRIPT.replace('OTHERS', files))


if __name__ == '__main__':
    main()
