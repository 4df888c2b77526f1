import { loaded } from '#web/parts/loaded.tsx'

/** The item next to a list or a conversation, loaded with the first one that is opened. */
export const LaterItemBeside = loaded(
  () => import('#web/pages/item-beside.tsx').then(({ ItemBeside }) => ItemBeside),
  () => <aside aria-label="Item" />,
)
