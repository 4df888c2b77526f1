import { useItemName } from '#web/data/item-names.ts'

const QUOTED = /("(?:[^"\\]|\\.)*")/
const ID = /^"([0-7][0-9A-HJKMNP-TV-Z]{25})"$/

/**
 * A clause of the service's, with the names of items in place of their ids. What somebody typed is apart: signs in it
 * that turn the writing direction turn nothing behind it.
 */
export function Words({ text }: { text: string }) {
  const parts = text.split(QUOTED)
  return parts.map((part, i) => {
    const key = `${i} ${part}`
    const [, item_id] = ID.exec(part) ?? []
    if (item_id !== undefined) return <Name key={key} item_id={item_id} />
    return i % 2 ? <bdi key={key}>{part}</bdi> : part
  })
}

function Name({ item_id }: { item_id: string }) {
  const name = useItemName(item_id)
  return <bdi>“{name ?? (name === null ? `${item_id} (deleted)` : item_id)}”</bdi>
}
