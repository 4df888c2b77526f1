import { createContext, useContext } from 'react'
import { type Face, unknownFace } from '#web/rules/tag-face.ts'

/** The faces of all tags, by id and by name, for whatever is in the page. */
export const TagFaces = createContext<ReadonlyMap<string, Face>>(new Map())

/** @param tag its id or its name @param name where the tag may be unknown: deleted, or not for this reader */
export function useTagFace(tag: string, name = tag): Face {
  return useContext(TagFaces).get(tag) ?? unknownFace(name)
}
