import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readableText } from '#src/domain/readable-text.ts'
import { INNER } from '#src/markdown/clean-html.ts'
import { htmlToMarkdown } from '#src/markdown/html-to-markdown.ts'
import { markdownToHtml, type WikiLink } from '#src/markdown/markdown-to-html.ts'
import { computed } from '#test/support/computed.ts'

describe('HTML as Markdown', () => {
  it.each([
    ['<p>one</p><p>two</p>', 'one\n\ntwo'],
    [
      '<h2>Head</h2><p>a <b>bold</b>, <em>slanted</em> and <s>gone</s></p>',
      '## Head\n\na **bold**, *slanted* and ~~gone~~',
    ],
    ['<p>a<strong> b </strong>c</p>', 'a **b** c'],
    ['<ul><li>a</li><li><p>b</p><ol start="3"><li>c</li></ol></li></ul>', '- a\n- b\n\n  3. c'],
    ['<ul><li>a</li></ul><ul><li>b</li></ul>', '- a\n\n* b'],
    ['<blockquote><p>a</p><p>b</p></blockquote>', '> a\n>\n> b'],
    ['<pre><code class="language-ts">a &lt; b\n```</code></pre>', '````ts\na < b\n```\n````'],
    ['a<br>b', 'a\\\nb'],
    [
      '<p><a href="https://x.org/a b">x</a> <img src="/i.png" alt="An [i]"></p>',
      '[x](<https://x.org/a%20b>) ![An \\[i\\]](/i.png)',
    ],
    [
      '<table><tr><th>a</th><th>b</th></tr><tr><td>1|2</td><td></td></tr></table>',
      '| a | b |\n| --- | --- |\n| 1\\|2 |  |',
    ],
    [
      '<p>* 1. # - _x_ a_b [[y]] #tag `c` 1 &lt; 2</p>',
      '\\* 1. # - \\_x\\_ a_b \\[\\[y\\]\\] \\#tag \\`c\\` 1 \\< 2',
    ],
    ['<p># a</p><p>1. b</p><p>- c</p><p>&gt; d</p>', '\\# a\n\n1\\. b\n\n\\- c\n\n\\> d'],
    ['<p><b>Note:</b>text <i>x</i><i>y</i></p>', '<strong>Note:</strong>text *xy*'],
    ['<p><strong>注意：</strong>これ <b>重要</b></p>', '<strong>注意：</strong>これ **重要**'],
    ['<p><b>a<i>b</i></b><i>c</i></p>', '**a*b***<em>c</em>'],
    ['<p>said<em>(really)</em>so <em>(so)</em></p>', 'said<em>(really)</em>so *(so)*'],
    [
      '<p>10<sup>6</sup> H<sub>2</sub>O <mark>m</mark> <u>u</u></p>',
      '10<sup>6</sup> H<sub>2</sub>O <mark>m</mark> <u>u</u>',
    ],
    [
      '<h2>a</h2><div><p>x<b><b>y</b>z</b></p><ul><li>b<i>c</i></li></ul></div><p><b>c</b></p>',
      '## a\n\nx<strong>**y**z</strong>\n\n- b*c*\n\n**c**',
    ],
    ['plain text', 'plain text'],
    ['<script>x</script><style>y</style>', ''],
  ])('%s', (html, markdown) => {
    expect(htmlToMarkdown(html)).toBe(markdown)
  })

  it('writes only what cannot be written otherwise without its form', () => {
    const odd = '<p>a<tt>`</tt><img src="x"><b><table><tr><td>b</td></tr></table></b></p>'
    const markdown = htmlToMarkdown(`<h1>a</h1>${odd}<ul><li><a href="y">c</a></li></ul>`)
    expect(markdown).toMatch(/^# a\n\n/)
    expect(markdown).toMatch(/\n\n- \[c\]\(y\)$/)
    expect(markdown).toContain('![](x)')
  })

  const word = fc.oneof(
    fc.constantFrom(
      '*',
      '**',
      '_',
      '`',
      '``',
      '#',
      '##',
      '-',
      '+',
      '>',
      '1.',
      '|',
      '[',
      ']',
      '[[x]]',
      '(',
      '<',
      '&amp;',
      '&lt;b&gt;',
      '~~',
      '==',
      '%%',
      '\\',
      '!',
      '---',
      '===',
      ':',
      '#tag',
      'a',
      'b c',
      ' ',
      '\n',
      '\n\n',
      '    ',
      '\t',
      '&nbsp;',
      'é',
      '😀',
      'http://x.org',
      '&amp;amp;',
      '$',
      '^1',
      '[^1]',
      '[ ]',
      ': x',
      '\\n',
    ),
    fc.string({ maxLength: 5 }).map((text) => text.replaceAll('<', '&lt;')),
  )
  const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(''))
  const html = fc.letrec<{ nodes: string; node: string }>((tie) => ({
    nodes: fc.array(tie('node'), { maxLength: 4 }).map((nodes) => nodes.join('')),
    node: fc.oneof(
      { depthSize: 'small' },
      text,
      fc
        .tuple(
          fc.constantFrom(
            'p',
            'div',
            'b',
            'i',
            'em',
            's',
            'code',
            'pre',
            'ul',
            'ol',
            'li',
            'blockquote',
            'h1',
            'h3',
            'table',
            'tr',
            'td',
            'th',
            'span',
            'u',
            'a',
            'sup',
            'mark',
            'details',
          ),
          tie('nodes'),
        )
        .map(([name, inner]) => `<${name}${name === 'a' ? ' href="x"' : ''}>${inner}</${name}>`),
      fc.constantFrom('<br>', '<hr>', '<img src="x" alt="y">'),
    ),
  })).nodes

  it('reads the same when it comes back, whatever it is', () => {
    fc.assert(
      fc.property(html, (given) => {
        const markdown = htmlToMarkdown(given)
        expect(readableText(markdownToHtml(markdown).html)).toBe(readableText(given))
      }),
      { numRuns: 2000 },
    )
  })

  it.each([
    ['deep', '<div>'.repeat(100_000)],
    ['lists in lists', '<ul><li>'.repeat(30_000)],
    ['open tags', '<b><p>'.repeat(20_000)],
    ['emphases that are none', '<ul><li>'.repeat(20) + '<b><b>a:</b></b>b'.repeat(20_000)],
    ['emphases next to each other', '<i>a</i>'.repeat(40_000)],
    ['links in links', '<a href=x>'.repeat(40_000)],
    ['signs', '*'.repeat(1e6)],
    ['brackets', '['.repeat(1e6)],
    ['many words', '<p>word *word*</p>'.repeat(20_000)],
    ['breaks', `<p>x${'<br>'.repeat(49_000)}y</p>`],
    ['a long row among many', `<table><tr>${'<td>a'.repeat(5000)}</tr>${'<tr></tr>'.repeat(5000)}</table>`],
    ['blanks that stay, in an emphasis', `<b>a${'\u00a0'.repeat(400_000)}b</b>`],
    ['blanks that stay, in a link', `<a href=x>a${'\u00a0'.repeat(400_000)}b</a>`],
    ['ticks in code', `<code>${'` '.repeat(400_000)}</code>`],
  ])('is made in little time of %s', (_, given) => {
    const before = computed()
    htmlToMarkdown(given)
    expect(computed() - before).toBeLessThan(5000)
  })
})

describe('Markdown as HTML', () => {
  it('knows links between notes, embedded files, tags and comments of Obsidian', () => {
    const links: WikiLink[] = []
    const tags: string[] = []
    const wikiLink = (link: WikiLink) => {
      links.push(link)
      return `<a href="${INNER}row:1">${link.alias ?? link.target}</a>`
    }
    const markdown =
      'See [[Note one|the note]] and ![[pic.png|300]] #todo #area/home a#b #12 %%secret%% ==hot==\nnext `#no [[no]]`'
    const { html } = markdownToHtml(markdown, { wikiLink, onTag: (tag) => tags.push(tag), breaks: true })
    expect(links).toEqual([
      { target: 'Note one', alias: 'the note', isEmbedded: false },
      { target: 'pic.png', alias: '300', isEmbedded: true },
    ])
    expect(tags).toEqual(['todo', 'area/home'])
    expect(html).toBe(
      '<p>See <a href="import-row:1">the note</a> and <a href="import-row:1">300</a> #todo #area/home a#b #12  <mark>hot</mark><br>\nnext <code>#no [[no]]</code></p>',
    )
  })

  it.each([
    ['a[^1]\n\n[^1]: foot', '<p>a[^1]</p>\n<p>[^1]: foot</p>'],
    ['[^1]: one\n[^a b]: two\nthree', '<p>[^1]: one</p>\n<p>[^a b]: two\nthree</p>'],
    ['- a\n\n  [^1]:\n  foot', '<ul>\n<li>\n<p>a</p>\n<p>[^1]:\nfoot</p>\n</li>\n</ul>'],
    [
      '[^1] and [l]\n\n[^1]: [l]\n[l]: /l',
      '<p>[^1] and <a href="/l">l</a></p>\n<p>[^1]: <a href="/l">l</a></p>',
    ],
  ])('keeps what a footnote says, which is no address of a link: %j', (markdown, html) => {
    expect(markdownToHtml(markdown).html).toBe(html)
  })

  it.each([
    ['<script>alert(1)</script>x', 'x'],
    ['<img src=x onerror=alert(1)>', '<img src="x">'],
    ['<a href="javascript:alert(1)">x</a>', '<p><a>x</a></p>'],
    ['<a href=" IMPORT-row:1">x</a>![y](import-file:z)', '<p><a>x</a><img alt="y"></p>'],
    ['[x](javascript:alert(1))', '<p>[x](javascript:alert(1))</p>'],
    ['<div style="position:fixed">x</div>', '<p>x</p>'],
    ['<fieldset><legend>a</legend>b</fieldset><dialog>c</dialog>', '<p><p>a</p>b</p><p>c</p>'],
    ['<iframe src="x"></iframe><svg onload=x></svg>', ''],
    [
      '| a |\n| - |\n| b |',
      '<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>b</td>\n</tr>\n</tbody>\n</table>',
    ],
  ])('is cleaned: %s', (markdown, html) => {
    expect(markdownToHtml(markdown).html).toBe(html)
  })
})
