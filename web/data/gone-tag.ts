import { useQuery } from '@tanstack/react-query'
import { trashTagsQuery } from '#web/data/trash-query.ts'

const NOT_FOUND = /^Tag '([0-7][0-9A-HJKMNP-TV-Z]{25})' not found$/

const wordsOf = (name: string | undefined): string =>
  name === undefined ? 'a deleted tag' : `the deleted tag “${name}”`

/** A tag that is not there any more, by its name as long as it can be restored. */
export function useGoneTag(tag_id: string): string {
  const { data } = useQuery(trashTagsQuery)
  return wordsOf(data?.find(({ id }) => id === tag_id)?.name)
}

/** Faults of a question as the service says them, but for a tag that a person knows by its name alone. */
export function useFaultWords(
  faults: readonly { message: string; suggestion?: string | undefined }[],
): readonly string[] {
  const gone = faults.map(({ message }) => NOT_FOUND.exec(message)?.[1])
  const { data } = useQuery({ ...trashTagsQuery, enabled: gone.some((id) => id !== undefined) })
  return faults.map(({ message, suggestion }, i) => {
    if (gone[i] === undefined) return suggestion ? `${message}. ${suggestion}` : message
    const words = wordsOf(data?.find(({ id }) => id === gone[i])?.name)
    return `It asks for ${words}. Restore it in the trash, or take the condition away`
  })
}
