import { setBlockType, wrapIn } from 'prosemirror-commands'
import { wrapInList } from 'prosemirror-schema-list'
import type { Command } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { isChecklist, toggleChecklist } from '#web/item/check-commands.ts'
import { descriptionSchema } from '#web/item/description-schema.ts'
import { insertBlock } from '#web/item/insert-block.ts'
import { setLine } from '#web/item/rich-commands.ts'
import { newTable } from '#web/item/table-commands.ts'
import type { IconName } from '#web/parts/icon.tsx'

const { nodes } = descriptionSchema

/** What `/` offers. */
export interface BlockChoice {
  label: string
  icon: IconName
  /** Other words by which it is found. */
  words: string
  /** How it is typed. */
  typed?: string
  run: Command
}

export const ITEM_LINK = 'Link to an item'
export const PICTURE = 'Picture or file'

const CHOICES: readonly BlockChoice[] = [
  { label: 'Text', icon: 'text', words: 'paragraph plain', run: setLine(0) },
  { label: 'Heading', icon: 'heading', words: 'h1 title', typed: '#', run: setLine(2) },
  { label: 'Smaller heading', icon: 'heading', words: 'h2', typed: '##', run: setLine(3) },
  { label: 'Smallest heading', icon: 'heading', words: 'h3', typed: '###', run: setLine(4) },
  { label: 'List', icon: 'list', words: 'bullet ul', typed: '-', run: wrapInList(nodes.bullet_list) },
  {
    label: 'Numbered list',
    icon: 'list_ordered',
    words: 'ol ordered',
    typed: '1.',
    run: wrapInList(nodes.ordered_list),
  },
  {
    label: 'Checklist',
    icon: 'checklist',
    words: 'todo task box tick',
    typed: '[]',
    run: (state, dispatch) => !isChecklist(state) && toggleChecklist(state, dispatch),
  },
  { label: 'Table', icon: 'table', words: 'grid rows columns', run: insertBlock(newTable) },
  { label: PICTURE, icon: 'gallery', words: 'image photo upload attachment', run: () => true },
  { label: ITEM_LINK, icon: 'reference', words: 'mention reference page', typed: '[[', run: () => true },
  { label: 'Quote', icon: 'quote', words: 'blockquote', typed: '>', run: wrapIn(nodes.blockquote) },
  {
    label: 'Block of code',
    icon: 'code_block',
    words: 'pre source',
    typed: '```',
    run: setBlockType(nodes.code_block),
  },
  {
    label: 'Divider',
    icon: 'divider',
    words: 'line rule hr',
    typed: '---',
    run: insertBlock(() => nodes.horizontal_rule.create()),
  },
]

/** Those that fit what was typed, and the place. */
export function blockChoices(view: EditorView, query: string): BlockChoice[] {
  const asked = query.trim().toLowerCase()
  const begins = (text: string) => ` ${text.toLowerCase()}`.includes(` ${asked}`)
  const fitting = CHOICES.filter(({ label, words }) => begins(label) || begins(words))
  return fitting
    .toSorted((a, b) => Number(begins(b.label)) - Number(begins(a.label)))
    .filter(({ run }) => run(view.state))
}
