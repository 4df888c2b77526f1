import { useItemName } from '#web/data/item-names.ts'

const ID = /"([0-7][0-9A-HJKMNP-TV-Z]{25})"/

/** A clause of the service's, with the names of items in place of their ids. */
export function Words({ text }: { text: string }) {
  const parts = text.split(ID)
  return parts.map((part, i) => (i % 2 ? <Name key={`${i} ${part}`} item_id={part} /> : part))
}

function Name({ item_id }: { item_id: string }) {
  const name = useItemName(item_id)
  return <>“{name ?? (name === null ? `${item_id} (deleted)` : item_id)}”</>
}
