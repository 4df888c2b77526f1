import { describe, expect, it } from 'vitest'
import { readableText } from '#src/domain/readable-text.ts'
import { foldDescription, foldForSearch } from '#src/domain/search-text.ts'
import { computed } from '#test/support/computed.ts'

describe('readableText', () => {
  for (const [html, text] of [
    ['<em>ambiguous</em> utopia', 'ambiguous utopia'],
    ['un<b>believ</b>able', 'unbelievable'],
    ['<p>one</p><p>two</p>', 'one two'],
    ['one<br>two<br/>three', 'one two three'],
    ['<ul>\n  <li>one</li>\n  <li>two</li>\n</ul>', 'one two'],
    ['<TD>one</TD><td class="x">two</td>', 'one two'],
    ['a &amp; b &lt;c&gt; &quot;d&quot; &#39;e&#x27; &nbsp; f', `a & b <c> "d" 'e' f`],
    ['&eacute;t&Eacute; &hellip; &mdash; &euro; &alpha;&Omega;', 'étÉ … — € αΩ'],
    ['&unknown; &amp;lt; R&D &#0; &#xD800; &#9999999;', '&unknown; &lt; R&D \ufffd \ufffd \ufffd'],
    ['<a href="x?a>b" title=\'c>d\'>link</a>', 'link'],
    ['1 < 2 and a<b', '1 < 2 and a<b'],
    ['5 <a <b>bold</b>', '5 <a bold'],
    ['before <!-- a <b> comment --> after', 'before after'],
    ['<!doctype html>x<style>p { color: red }</style>y<script>let a = "<p>"</script>z', 'xyz'],
    ['an "<i" open quote', 'an "<i" open quote'],
    ['plain\n\ttext ', 'plain text'],
    ['', ''],
  ] as const)
    it(`reads ${JSON.stringify(html)}`, () => expect(readableText(html)).toBe(text))

  it('takes linear time', () => {
    for (const part of ['<a ', '<a "', `"<a'`, '<!--', '<script>', '<!', '<?x', '&', '<', '<a "<b \'', ' ']) {
      const start = computed()
      readableText(part.repeat(200_000))
      expect(computed() - start, part).toBeLessThan(1500)
    }
  })
})

describe('foldForSearch', () => {
  for (const [text, folded] of [
    ['São Tomé', 'sao tome'],
    ['Sa\u0303o Tome\u0301', 'sao tome'],
    ['ﬁne ① ½ Å', 'fine 1 1\u20442 a'],
    ['ΟΔΥΣΣΕΎΣ', 'οδυσσευσ'],
    ['STRAẞE İstanbul', 'straße istanbul'],
    ['a \u00a0\n b', 'a b'],
    ['\u0301', ''],
    ['Daten\u00adbank Soft\u200bware', 'datenbank software'],
    ['می\u200cخواهم ශ්\u200dරී \ufeffa\u2060b\ufeffc', 'میخواهم ශ්රී abc'],
    ['❤\ufe0f a \u200b b', '❤ a b'],
    ['a\u05b4\u00ad\u05b0', 'a\u05b0\u05b4'],
  ] as const)
    it(`folds ${text} to ${folded}`, () => expect(foldForSearch(text)).toBe(folded))

  it('leaves folded text as it is', () => {
    for (let point = 0; point <= 0x1ffff; point++) {
      if (point >= 0xd800 && point <= 0xdfff) continue
      const folded = foldForSearch(`x${String.fromCodePoint(point)}`)
      if (foldForSearch(folded) !== folded) expect(point.toString(16)).toBe('stable')
    }
  })

  it('reads descriptions before it folds them', () => {
    expect(foldDescription('<p>S&atilde;o <b>Tom&eacute;</b></p>')).toBe('sao tome')
  })
})
