/** A base to begin with: its tags, views and samples come when it is chosen (`templates/`). */
export interface BaseTemplate {
  name: string
  about: string
  load: () => Promise<{ default: object }>
}

export const BASE_TEMPLATES: readonly BaseTemplate[] = [
  {
    name: 'Reading list',
    about: 'Books and their authors, how far you are with each',
    load: () => import('../../templates/reading-list.json', { with: { type: 'json' } }),
  },
  {
    name: 'Customers',
    about: 'Companies, contacts, deals and what comes next',
    load: () => import('../../templates/crm.json', { with: { type: 'json' } }),
  },
  {
    name: 'Incidents',
    about: 'What broke, how bad it was, what follows from it',
    load: () => import('../../templates/incidents.json', { with: { type: 'json' } }),
  },
  {
    name: 'Research notes',
    about: 'Sources, claims and the questions they answer',
    load: () => import('../../templates/research-notes.json', { with: { type: 'json' } }),
  },
  {
    name: 'Bugs',
    about: 'What goes wrong in which part, and in which release it is mended',
    load: () => import('../../templates/bugs.json', { with: { type: 'json' } }),
  },
  {
    name: 'Household',
    about: 'Chores, things with their papers, whom to call',
    load: () => import('../../templates/household.json', { with: { type: 'json' } }),
  },
]
