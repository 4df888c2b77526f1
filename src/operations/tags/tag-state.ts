import { tagReply } from '#src/operations/tags/tag-reply.ts'
import type { Conditional } from '#src/runtime/operation.ts'
import { findTagById } from '#src/storage/tags/tags.ts'

/** A change that is meant for one state of a tag (additions §5). */
export const tagState: Conditional = {
  async present({ db }, { tag_id }) {
    const tag = await findTagById(db, String(tag_id))
    return tag && JSON.parse(tagReply(tag).json)
  },
}
