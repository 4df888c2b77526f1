import { Slot } from '#web/store.ts'

/** Saves what is not saved yet; false where it could not be. */
type Save = () => Promise<boolean>

const saves = new Slot<readonly Save[]>('unsaved', 'page', () => [])

/** Whatever is saved only a while after it is typed says so here for as long as that is so. */
export function beforeSignOut(save: Save): () => void {
  saves.update((all) => [...all, save])
  return () => saves.update((all) => all.filter((each) => each !== save))
}

/** Whether all that was typed is saved now. */
export async function saveEverything(): Promise<boolean> {
  const saved = await Promise.all(saves.get().map((save) => save()))
  return saved.every(Boolean)
}
