import { useTagFace } from '#web/parts/tag-faces.ts'
import { FaceSign } from '#web/parts/tag-sign.tsx'
import css from '#web/parts/tag-pill.module.css'

interface TagPillProps {
  name: string
  /** Where it is known. */
  tag_id?: string | undefined
}

/** A tag that something has: its sign and its name, in its colour. */
export function TagPill({ name, tag_id = name }: TagPillProps) {
  const face = useTagFace(tag_id, name)
  return (
    <span className={css.pill} data-hue={face.hue ?? undefined}>
      {face.sign && <FaceSign face={face} size="bare" />}
      <span className={css.name}>{name}</span>
    </span>
  )
}
