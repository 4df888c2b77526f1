import { useItemName } from '#web/data/item-names.ts'
import type { PathChange } from '#web/data/changes-query.ts'
import { Icon } from '#web/parts/icon.tsx'
import { Name } from '#web/parts/name.tsx'
import { WordChanges } from '#web/parts/word-changes.tsx'
import { valueWords, withoutMarkup } from '#web/rules/change-words.ts'
import css from '#web/history/value-change.module.css'

interface ValueChangeProps {
  change: PathChange
  /** What it was is not shown. */
  only?: boolean
}

/** One value: what it was and what it became; descriptions by word. */
export function ValueChange({ change: { path, old, new: now }, only = false }: ValueChangeProps) {
  const isOne = (old ?? null) === null || (now ?? null) === null
  const isText = path === 'name' || path === 'description'
  const isTag = !only && isOne && !isText && !path.includes('.') && !Array.isArray(old ?? now)
  return (
    <div className={css.change}>
      <span className={css.path}>
        <Name of={path} />
      </span>
      {path === 'description' && typeof old === 'string' && typeof now === 'string' ? (
        <WordChanges before={withoutMarkup(old)} after={withoutMarkup(now)} />
      ) : isTag ? (
        <TagValues old={old} now={now} />
      ) : (
        <span className={css.values}>
          {!only && (
            <>
              <Value value={plain(path, old)} isOld />
              <Icon name="arrow_right" />
            </>
          )}
          <Value value={plain(path, now)} />
        </span>
      )}
    </div>
  )
}

/** Descriptions alone have markup; elsewhere `<b>` is what somebody wrote. */
const plain = (path: string, value: unknown) =>
  path === 'description' && typeof value === 'string' ? withoutMarkup(value) : value

/** A tag that came or went, with the values it had. */
function TagValues({ old, now }: { old: unknown; now: unknown }) {
  const values = Object.entries((now ?? old ?? {}) as Record<string, unknown>).filter(
    ([, value]) => value !== null,
  )
  return (
    <span className={css.values}>
      {now === null ? 'taken off' : 'given'}
      {values.map(([field, value]) => (
        <span key={field} className={css.pair}>
          {field}: <Value value={value} />
        </span>
      ))}
    </span>
  )
}

function Value({ value, isOld = false }: { value: unknown; isOld?: boolean }) {
  const words = valueWords(value)
  if (!words.length) return <span className={css.nothing}>nothing</span>
  return (
    <span className={isOld ? css.old : css.now}>
      {words.map(({ text, item_id }, i) => (
        // oxlint-disable-next-line react/no-array-index-key -- values in their order
        <span key={i}>
          {i > 0 && ', '}
          {item_id ? <Referred item_id={item_id} /> : <Name of={text} />}
        </span>
      ))}
    </span>
  )
}

function Referred({ item_id }: { item_id: string }) {
  const name = useItemName(item_id.toUpperCase())
  return name === null ? <s title={item_id}>deleted item</s> : <Name of={name ?? item_id} />
}
