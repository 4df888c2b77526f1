import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { useMayWrite } from '#web/data/may-write.ts'
import { tagCountsQuery } from '#web/data/tag-counts.ts'
import { useTags } from '#web/data/tags-query.ts'
import { useActions } from '#web/parts/action.ts'
import { Button } from '#web/parts/button.tsx'
import { EmptyState } from '#web/parts/empty-state.tsx'
import { Page, PageSection } from '#web/parts/page.tsx'
import { tagTree } from '#web/rules/tag-tree.ts'
import { TagCards } from '#web/tag/tag-cards.tsx'
import { TemplateFiles } from '#web/home/template-files.tsx'

const WHAT_A_TAG_IS =
  'A tag is a kind of thing with fields of its own, like Task or Person; an item can have several.'

/** All tags, those that extend another under it. */
export function TagsPage() {
  const tags = useTags()
  const counts = useQuery(tagCountsQuery).data
  const mayWrite = useMayWrite()
  const [, go] = useLocation()
  const add = () => go('/tags/new')
  useActions(mayWrite ? [{ id: 'tags.new', title: 'New tag', keys: 'c', group: 'Tags', run: add }] : [])
  if (!tags) return null
  const button = mayWrite && (
    <Button kind="primary" icon="plus" onClick={add}>
      New tag
    </Button>
  )
  if (!tags.length)
    return (
      <EmptyState whole icon="tag" title="No tags yet">
        <p>{WHAT_A_TAG_IS}</p>
        {button}
      </EmptyState>
    )
  return (
    <Page title="Tags" lead={WHAT_A_TAG_IS} actions={button}>
      <TagCards nodes={tagTree(tags)} counts={counts} mayWrite={mayWrite} />
      <PageSection
        title="As a template"
        lead="The tags, the shared views and a few items of each tag, as one file that another base begins with."
      >
        <TemplateFiles maySave mayWrite={mayWrite} />
      </PageSection>
    </Page>
  )
}
