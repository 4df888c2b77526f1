const INLINE = new Set(['A', 'STRONG', 'EM', 'B', 'I', 'CODE', 'BR', 'IMG'])
/** Words that mean the same. */
const SAME: Readonly<Record<string, string>> = { B: 'STRONG', I: 'EM' }
/** Its text belongs to no paragraph of its own. */
const BLOCKS_WITHIN = new Set(['BLOCKQUOTE', 'LI', 'TD', 'TH'])

/**
 * What a piece of markup says, whatever way it is written: two pieces with the same outline differ in white space, in
 * `b` for `strong`, in paragraphs that stand to reason, and in nothing else.
 */
export const markupOutline = (root: ParentNode): string => blocks(root.childNodes)

function blocks(nodes: Iterable<ChildNode>): string {
  const said: string[] = []
  let line: Run[] = []
  const end = () => {
    const text = lineOf(line)
    if (text) said.push(`P(${text})`)
    line = []
  }
  for (const node of nodes)
    if (node instanceof Text) line.push(...runs(node, []))
    else if (node instanceof Element)
      if (INLINE.has(node.tagName)) line.push(...runs(node, []))
      else {
        end()
        said.push(block(node))
      }
  end()
  return said.join('')
}

function block(element: Element): string {
  const { tagName } = element
  const name = `${tagName}${attributesOf(element)}`
  if (tagName === 'PRE') {
    const within = [...element.querySelectorAll('*')].map((each) => each.tagName + attributesOf(each))
    return `${name}(${within.join()}${JSON.stringify(element.textContent)})`
  }
  if (/^(?:P|H[1-6])$/.test(tagName))
    return `${name}(${lineOf([...element.childNodes].flatMap((node) => runs(node, [])))})`
  if (BLOCKS_WITHIN.has(tagName)) return `${name}(${blocks(element.childNodes) || 'P()'})`
  // Lists and tables: what is between their parts is white space.
  return `${name}(${[...element.children].map(block).join('')})`
}

interface Run {
  text: string
  marks: string
}

/** Text with the marks on it; something that is no text says itself. */
function runs(node: ChildNode, marks: readonly string[]): Run[] {
  if (node instanceof Text) return [{ text: node.data, marks: marks.join() }]
  if (!(node instanceof Element)) return []
  const name = `${SAME[node.tagName] ?? node.tagName}${attributesOf(node)}`
  if (!INLINE.has(node.tagName) || node.tagName === 'BR' || node.tagName === 'IMG')
    return [{ text: `<${name}>${INLINE.has(node.tagName) ? '' : block(node)}`, marks: marks.join() }]
  const inner = [...new Set([...marks, name])].toSorted()
  const within = [...node.childNodes].flatMap((child) => runs(child, inner))
  return within.length || node.tagName !== 'A' ? within : [{ text: `<${name}>`, marks: marks.join() }]
}

/** The words with one space between them, and the marks of each letter. */
function lineOf(line: readonly Run[]): string {
  const words = line
    .map(({ text }) => text)
    .join('')
    .replaceAll(/[ \t\r\n\f]+/g, ' ')
    .trim()
  const marked: Run[] = []
  for (const { text, marks } of line) {
    const letters = text.replaceAll(/[ \t\r\n\f]+/g, '')
    const last = marked.at(-1)
    if (last?.marks === marks) last.text += letters
    else if (letters) marked.push({ text: letters, marks })
  }
  const plain = marked.every(({ marks }) => !marks)
  return JSON.stringify(plain ? words : [words, marked.map(({ text, marks }) => [text, marks])]).replace(
    /^""$/,
    '',
  )
}

const attributesOf = ({ attributes }: Element): string =>
  [...attributes]
    .map(({ name, value }) => `[${name}=${value}]`)
    .toSorted()
    .join('')
