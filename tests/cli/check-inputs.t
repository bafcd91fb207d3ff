A notebook: Markdown, what code printed, and code, which assigns where people state. Places are cells and their lines:

    $ cat > book.ipynb <<'END'
    > {"cells": [
    >  {"cell_type": "markdown", "source": ["# A block\n", "The FFN has 8 × 1600^2 = 20,480,000 weights,\n", "twice that is 40,960,001."]},
    >  {"cell_type": "code", "source": ["T = 1024\n", "print(T)"],
    >   "outputs": [{"output_type": "stream", "text": ["1024\n", "scores: 2 × 1024^2 × 1600 = 6,710,886,400\n"]}]},
    >  {"cell_type": "markdown", "source": "| part | parameters |\n|---|---|\n| a | 1,000 |\n| b | 2,000 |\n| total | 3,500 |"}
    > ], "nbformat": 4}
    > END
    $ reckon check book.ipynb --all
    book.ipynb: 2 wrong, 1 right

    cell 2, output line 2, column 9
      scores: 2 × 1024^2 × 1600 = 6,710,886,400
              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      says 6,710,886,400; it is 3,355,443,200: what is stated is exactly twice that

    cell 3, line 5, column 11
      | total | 3,500 |
                ^^^^^
      says 3,500; the rows add up to 3,000; that is 500 less

                     line
           cell 1, line 2  right  8 × 1600^2 = 20,480,000
    cell 2, output line 2  wrong  2 × 1024^2 × 1600 = 6,710,886,400  what is stated is exactly twice
                                                                     that
           cell 3, line 5  wrong  3,500                              the rows add up to 3,000; that is
                                                                     500 less
    [1]
    $ reckon check book.ipynb --format json
    {
      "version": 1,
      "file": "book.ipynb",
      "claims": [
        {"line": 2, "column": 13, "kind": "equation", "status": "right", "text": "8 × 1600^2 = 20,480,000", "stated": 20480000, "found": 20480000, "note": null, "cell": 1, "output": false},
        {"line": 2, "column": 9, "kind": "equation", "status": "wrong", "text": "2 × 1024^2 × 1600 = 6,710,886,400", "stated": 6710886400, "found": 3355443200, "note": "what is stated is exactly twice that", "cell": 2, "output": true},
        {"line": 5, "column": 11, "kind": "sum", "status": "wrong", "text": "3,500", "stated": 3500, "found": 3000, "note": "the rows add up to 3,000; that is 500 less", "cell": 3, "output": false}
      ],
      "wrong": 2,
      "slip": 0,
      "doubtful": 0,
      "right": 1,
      "unknown": 0,
      "unbound": 0,
      "ignored": 0,
      "skipped": [],
      "open": [],
      "models": []
    }
    [1]

HTML: tags go, powers, tables and the sources of formulas stay; lines are those of the file:

    $ cat > page.html <<'END'
    > <!DOCTYPE html>
    > <html><head><title>2 + 2 = 5</title><style>p { margin: 1 }</style></head><body>
    > <p>It takes 10<sup>3</sup> &times;
    > 5 = 5,000<sup>[1]</sup> steps, and 10<sup>6</sup> &times; 3 = 3,100,000 more.</p>
    > <table><tr><th>part<th>parameters
    > <tr><td>a<td>1,000
    > <tr><td>b<td>2,000
    > <tr><td>total<td>3,500</table>
    > <p><math><mn>7</mn><annotation encoding="application/x-tex">12 \times 12 = 145</annotation></math></p>
    > <script>x = 1 + 1 == 3</script>
    > <!-- reckon: ignore -->
    > <p>9 × 9 = 82</p>
    > </body></html>
    > END
    $ reckon check page.html
    page.html: 3 wrong, 1 right; 1 ignored

    line 4, column 36
      It takes 10^3 × 5 = 5,000 steps, and 10^6 × 3 = 3,100,000 more.
                                           ^^^^^^^^^^^^^^^^^^^^
      says 3,100,000; it is 3,000,000

    line 8, column 18
      | total | 3,500 |
                ^^^^^
      says 3,500; the rows add up to 3,000; that is 500 less

    line 9, column 61
      12 × 12 = 145
      ^^^^^^^^^^^^^
      says 145; it is 144
    [1]

A PDF is left to another program, whose pages are read:

    $ printf '%%PDF-1.7\n' > 'a paper.pdf'; reckon check 'a paper.pdf'
    reckon: a paper.pdf: a PDF, whose text is checked by way of another program: pdftotext -layout 'a paper.pdf' - | reckon check -
    [1]
    $ printf 'In total the para-\n  meters are 2 + 2 = 5 of them.\n\fNext page: 3 × 4 = 12\n' | reckon check - --all
    standard input: 1 wrong, 1 right

    line 2, column 14
      are 2 + 2 = 5 of them.
          ^^^^^^^^^
      says 5; it is 4

    line
       2  wrong  2 + 2 = 5
       3  right  3 × 4 = 12
    [1]

Several at once: each has its own heading, and the first line counts all. As JSON, a list of what each would be alone:

    $ printf '2 + 2 = 4\n3 + 3 = 7\n' > one.md; printf '9^9^9^9 = 3\n' > two.md
    $ reckon check one.md two.md
    2 texts: 1 wrong, 1 right, 1 not understood

    one.md: 1 wrong, 1 right

    one.md, line 2, column 1
      3 + 3 = 7
      ^^^^^^^^^
      says 7; it is 6

    two.md: 0 wrong, 0 right, 1 not understood

    Not understood:
    line
       1  9^9^9^9 = 3  too large: a number beyond 128 bits
    [1]
    $ reckon check one.md two.md --format json
    {
      "version": 1,
      "files": [
        {
          "file": "one.md",
          "claims": [
            {"line": 1, "column": 1, "kind": "equation", "status": "right", "text": "2 + 2 = 4", "stated": 4, "found": 4, "note": null},
            {"line": 2, "column": 1, "kind": "equation", "status": "wrong", "text": "3 + 3 = 7", "stated": 7, "found": 6, "note": null}
          ],
          "wrong": 1,
          "slip": 0,
          "doubtful": 0,
          "right": 1,
          "unknown": 0,
          "unbound": 0,
          "ignored": 0,
          "skipped": [],
          "open": [],
          "models": []
        },
        {
          "file": "two.md",
          "claims": [
            {"line": 1, "column": 1, "kind": "equation", "status": "unknown", "text": "9^9^9^9 = 3", "stated": "3", "found": null, "note": "too large: a number beyond 128 bits"}
          ],
          "wrong": 0,
          "slip": 0,
          "doubtful": 0,
          "right": 0,
          "unknown": 1,
          "unbound": 0,
          "ignored": 0,
          "skipped": [],
          "open": [],
          "models": []
        }
      ],
      "wrong": 1,
      "slip": 0,
      "doubtful": 0,
      "right": 1,
      "unknown": 1,
      "unbound": 0,
      "ignored": 0
    }
    [1]
    $ reckon check one.md two.md --format csv
    file,line,column,kind,status,text,stated,found,note,quantity,formula,cell,output
    one.md,1,1,equation,right,2 + 2 = 4,4,4,,,,,
    one.md,2,1,equation,wrong,3 + 3 = 7,7,6,,,,,
    two.md,1,1,equation,unknown,9^9^9^9 = 3,3,,too large: a number beyond 128 bits,,,,
    [1]
    $ reckon check one.md two.md --format csv --columns line,status,file
    line,status,file
    1,right,one.md
    2,wrong,one.md
    1,unknown,two.md
    [1]

What makes the exit status 1; what is not certain is listed, the first dozen:

    $ printf '12 × 12288^2 × 96 ≈ 173B\n' > slip.md; reckon check slip.md
    slip.md: 0 wrong, 1 off in the last digit, 0 right

    line 1, column 1: off in the last digit
      12 × 12288^2 × 96 ≈ 173B
      ~~~~~~~~~~~~~~~~~~~~~~~~
      says 173B; it is 173,946,175,488 (173.95 B)
    $ reckon check slip.md --fail-on slip > slip.txt
    [1]
    $ printf 'MFU (50%%) = 0.5 × 19.5 × 10^12\n' > doubt.md; reckon check doubt.md --fail-on slip
    doubt.md: 0 wrong, 1 doubtful, 0 right

    Doubtful:
    line
       1  (50%) = 0.5 × 19.5 × 10^12  perhaps the end of something in words
    $ reckon check doubt.md --fail-on doubtful > doubt.txt
    [1]
    $ reckon check doubt.md --fail-on never
    reckon: --fail-on is not 'never' but one of mistake|slip|doubtful
    reckon: 'reckon help check' says how it is used
    [2]
    $ for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do echo "9^9^9^9 = $i"; done > many.md; reckon check many.md
    many.md: 0 wrong, 0 right, 14 not understood

    Not understood:
    line
       1  9^9^9^9 = 1   too large: a number beyond 128 bits
       2  9^9^9^9 = 2   too large: a number beyond 128 bits
       3  9^9^9^9 = 3   too large: a number beyond 128 bits
       4  9^9^9^9 = 4   too large: a number beyond 128 bits
       5  9^9^9^9 = 5   too large: a number beyond 128 bits
       6  9^9^9^9 = 6   too large: a number beyond 128 bits
       7  9^9^9^9 = 7   too large: a number beyond 128 bits
       8  9^9^9^9 = 8   too large: a number beyond 128 bits
       9  9^9^9^9 = 9   too large: a number beyond 128 bits
      10  9^9^9^9 = 10  too large: a number beyond 128 bits
      11  9^9^9^9 = 11  too large: a number beyond 128 bits
      12  9^9^9^9 = 12  too large: a number beyond 128 bits
    … and 2 more: --all lists every claim.

One remark for one cause: the same figure again, and what was computed from it:

    $ cat > causes.md <<'END'
    > - scores: 2 × 1024^2 × 1600 = 6,710,886,400
    > - with the context: 6,710,886,400 + 3,355,443,200 = 10,066,329,600
    > - once more: 2 × 1024^2 × 1600 = 6,710,886,400
    > END
    $ reckon check causes.md
    causes.md: 2 wrong, 1 right

    line 1, column 11
      - scores: 2 × 1024^2 × 1600 = 6,710,886,400
                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      says 6,710,886,400; it is 3,355,443,200: what is stated is exactly twice that
      also line 3
      what follows from it: line 2
    [1]

Marks in a text: a line that is left out, a letter that is defined:

    $ cat > marks.md <<'END'
    > Roughly 2 + 2 = 5. <!-- reckon: ignore -->
    > <!-- reckon: ignore -->
    > For large values of two, 2 + 2 = 6.
    > % reckon: let T = 131072
    > So 2T = 262,144 and 4T = 262,144.
    > END
    $ reckon check marks.md
    marks.md: 1 wrong, 1 right; 2 ignored

    line 5, column 21
      So 2T = 262,144 and 4T = 262,144.
                          ^^^^^^^^^^^^
      says 262,144; it is 524,288: what is stated is exactly half of that
    [1]

The text itself, on a narrow terminal, and as a page:

    $ reckon check marks.md --annotate
    marks.md: 1 wrong, 1 right; 2 ignored

    ^ wrong, ~ off in the last digit, ? doubtful, . not understood or left open, - right
       1 │ Roughly 2 + 2 = 5. <!-- reckon: ignore -->
       2 │ <!-- reckon: ignore -->
       3 │ For large values of two, 2 + 2 = 6.
       4 │ % reckon: let T = 131072
       5 │ So 2T = 262,144 and 4T = 262,144.
         │    ------------     ^^^^^^^^^^^^
         │ wrong: says 262,144; it is 524,288: what is stated is exactly half of that
    [1]
    $ COLUMNS=44 reckon check causes.md --annotate
    causes.md: 2 wrong, 1 right

    ^ wrong, ~ off in the last digit, ?
    doubtful, . not understood or left open, -
    right
       1 │ - scores: 2 × 1024^2 × 1600 =
         │           ^^^^^^^^^^^^^^^^^^^
         │ 6,710,886,400
         │ ^^^^^^^^^^^^^
         │ wrong: says 6,710,886,400; it is
         │ 3,355,443,200: what is stated is
         │ exactly twice that
       2 │ - with the context: 6,710,886,400 +
         │                     ---------------
         │ 3,355,443,200 = 10,066,329,600
         │ ------------------------------
       3 │ - once more: 2 × 1024^2 × 1600 =
         │              ^^^^^^^^^^^^^^^^^^^
         │ 6,710,886,400
         │ ^^^^^^^^^^^^^
         │ wrong: says 6,710,886,400; it is
         │ 3,355,443,200: what is stated is
         │ exactly twice that
    [1]
    $ reckon check book.ipynb --annotate
    book.ipynb: 2 wrong, 1 right

    ^ wrong, ~ off in the last digit, ? doubtful, . not understood or left open, - right
         1:1 │ # A block
         1:2 │ The FFN has 8 × 1600^2 = 20,480,000 weights,
             │             -----------------------
         1:3 │ twice that is 40,960,001.
         2:1 │ T = 1024
         2:2 │ print(T)
        2o:1 │ 1024
        2o:2 │ scores: 2 × 1024^2 × 1600 = 6,710,886,400
             │         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
             │ wrong: says 6,710,886,400; it is 3,355,443,200: what is stated is exactly twice that
         3:1 │ | part | parameters |
         3:2 │ |---|---|
         3:3 │ | a | 1,000 |
         3:4 │ | b | 2,000 |
         3:5 │ | total | 3,500 |
             │           ^^^^^ wrong: says 3,500; the rows add up to 3,000; that is 500 less
    [1]
    $ script -qec 'TERM=xterm reckon check marks.md --annotate' /dev/null | tr -d '\r' | sed 's/\x1b/ESC/g' | tail -2
        ESC[2m │ ESC[0m   ESC[32m------------ESC[0m     ESC[31m^^^^^^^^^^^^ESC[0m
        ESC[2m │ ESC[0mESC[31mwrong: says 262,144; it is 524,288: what is stated is exactly half of thatESC[0m
    $ printf '<b>2 + 2 = 5</b> & "x"\n' > evil.md; reckon check evil.md --annotate --format html | grep '<pre>'
    <pre><span class="at">   1</span>  &#60;b&#62;<mark class="wrong" title="wrong: says 5; it is 4">2 + 2 = 5</mark>&#60;/b&#62; &#38; &#34;x&#34; <span class="note">wrong: says 5; it is 4</span></pre>

A figure that is left open is marked in its place, with what is nearest:

    $ printf 'The cache of GPT-2 XL takes 314.6 MB.\nIts frobnicator has 1,234,567 parameters.\n' > open.md
    $ reckon check open.md --model gpt2-xl --annotate
    open.md: 0 wrong, 1 right; 1 figure left open

    ^ wrong, ~ off in the last digit, ? doubtful, . not understood or left open, - right
       1 │ The cache of GPT-2 XL takes 314.6 MB.
         │                             --------
         │ right: the whole model, numbers of the cache of all tokens, 2 bytes each (bf16, fp16): 4BSLD
       2 │ Its frobnicator has 1,234,567 parameters.
         │                     .........
         │ left open; the nearest is position embedding, parameters: 1,638,400
