import { type KeyboardEvent, type PointerEvent, useId, useState } from 'react'
import css from '#web/chart/charts.module.css'

const HEIGHT = 64
const STEP = 10

interface Part {
  key: string
  name: string
  count: number
}

interface StripProps {
  label: string
  parts: readonly Part[]
  /** Under the middle, as long as nothing is marked. */
  note: string
  onPick: (first: string, last: string) => void
}

/** From where to where, as it was marked; `at` moves. */
interface Marked {
  anchor: number
  at: number
}

/** Columns in a row. Some of them in a row are picked: by a click, a drag, or arrows, Shift and Enter. */
export function Strip({ label, parts, note, onPick }: StripProps) {
  const id = useId()
  const [marked, setMarked] = useState<Marked>()
  const most = Math.max(1, ...parts.map(({ count }) => count))
  const [first, last] = marked ? [Math.min(marked.anchor, marked.at), Math.max(marked.anchor, marked.at)] : []
  const chosen = first === undefined ? [] : parts.slice(first, last! + 1)
  const pick = () => {
    if (chosen.length) onPick(chosen[0]!.key, chosen.at(-1)!.key)
    setMarked(undefined)
  }
  const onKey = (event: KeyboardEvent) => {
    const to = placeOfKey(event.key, marked?.at, parts.length)
    if (to !== undefined) setMarked({ anchor: event.shiftKey && marked ? marked.anchor : to, at: to })
    else if (event.key === 'Enter' || event.key === ' ') pick()
    else if (event.key === 'Escape' && marked) setMarked(undefined)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div>
      <svg
        className={css.strip}
        viewBox={`0 0 ${Math.max(parts.length, 1) * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="listbox"
        aria-label={label}
        aria-multiselectable
        aria-orientation="horizontal"
        aria-activedescendant={marked && `${id}${marked.at}`}
        tabIndex={0}
        onKeyDown={onKey}
        onBlur={() => setMarked(undefined)}
        onPointerDown={(event) => {
          const at = placeOf(event)
          if (at !== undefined && event.button === 0) setMarked({ anchor: at, at })
        }}
        onPointerOver={(event) => {
          const at = placeOf(event)
          if (at !== undefined && event.buttons === 1 && marked) setMarked({ ...marked, at })
        }}
        onPointerUp={pick}
      >
        {parts.map(({ key, name, count }, i) => {
          const height = Math.max(2, (HEIGHT * count) / most)
          return (
            <g
              key={key}
              id={`${id}${i}`}
              role="option"
              aria-label={`${name}: ${count.toLocaleString()}`}
              aria-selected={first !== undefined && i >= first && i <= last!}
              data-part={i}
              className={css.part}
            >
              <title>{`${name}: ${count.toLocaleString()}`}</title>
              <rect className={css.ground} x={i * STEP} width={STEP} height={HEIGHT} />
              <rect
                className={css.month}
                x={i * STEP + 1}
                y={HEIGHT - height}
                width={STEP - 2}
                height={height}
              />
            </g>
          )
        })}
      </svg>
      <p className={css.ends}>
        <span>{parts[0]?.name ?? 'Nothing has a date'}</span>
        <span>{chosen.length ? words(chosen) : note}</span>
        <span>{parts.length > 1 && parts.at(-1)!.name}</span>
      </p>
    </div>
  )
}

function placeOf({ target }: PointerEvent): number | undefined {
  const part = (target as Element).closest<SVGElement>('[data-part]')?.dataset['part']
  return part === undefined ? undefined : Number(part)
}

/** Where a key leads; the first one marks the newest. */
function placeOfKey(key: string, at: number | undefined, count: number): number | undefined {
  if (!count) return undefined
  const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 }
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  const step = steps[key]
  if (step === undefined) return undefined
  return at === undefined ? count - 1 : Math.min(count - 1, Math.max(0, at + step))
}

/** `Feb 2026 – Apr 2026: 12. Enter shows only these` */
function words(chosen: readonly Part[]): string {
  const count = chosen.reduce((sum, each) => sum + each.count, 0)
  const names = [...new Set([chosen[0]!.name, chosen.at(-1)!.name])].join(' – ')
  return `${names}: ${count.toLocaleString()}. Enter shows only these`
}
