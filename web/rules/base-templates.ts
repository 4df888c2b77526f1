import type { WHOLE_TEMPLATES } from '#web/rules/whole-templates.ts'

/** A base to begin with: its tags, views and samples come when it is chosen (`templates/`). */
export interface BaseTemplate {
  name: string
  about: string
  whole: keyof typeof WHOLE_TEMPLATES
}

export const BASE_TEMPLATES: readonly BaseTemplate[] = [
  { name: 'Reading list', about: 'Books and their authors, how far you are with each', whole: 'readingList' },
  { name: 'Customers', about: 'Companies, contacts, deals and what comes next', whole: 'crm' },
  { name: 'Incidents', about: 'What broke, how bad it was, what follows from it', whole: 'incidents' },
  {
    name: 'Research notes',
    about: 'Sources, claims and the questions they answer',
    whole: 'researchNotes',
  },
  {
    name: 'Bugs',
    about: 'What goes wrong in which part, and in which release it is mended',
    whole: 'bugs',
  },
  { name: 'Household', about: 'Chores, things with their papers, whom to call', whole: 'household' },
]

/** As a file has it. A JSON that is loaded by itself would come with a part of its own at the start. */
export async function wholeTemplate({ whole }: BaseTemplate): Promise<object> {
  const { WHOLE_TEMPLATES } = await import('#web/rules/whole-templates.ts')
  return WHOLE_TEMPLATES[whole]
}
