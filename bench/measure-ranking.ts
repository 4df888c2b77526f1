import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bulkCreate } from '#src/operations/items/bulk-create.ts'
import { searchItems } from '#src/operations/items/search-items.ts'
import type { Report } from '#bench/report.ts'
import { MAP, NDCG } from '#bench/targets.ts'
import { openBase } from '#test/support/base.ts'

/** Where the collection is, unless RANKING_DATA says otherwise; it is none of the project's. */
const FOLDER = '../shared/data/cranfield'
/** Items that are ranked for each question. */
const PAGE = 1000
/** Of how many the gains are added. */
const FIRST = 10
/** The code of a judgement is a gain of so much less it; no gain has the code -1. */
const HIGHEST_CODE = 5

/**
 * How well searches for any of some words rank: the Cranfield collection, titles as names, texts as descriptions, its
 * 225 questions as they are. Mean average precision and nDCG of the first ten.
 */
export async function measureRanking(report: Report): Promise<void> {
  const folder = process.env.RANKING_DATA ?? FOLDER
  if (!existsSync(join(folder, 'cran.qry'))) {
    process.stdout.write(`ranking: no collection in ${folder}; RANKING_DATA names its folder\n`)
    return
  }
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  const documents = documentsOf(read('cran.all.1400'))
  const gains = gainsOf(read('cranqrel'))
  const base = await openBase()
  try {
    const items = documents.map(({ name, description }) => ({ name, description }))
    const ids = await base.run(bulkCreate, { items })
    const numbers = new Map(ids.map(({ item_id }, i) => [item_id, documents[i]!.number]))
    let [map, ndcg] = [0, 0]
    const questions = questionsOf(read('cran.qry'))
    for (const [i, text] of questions.entries()) {
      const filter = { search: { text, match: 'any' } }
      const found = await base.run(searchItems, { filter, limit: PAGE, fields: ['item_id'] })
      const ranked = found.map(({ item_id }) => numbers.get(item_id)!)
      map += averagePrecision(ranked, gains.get(i + 1)!) / questions.length
      ndcg += gainOfFirst(ranked, gains.get(i + 1)!) / questions.length
    }
    const figure = { items: documents.length, unit: '' }
    report.atLeast({ ...figure, what: 'ranking: mean average precision', value: map }, MAP)
    report.atLeast({ ...figure, what: 'ranking: nDCG of the first ten', value: ndcg }, NDCG)
  } finally {
    base.close()
  }
}

interface Document {
  number: number
  name: string
  description: string
}

const joined = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

function documentsOf(text: string): Document[] {
  return text
    .split(/^\.I /m)
    .slice(1)
    .map((entry) => {
      const section = (letter: string) =>
        joined(new RegExp(`^\\.${letter}\\n([^]*?)(?=^\\.[A-Z]\\n|(?![^]))`, 'm').exec(entry)?.[1] ?? '')
      return {
        number: Number.parseInt(entry, 10),
        name: section('T') || '-',
        description: escaped(section('W')),
      }
    })
}

/** In their order: judgements name them by it. */
const questionsOf = (text: string): string[] =>
  text
    .split(/^\.I /m)
    .slice(1)
    .map((entry) => joined(entry.slice(entry.indexOf('.W\n') + 3)))

/** By question, the gains of documents. */
function gainsOf(text: string): Map<number, Map<number, number>> {
  const gains = new Map<number, Map<number, number>>()
  for (const line of text.trim().split('\n')) {
    const [question, document, code] = line.trim().split(/\s+/).map(Number)
    if (code === -1) continue
    const own = gains.get(question!) ?? gains.set(question!, new Map()).get(question!)!
    own.set(document!, HIGHEST_CODE - code!)
  }
  return gains
}

function averagePrecision(ranked: readonly number[], gains: ReadonlyMap<number, number>): number {
  let [met, sum] = [0, 0]
  for (const [i, document] of ranked.entries()) if (gains.has(document)) sum += ++met / (i + 1)
  return sum / gains.size
}

const discounted = (gains: readonly number[]): number =>
  gains.slice(0, FIRST).reduce((sum, gain, i) => sum + gain / Math.log2(i + 2), 0)

const gainOfFirst = (ranked: readonly number[], gains: ReadonlyMap<number, number>): number =>
  discounted(ranked.map((document) => gains.get(document) ?? 0)) /
  discounted([...gains.values()].toSorted((a, b) => b - a))
