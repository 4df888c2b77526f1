import { isRecord } from '#src/domain/is-record.ts'

/** Where a link begins or ends, and a picture, as descriptions have them. */
const MARK = /<(?:img|a|\/a)(?=[\s/>])[^<>]*>/gi
const OF_BASE = /(\s(?:href|src)\s*=\s*["']?)\/(items|api\/files)\/([0-7][0-9A-HJKMNP-TV-Z]{25})(?![0-9A-Z])/i
const TO_ITEM = /(\shref\s*=\s*["']?\/items\/)([^"'\s<>?#]+)/i

/** A description that means the same in another base: links to items by their refs; to others, and to files, none. */
export function withRefs(html: string, refs: ReadonlyMap<string, string>): string {
  let isLeftOut = false
  return html.replaceAll(MARK, (mark) => {
    const isPicture = /^<img/i.test(mark)
    if (mark.startsWith('</')) {
      const end = isLeftOut ? '' : mark
      isLeftOut = false
      return end
    }
    const [found, attribute, kind, id] = OF_BASE.exec(mark) ?? []
    const ref = kind?.toLowerCase() === 'items' ? refs.get(id!.toUpperCase()) : undefined
    const stays = found === undefined || ref !== undefined
    if (!isPicture) isLeftOut = !stays
    if (!stays) return ''
    if (ref === undefined) return mark
    return mark.replace(OF_BASE, () => `${attribute}/items/${encodeURIComponent(ref)}`)
  })
}

/** The ids that items of a template got, by what stands for their refs in links: the refs themselves, or escaped. */
export const idsByAddress = (ids: readonly (readonly [ref: string, id: string])[]): Map<string, string> =>
  new Map(ids.flatMap(([ref, id]) => [ref, encodeURIComponent(ref)].map((to) => [to, id])))

/** With ids for the refs of its links. */
export function withIdsOfRefs(html: string, byAddress: ReadonlyMap<string, string>): string {
  return html.replaceAll(MARK, (mark) =>
    mark.replace(TO_ITEM, (link, before: string, ref: string) => {
      const id = byAddress.get(ref)
      return id === undefined ? link : before + id
    }),
  )
}

/** Settings of a view that is a template of items (decision 151), with another text of its description. */
export function withDescription(
  settings: Record<string, unknown>,
  change: (html: string) => string,
): Record<string, unknown> {
  const { template } = settings
  if (!isRecord(template) || typeof template['description'] !== 'string') return settings
  return { ...settings, template: { ...template, description: change(template['description']) } }
}
