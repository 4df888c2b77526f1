import { useState } from 'react'
import { useActions } from '#web/parts/action.ts'
import { Button } from '#web/parts/button.tsx'
import type { BulkBarProps, BulkKind } from '#web/bulk/bulk-props.ts'
import { useIfSettled } from '#web/parts/unsettled.ts'
import { loadedDialog } from '#web/parts/loaded-dialog.tsx'

const BulkDialog = loadedDialog(() =>
  import('#web/bulk/bulk-dialog.tsx').then(({ BulkDialog }) => BulkDialog),
)

const ACTIONS = [
  ['set', 'edit', 'Set field'],
  ['add', 'tag', 'Add tag'],
  ['remove', 'close', 'Remove tag'],
  ['delete', 'trash', 'Delete'],
] as const

/** What can be done with the items that are selected; each says first what it would change. */
export function BulkBar(props: BulkBarProps) {
  const [kind, setKind] = useState<BulkKind | null>(null)
  const ifSettled = useIfSettled()
  // Those that are selected by name are meant whatever the conditions say.
  const open = (each: BulkKind) => (props.all ? ifSettled(() => setKind(each)) : setKind(each))
  // In a table Tab goes from cell to cell: by keys these are nearest in the palette.
  useActions(
    ACTIONS.map(([each, , label]) => ({
      id: `bulk.${each}`,
      title: `${label} of the selected items`,
      group: 'Table',
      run: () => open(each),
    })),
  )
  return (
    <>
      {ACTIONS.map(([each, icon, label]) => (
        <Button
          key={each}
          kind={each === 'delete' ? 'danger' : 'plain'}
          icon={icon}
          onClick={() => open(each)}
        >
          {label}
        </Button>
      ))}
      {kind && <BulkDialog key={kind} {...props} kind={kind} onClose={() => setKind(null)} />}
    </>
  )
}
