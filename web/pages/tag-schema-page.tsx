import { useEffect, useMemo, useState } from 'react'
import { Link, useLocation, useParams, useSearchParams } from 'wouter'
import { useMayWrite } from '#web/data/may-write.ts'
import { type Tag, useTags } from '#web/data/tags-query.ts'
import { Button } from '#web/parts/button.tsx'
import { EmptyState } from '#web/parts/empty-state.tsx'
import { loadedDialog } from '#web/parts/loaded-dialog.tsx'
import { Page } from '#web/parts/page.tsx'
import { FaceSign, TagSign } from '#web/parts/tag-sign.tsx'
import { HUES } from '#web/rules/hues.ts'
import { faceOf } from '#web/rules/tag-face.ts'
import { draftOf, emptyDraft, newDraft, type TagAsGiven } from '#web/rules/tag-draft.ts'
import { TAG_TEMPLATES } from '#web/rules/tag-templates.ts'
import { DeletedTagNote } from '#web/tag/deleted-tag-note.tsx'
import { OutdatedValues } from '#web/tag/outdated-values.tsx'
import { TagEditor } from '#web/tag/tag-editor.tsx'
import css from '#web/pages/tag-schema-page.module.css'

const DeleteTag = loadedDialog(() => import('#web/tag/delete-tag.tsx').then(({ DeleteTag }) => DeleteTag))

/** A tag's fields: `/tags/:id/schema`. */
export function TagSchemaPage() {
  const { id } = useParams<{ id: string }>()
  const tags = useTags()
  const mayWrite = useMayWrite()
  const found = tags?.find(({ tag_id }) => tag_id === id.toUpperCase())
  // One that is deleted while it is open is not taken out of somebody's hands.
  const [last, setLast] = useState(found)
  if (found && found !== last) setLast(found)
  if (!tags) return null
  const tag = found ?? (last?.tag_id === id.toUpperCase() ? last : undefined)
  if (!tag)
    return (
      <EmptyState whole icon="search" title="There is no such tag">
        <p>
          It may have been deleted: look in the <Link href="/trash">trash</Link>.
        </p>
        <Link href="/tags">All tags</Link>
      </EmptyState>
    )
  return <Schema key={tag.tag_id} tag={tag} isGone={!found} tags={tags} mayWrite={mayWrite} />
}

interface SchemaProps {
  tag: Tag
  /** It was deleted since it was opened. */
  isGone: boolean
  tags: readonly Tag[]
  mayWrite: boolean
}

function Schema({ tag, isGone, tags, mayWrite }: SchemaProps) {
  const [, go] = useLocation()
  const [isDeleting, setDeleting] = useState(false)
  useEffect(() => {
    document.title = `Fields of ${tag.name} · Facet`
  }, [tag.name])
  return (
    <Page
      title={tag.name}
      sign={<TagSign tag={tag.tag_id} size="m" />}
      narrow
      lead={
        mayWrite
          ? 'What an item with this tag can hold. Saving shows first what it would do.'
          : 'You may read this base, not change it.'
      }
      actions={
        !isGone && (
          <>
            <Button icon="items" onClick={() => go(`/tags/${tag.tag_id}`)}>
              Items
            </Button>
            {mayWrite && (
              <>
                <Button icon="copy" onClick={() => go(`/tags/new?like=${tag.tag_id}`)}>
                  Duplicate
                </Button>
                <Button icon="trash" onClick={() => setDeleting(true)}>
                  Delete
                </Button>
              </>
            )}
          </>
        )
      }
    >
      {isGone ? (
        <DeletedTagNote tag={tag} mayWrite={mayWrite} />
      ) : (
        <OutdatedValues tag={tag} mayWrite={mayWrite} />
      )}
      <TagEditor tag={tag} initial={draftOf(tag)} tags={tags} mayWrite={mayWrite} onSaved={() => {}} />
      {isDeleting && <DeleteTag tag={tag} onClose={() => setDeleting(false)} />}
    </Page>
  )
}

/** A new tag, empty, from a template or like another: `/tags/new`. */
export function NewTagPage() {
  const tags = useTags()
  const mayWrite = useMayWrite()
  const [, go] = useLocation()
  const [query] = useSearchParams()
  const template = TAG_TEMPLATES.find(({ id }) => id === query.get('template'))
  const like = tags?.find(({ tag_id }) => tag_id === query.get('like'))
  const initial = useMemo(
    () => begun(template?.tag ?? (like && { ...like, name: `${like.name} (copy)` })),
    [template, like],
  )
  if (!tags) return null
  if (!mayWrite)
    return (
      <Page title="New tag" narrow>
        <p>You may read this base, not change it.</p>
      </Page>
    )
  return (
    <Page
      title="New tag"
      narrow
      lead="A kind of thing with fields of its own. Fields can be added, renamed and changed at any time."
    >
      {!template && !like && <Templates tags={tags} />}
      <TagEditor
        key={template?.id ?? like?.tag_id ?? 'empty'}
        tag={null}
        initial={initial}
        tags={tags}
        mayWrite
        onSaved={({ tag_id }) => go(`/tags/${tag_id}`)}
      />
    </Page>
  )
}

const begun = (given: TagAsGiven | undefined) => (given ? newDraft(given) : emptyDraft())

/** Those whose names are not taken. */
function Templates({ tags }: { tags: readonly Tag[] }) {
  const free = TAG_TEMPLATES.filter(({ tag }) => !tags.some(({ name }) => name === tag.name))
  if (!free.length) return null
  return (
    <nav className={css.templates} aria-label="Templates">
      <span>Begin with</span>
      {free.map(({ id, about, tag }, i) => (
        <Link key={id} href={`/tags/new?template=${id}`} className={css.template} title={about}>
          <FaceSign face={faceOf(tag, (5 * i) % HUES.length)} size="bare" /> {tag.name}
        </Link>
      ))}
    </nav>
  )
}
