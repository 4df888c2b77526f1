import { memo } from 'react'
import { SIGN_PATHS } from '#web/parts/sign-paths.ts'
import { useTagFace } from '#web/parts/tag-faces.ts'
import type { Face } from '#web/rules/tag-face.ts'
import css from '#web/parts/tag-sign.module.css'

/** `s` in lines, `m` next to a heading, `l` over a page; `bare` in what is tinted already. */
type Size = 'bare' | 's' | 'm' | 'l'

interface TagSignProps {
  /** Id or name of the tag. */
  tag: string
  size?: Size
}

interface FaceSignProps {
  face: Face
  size?: Size
}

/** A tag's sign in its colour; the name is next to it. */
export function TagSign({ tag, size = 's' }: TagSignProps) {
  return <FaceSign face={useTagFace(tag)} size={size} />
}

export const FaceSign = memo(({ face: { sign, letter, hue }, size = 's' }: FaceSignProps) => {
  const drawn = sign ?? (letter ? null : 'tag')
  return (
    // The letter is drawn, not written: whoever copies or reads the name aloud has it once.
    <span
      className={`${css.sign} ${css[size]}`}
      data-hue={hue ?? undefined}
      data-letter={drawn ? undefined : letter}
      aria-hidden
    >
      {drawn && (
        <svg viewBox="0 0 24 24" focusable={false}>
          {SIGN_PATHS[drawn].map((path) => (
            <path key={path} d={path} />
          ))}
        </svg>
      )}
    </span>
  )
})
