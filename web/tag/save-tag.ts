import type { QueryClient } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import { Fault, toFault } from '#web/api/fault.ts'
import { createTag, updateTag } from '#web/api/operations.ts'
import { type Tag, tagsQuery } from '#web/data/tags-query.ts'
import { keepChange } from '#web/data/undo-change.ts'
import { undoLast } from '#web/data/undo-stack.ts'
import { toast } from '#web/parts/toast.tsx'
import { byName } from '#web/rules/by-name.ts'
import { fieldsOf, lookToWrite, type TagChange, type TagDraft } from '#web/rules/tag-draft.ts'

interface Saved {
  tag: Tag
  /** What is shown of the base is asked anew. */
  renew: () => Promise<unknown>
}

/** Makes the tag, or changes the one that is there as long as nobody else has; it can be taken back. */
export async function saveTag(
  client: QueryClient,
  { tag, draft, change }: { tag: Tag | null; draft: TagDraft; change: TagChange },
): Promise<Saved | Fault> {
  const saved = await (
    tag
      ? call(updateTag, { tag_id: tag.tag_id, ...change }, { headers: { 'if-match': `"${tag.updated_at}"` } })
      : call(createTag, newTag(draft))
  ).catch(toFault)
  if (saved instanceof Fault) return saved
  const renew = () => client.invalidateQueries()
  const words = tag ? `Changed the tag ${saved.data.name}` : `Made the tag ${saved.data.name}`
  keepChange(words, saved.change_id, renew)
  toast({ text: words, action: { label: 'Undo', run: () => void undoLast() } })
  client.setQueryData(tagsQuery.queryKey, (all) => replaced(all, saved.data))
  return { tag: saved.data, renew }
}

const newTag = (draft: TagDraft) => ({
  name: draft.name.trim(),
  ...(draft.description.trim() && { description: draft.description.trim() }),
  fields: { ...fieldsOf(draft) },
  ...(draft.extends.length && { extends: [...draft.extends] }),
  ...(lookToWrite(draft) && { look: lookToWrite(draft) }),
})

function replaced(all: Tag[] | undefined, tag: Tag): Tag[] {
  const others = (all ?? []).filter(({ tag_id }) => tag_id !== tag.tag_id)
  return [...others, tag].toSorted((a, b) => byName(a.name, b.name))
}
