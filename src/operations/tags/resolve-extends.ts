import type { Problem } from '#src/domain/errors.ts'
import type { Db } from '#src/sql/query.ts'
import type { TagBase } from '#src/storage/tags/tag-bases.ts'
import { findTag, missingTag } from '#src/storage/tags/tags.ts'

/** The tags that `extends` names by id or name, and what is wrong with it. */
export async function resolveExtends(
  db: Db,
  names: readonly string[],
  path = 'extends',
): Promise<{ bases: TagBase[]; problems: Problem[] }> {
  const bases = new Map<number, TagBase>()
  const problems: Problem[] = []
  for (const [i, name] of names.entries()) {
    const tag = await findTag(db, name)
    if (!tag) {
      const { message, suggestion } = await missingTag(db, name)
      problems.push({ path: `${path}[${i}]`, message: suggestion ? `${message}. ${suggestion}` : message })
    } else if (bases.has(tag.id))
      problems.push({ path: `${path}[${i}]`, message: `the tag '${tag.name}' appears here twice` })
    else bases.set(tag.id, { id: tag.id, tag_id: tag.tag_id, name: tag.name })
  }
  return { bases: [...bases.values()], problems }
}
