import { setBlockType, wrapIn } from 'prosemirror-commands'
import { wrapInList } from 'prosemirror-schema-list'
import { type Command, Plugin } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { toggleChecklist } from '#web/item/check-commands.ts'
import { descriptionSchema } from '#web/item/description-schema.ts'

const { nodes } = descriptionSchema

/** What begins a line, and what the line becomes by the space after it. */
const BEGINNINGS: readonly { typed: RegExp; become: (typed: string) => Command }[] = [
  { typed: /^#{1,3}$/, become: ({ length }) => setBlockType(nodes.heading, { level: length + 1 }) },
  { typed: /^\[[ x]?\]$/, become: () => toggleChecklist },
  { typed: /^[-*]$/, become: () => wrapInList(nodes.bullet_list) },
  {
    typed: /^\d{1,4}[.)]$/,
    become: (typed) => wrapInList(nodes.ordered_list, { order: Number.parseInt(typed, 10) }),
  },
  { typed: /^>$/, become: () => wrapIn(nodes.blockquote) },
  { typed: /^```$/, become: () => setBlockType(nodes.code_block) },
]

/** `# `, `- `, `1. `, `[] `, `> ` at the beginning of a line become what they stand for; Ctrl Z takes that back. */
export const typedMarkup = (): Plugin =>
  new Plugin({
    props: {
      handleTextInput: (view, from, to, text) => text === ' ' && from === to && becomes(view),
    },
  })

function becomes(view: EditorView): boolean {
  const { $from } = view.state.selection
  if ($from.parent.type !== nodes.paragraph) return false
  const typed = $from.parent.textBetween(0, $from.parentOffset, undefined, ' ')
  const rule = BEGINNINGS.find((each) => each.typed.test(typed))
  if (!rule?.become(typed)(view.state)) return false
  view.dispatch(view.state.tr.delete($from.start(), $from.pos))
  return rule.become(typed)(view.state, view.dispatch)
}
