import { useMemo } from 'react'
import { useTags } from '#web/data/tags-query.ts'
import { type Face, tagFaces } from '#web/rules/tag-face.ts'

/** The faces of all tags, by id and by name. */
export function useTagFaces(): ReadonlyMap<string, Face> {
  const tags = useTags()
  return useMemo(() => tagFaces(tags ?? []), [tags])
}
