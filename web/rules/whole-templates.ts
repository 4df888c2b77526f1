import bugs from '../../templates/bugs.json' with { type: 'json' }
import crm from '../../templates/crm.json' with { type: 'json' }
import household from '../../templates/household.json' with { type: 'json' }
import incidents from '../../templates/incidents.json' with { type: 'json' }
import readingList from '../../templates/reading-list.json' with { type: 'json' }
import researchNotes from '../../templates/research-notes.json' with { type: 'json' }

/** The templates themselves, 13 KB together: loaded when one is chosen. */
export const WHOLE_TEMPLATES = { bugs, crm, household, incidents, readingList, researchNotes }
