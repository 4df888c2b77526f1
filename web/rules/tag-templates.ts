import type { TagAsGiven } from '#web/rules/tag-draft.ts'

/** A tag to begin with. */
export interface TagTemplate {
  id: string
  /** What one would keep with it. */
  about: string
  tag: TagAsGiven
}

const plain = { description: null, extends: [] }

/** What people begin with; each is a tag like any other, to be changed at will. */
export const TAG_TEMPLATES: readonly TagTemplate[] = [
  {
    id: 'task',
    about: 'What is to be done, by when, and how far it is',
    tag: {
      ...plain,
      name: 'Task',
      fields: {
        status: {
          type: 'Select',
          variants: ['open', 'doing', { name: 'done', fields: { finished_on: 'Date' } }],
        },
        due: 'Date',
        effort: { type: 'Number', description: 'Hours' },
        labels: { type: 'MultiSelect', variants: ['home', 'work', 'later'] },
      },
    },
  },
  {
    id: 'person',
    about: 'Who it is, where they work, when you last spoke',
    tag: {
      ...plain,
      name: 'Person',
      fields: { email: 'String', phone: 'String', company: 'String', last_contact: 'Date' },
    },
  },
  {
    id: 'book',
    about: 'What you have read, are reading, and want to',
    tag: {
      ...plain,
      name: 'Book',
      fields: {
        author: 'String',
        year: 'Number',
        shelf: {
          type: 'Select',
          variants: [
            'wanted',
            'reading',
            { name: 'read', fields: { finished_on: 'Date', rating: 'Number' } },
          ],
        },
        subjects: { type: 'MultiSelect', variants: ['fiction', 'history', 'science', 'craft'] },
      },
    },
  },
  {
    id: 'note',
    about: 'Thoughts with a date and a source',
    tag: { ...plain, name: 'Note', fields: { date: 'Date', source: 'String', important: 'Boolean' } },
  },
]
