import { keyNames } from '#web/parts/action.ts'

/** `mod+k` as keys to press. */
export function Keys({ keys }: { keys: string }) {
  return (
    <span style={{ display: 'inline-flex', gap: 3, whiteSpace: 'nowrap' }}>
      {keyNames(keys).map((name, i) => (
        // oxlint-disable-next-line react/no-array-index-key -- the same key may come twice
        <kbd key={i}>{name}</kbd>
      ))}
    </span>
  )
}
