import type { FieldMap } from '#src/domain/field-schema.ts'
import type { TagAsGiven } from '#web/rules/tag-draft.ts'

/** A tag to begin with. */
export interface TagTemplate {
  id: string
  /** What one would keep with it. */
  about: string
  tag: TagAsGiven
}

const template = (id: string, name: string, about: string, fields: FieldMap): TagTemplate => ({
  id,
  about,
  // What the template promises is what the tag says of itself.
  tag: { name, description: about, extends: [], fields },
})

/** What people begin with; each is a tag like any other, to be changed at will. */
export const TAG_TEMPLATES: readonly TagTemplate[] = [
  template('task', 'Task', 'What is to be done, by when, and how far it is', {
    status: {
      type: 'Select',
      variants: ['open', 'doing', { name: 'done', closed: true, hue: 120, fields: { finished: 'Date' } }],
    },
    due: { type: 'Date', relative: true },
    effort: { type: 'Number', unit: 'h' },
    labels: { type: 'MultiSelect', variants: ['home', 'work', 'later'] },
  }),
  template('person', 'Person', 'Who it is, where they work, when you last spoke', {
    email: { type: 'String', format: 'email' },
    phone: { type: 'String', format: 'phone' },
    company: 'String',
    'last contact': { type: 'Date', relative: true },
  }),
  template('book', 'Book', 'What you have read, are reading, and want to', {
    author: 'String',
    year: 'Number',
    shelf: {
      type: 'Select',
      variants: [
        'wanted',
        'reading',
        { name: 'read', closed: true, fields: { finished: 'Date', rating: 'Number' } },
      ],
    },
    subjects: { type: 'MultiSelect', variants: ['fiction', 'history', 'science', 'craft'] },
  }),
  template('note', 'Note', 'Thoughts with a date and a source', {
    date: 'Date',
    source: 'String',
    important: 'Boolean',
  }),
]
