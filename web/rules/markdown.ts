/** A piece of a line. */
export type Span =
  | { kind: 'text' | 'strong' | 'em' | 'code'; text: string }
  | { kind: 'link'; text: string; href: string }

export type Block =
  | { kind: 'paragraph'; spans: Span[] }
  | { kind: 'heading'; spans: Span[] }
  | { kind: 'list'; ordered: boolean; items: Span[][] }
  | { kind: 'code'; text: string }
  | { kind: 'table'; head: Span[][]; rows: Span[][][] }

const FENCE = /^\s*```/
const BULLET = /^\s*[-*•]\s+(.*)$/
const NUMBER = /^\s*\d{1,9}[.)]\s+(.*)$/
const HEADING = /^#{1,6}\s+(.*)$/
const ROW = /^\s*\|(.*)\|\s*$/
const RULE = /^\s*\|[\s:|-]+\|\s*$/

/** What models write, in blocks: enough of Markdown to read it, and never HTML. */
export function markdown(text: string): Block[] {
  const blocks: Block[] = []
  const lines = text.split('\n')
  let paragraph: string[] = []
  const flush = () => {
    if (paragraph.length) blocks.push({ kind: 'paragraph', spans: spansOf(paragraph.join('\n')) })
    paragraph = []
  }
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!
    const heading = HEADING.exec(line)
    if (FENCE.test(line)) {
      flush()
      const end = lines.findIndex((each, at) => at > i && FENCE.test(each))
      const last = end < 0 ? lines.length : end
      blocks.push({ kind: 'code', text: lines.slice(i + 1, last).join('\n') })
      i = last
    } else if (heading) {
      flush()
      blocks.push({ kind: 'heading', spans: spansOf(heading[1]!) })
    } else if (BULLET.test(line) || NUMBER.test(line)) {
      flush()
      addItem(blocks, line)
    } else if (ROW.test(line) && RULE.test(lines[i + 1] ?? '')) {
      flush()
      const rows: Span[][][] = []
      const head = cells(line)
      for (i += 2; ROW.test(lines[i] ?? ''); i++) rows.push(cells(lines[i]!))
      i--
      blocks.push({ kind: 'table', head, rows })
    } else if (line.trim()) paragraph.push(line)
    else flush()
  }
  flush()
  return blocks
}

function addItem(blocks: Block[], line: string): void {
  const ordered = NUMBER.test(line)
  const [, text = ''] = (ordered ? NUMBER : BULLET).exec(line)!
  const last = blocks.at(-1)
  if (last?.kind === 'list' && last.ordered === ordered) last.items.push(spansOf(text))
  else blocks.push({ kind: 'list', ordered, items: [spansOf(text)] })
}

const cells = (line: string): Span[][] =>
  ROW.exec(line)![1]!
    .split('|')
    .map((cell) => spansOf(cell.trim()))

const SPAN =
  /`([^`\n]{1,2000})`|\*\*([^*\n]{1,2000})\*\*|\*([^*\s][^*\n]{0,2000})\*|\[([^\]\n]{1,500})\]\(([^)\s]{1,2000})\)/g

function spansOf(text: string): Span[] {
  const spans: Span[] = []
  let at = 0
  for (const match of text.matchAll(SPAN)) {
    const [whole, code, strong, em, label, href] = match
    if (match.index > at) spans.push({ kind: 'text', text: text.slice(at, match.index) })
    if (code !== undefined) spans.push({ kind: 'code', text: code })
    else if (strong !== undefined) spans.push({ kind: 'strong', text: strong })
    else if (em !== undefined) spans.push({ kind: 'em', text: em })
    else if (isSafe(href!)) spans.push({ kind: 'link', text: label!, href: href! })
    else spans.push({ kind: 'text', text: whole })
    at = match.index + whole.length
  }
  if (at < text.length) spans.push({ kind: 'text', text: text.slice(at) })
  return spans
}

/** Addresses of this application, and those that a person may follow elsewhere. */
const isSafe = (href: string) => /^\/(?![/\\])|^https?:\/\/|^mailto:/i.test(href)
