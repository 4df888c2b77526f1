import type { Sign } from '#src/domain/tag-look.ts'

/** What things are often called, by the sign that says it. */
const WORDS: Readonly<Partial<Record<Sign, string>>> = {
  bell: 'alert notification reminder',
  book: 'book article chapter reading library publication lesson course subject recipe',
  bookmark: 'bookmark source quote reference',
  box: 'product package stock inventory asset order delivery part',
  briefcase: 'job application position case client customer account matter',
  bug: 'bug defect issue problem',
  building: 'company organisation organization firm supplier vendor office property department',
  calendar: 'event meeting appointment booking holiday conference date session',
  camera: 'photo shot recording',
  car: 'car vehicle trip drive',
  chart: 'report metric measure kpi survey result statistic',
  chat: 'message conversation comment feedback interview call discussion',
  check: 'task todo action step checklist',
  clock: 'shift timesheet deadline schedule',
  code: 'repository script function api',
  coffee: 'cafe restaurant drink',
  cube: 'component model object device equipment',
  database: 'dataset database table record',
  file: 'document file contract note page paper letter policy',
  flag: 'milestone goal release country',
  flask: 'experiment test sample study trial',
  folder: 'project folder collection portfolio programme program',
  gift: 'gift present',
  globe: 'website site domain language region',
  heart: 'favourite favorite wish patient',
  home: 'home house room apartment',
  image: 'image picture design',
  key: 'key password credential licence license',
  leaf: 'plant species garden animal',
  lightbulb: 'idea insight hypothesis decision concept',
  list: 'list backlog requirement',
  mail: 'mail email newsletter campaign',
  map: 'place location city venue address route',
  money: 'deal invoice payment expense budget opportunity sale price offer quotation',
  music: 'song album artist band track',
  people: 'team group family member people guest audience',
  person: 'person contact employee user candidate student teacher author lead',
  phone: 'phone',
  plane: 'travel flight journey',
  rocket: 'launch startup sprint',
  server: 'server host service system',
  shield: 'risk control incident audit',
  star: 'review rating highlight movie film show',
  tag: 'tag label category topic keyword',
  target: 'target objective okr strategy',
  tool: 'tool machine repair maintenance ticket',
  truck: 'shipment transport',
  warning: 'warning hazard',
}

const BY_WORD = new Map(
  Object.entries(WORDS).flatMap(([sign, words]) => words.split(' ').map((word) => [word, sign as Sign])),
)

/** The sign of a tag's name, by the last of its words that says one: a "Project task" is a task. */
export function signOfName(name: string): Sign | null {
  const words = name.toLowerCase().match(/\p{L}+/gu) ?? []
  return words.reduce<Sign | null>((found, word) => singular(word) ?? found, null)
}

function singular(word: string): Sign | undefined {
  const forms = [word, word.replace(/s$/, ''), word.replace(/es$/, ''), word.replace(/ies$/, 'y')]
  return forms.map((form) => BY_WORD.get(form)).find(Boolean)
}
