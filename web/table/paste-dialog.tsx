import { Button } from '#web/parts/button.tsx'
import { Dialog } from '#web/parts/dialog.tsx'
import { cellValue } from '#web/rules/cell-value.ts'
import { CellView } from '#web/table/cell-view.tsx'
import type { Pasted } from '#web/table/use-clipboard.ts'
import css from '#web/table/paste-dialog.module.css'

/** Shown before the rest, which is said as a number. */
const SHOWN = 200

interface PasteDialogProps {
  pasted: readonly Pasted[]
  /** Rows of what was copied for which there is none here. */
  below: number
  /** Columns of it. */
  beyond: number
  onApply: () => void
  onClose: () => void
}

/** What a paste would change, before it does. */
export function PasteDialog({ pasted, below, beyond, onApply, onClose }: PasteDialogProps) {
  const changes = pasted.filter(
    ({ row, column, value, fault }) => fault || !same(cellValue(column, row), value),
  )
  const right = changes.filter(({ fault }) => !fault)
  const wrong = changes.filter(({ fault }) => fault)
  const items = new Set(right.map(({ row }) => row.item_id)).size
  const shown = [...wrong, ...right].slice(0, SHOWN)
  return (
    <Dialog
      title="Paste"
      width="wide"
      onClose={onClose}
      footer={
        <>
          <Button kind="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button kind="primary" disabled={!right.length} onClick={onApply}>
            {wrong.length ? `Change the ${fitting(right.length)}` : `Change ${cells(right.length)}`}
          </Button>
        </>
      }
    >
      <p>
        {right.length
          ? `This will change ${cells(right.length)} of ${items === 1 ? '1 item' : `${items} items`}.`
          : 'This will change nothing.'}
        {wrong.length > 0 && ` ${cells(wrong.length)} cannot take what was copied.`}
        {pasted.length > changes.length &&
          ` ${cells(pasted.length - changes.length)} ${pasted.length - changes.length === 1 ? 'has' : 'have'} the value already.`}
        {below > 0 &&
          ` ${below === 1 ? '1 row more was copied than there is' : `${below.toLocaleString()} rows more were copied than there are`} from here on; an import makes new items.`}
        {beyond > 0 &&
          ` ${beyond === 1 ? '1 column more was copied than there is' : `${beyond.toLocaleString()} columns more were copied than there are`} to the right.`}
      </p>
      <table className={css.table}>
        <thead>
          <tr>
            <th scope="col">Item</th>
            <th scope="col">Field</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((each) => (
            <Line key={`${each.row.item_id} ${each.column.key}`} {...each} />
          ))}
        </tbody>
      </table>
      {changes.length > SHOWN && <p>and {changes.length - SHOWN} more</p>}
    </Dialog>
  )
}

const cells = (count: number) => (count === 1 ? '1 cell' : `${count} cells`)

const fitting = (count: number) => (count === 1 ? 'one that fits' : `${count} that fit`)

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

function Line({ row, column, value, fault, text }: Pasted) {
  return (
    <tr className={fault ? css.wrong : undefined}>
      <td>{row.name}</td>
      <td>{column.label}</td>
      <td>
        <CellView column={column} value={cellValue(column, row)} />
      </td>
      <td>
        {fault && text !== undefined ? text : <CellView column={column} value={value} />}
        {fault && <p>{fault}</p>}
      </td>
    </tr>
  )
}
