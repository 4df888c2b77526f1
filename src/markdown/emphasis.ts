import type { HtmlNode } from '#src/markdown/html-tree.ts'

interface Form {
  tag: string
  /** Of Markdown. */
  sign?: string
}

/** A part of a line; with a form, its blanks at the ends apart. */
export interface Piece {
  form?: Form
  before?: string
  text: string
  after?: string
}

const BOLD: Form = { tag: 'strong', sign: '**' }
const SLANTED: Form = { tag: 'em', sign: '*' }
const GONE: Form = { tag: 's', sign: '~~' }
const FORMS = new Map<string, Form>([
  ['b', BOLD],
  ['strong', BOLD],
  ['i', SLANTED],
  ['em', SLANTED],
  ['s', GONE],
  ['del', GONE],
  ['strike', GONE],
  ...['sub', 'sup', 'mark', 'u', 'ins'].map((tag): [string, Form] => [tag, { tag }]),
])

export const formOf = (node: HtmlNode): Form | undefined =>
  'name' in node ? FORMS.get(node.name) : undefined

/** Emphases of one kind next to each other as one. */
export function joined(nodes: readonly HtmlNode[]): HtmlNode[] {
  const runs: [HtmlNode, ...HtmlNode[]][] = []
  for (const node of nodes) {
    const run = runs.at(-1)
    if (run && formOf(node)?.sign && formOf(run[0]) === formOf(node)) run.push(node)
    else runs.push([node])
  }
  return runs.map(([first, ...others]) =>
    'name' in first && others.length
      ? { ...first, children: [first, ...others].flatMap((node) => ('name' in node ? node.children : [])) }
      : first,
  )
}

/** Without `hasSigns` all emphases are tags. */
export function writtenPieces(pieces: readonly Piece[], hasSigns: boolean): string {
  const written: string[] = []
  let last = ''
  for (const [i, piece] of pieces.entries()) {
    const { form, before = '', text, after = '' } = piece
    const next = pieces[i + 1]
    const follows = after || (next && (next.before || (next.form ? '<' : next.text)))
    const isSign = hasSigns && form?.sign && isTaken(text, before || last, follows ?? '')
    if (!form) written.push(text)
    else if (isSign) written.push(`${before}${form.sign}${text}${form.sign}${after}`)
    else written.push(`${before}<${form.tag}>${text}</${form.tag}>${after}`)
    last = written.at(-1) || last
  }
  return written.join('')
}

/**
 * Whether signs around a text are signs, as CommonMark has it: `**a:**b` are none, for `:` is at one side and a letter at
 * the other. Next to another sign they would be one with it.
 */
const isTaken = (text: string, before: string, after: string): boolean =>
  !text.includes('\\\n') &&
  !/[*~]$/.test(before) &&
  (!/^[\p{P}\p{S}]/u.test(text) || /(?:^|[\s\p{P}\p{S}])$/u.test(before.slice(-2))) &&
  (!/[\p{P}\p{S}]$/u.test(text.slice(-2)) || /^(?:$|[\s\p{P}\p{S}])/u.test(after))
