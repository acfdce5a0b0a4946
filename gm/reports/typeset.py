"""The typesetter's own process: reads a job from standard input, writes a PDF to standard output.

Run by `gm.reports.issuepdf` as a script, so that the memory typst takes is given back when the page is set. It
imports nothing of the program. A job is a JSON object: ``template`` (path), ``inputs`` (texts for ``sys.inputs``),
``fonts`` (folders), ``timestamp`` (Unix seconds). Exit code 2 and a message on standard error: the template is wrong.
"""

import json
import sys

import typst


def main() -> int:
    """Set one document."""
    job = json.load(sys.stdin.buffer)
    compiler = typst.Compiler(
        job["template"],
        font_paths=typst.Fonts(include_system_fonts=False, font_paths=job["fonts"]),
        sys_inputs=job["inputs"],
    )
    try:
        pdf = compiler.compile(format="pdf", timestamp=job["timestamp"])
    except typst.TypstError as error:
        sys.stderr.write(error.diagnostic or error.message)
        return 2
    if not isinstance(pdf, bytes):
        sys.stderr.write("the document has no pages")
        return 2
    sys.stdout.buffer.write(pdf)
    return 0


if __name__ == "__main__":
    sys.exit(main())
