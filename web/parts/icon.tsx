import { memo } from 'react'
import { ICON_PATHS, type IconName } from '#web/parts/icon-paths.ts'

export type { IconName }

/** A drawing of 16 px; what it means is said by the text next to it, or by the label of its button. */
export const Icon = memo(({ name, size = 16 }: { name: IconName; size?: number }) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth={size >= 24 ? 1.75 : 2}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden
    focusable={false}
  >
    {ICON_PATHS[name].map((path) => (
      <path key={path} d={path} />
    ))}
  </svg>
))
