import { useState } from 'react'
import { useItemName } from '#web/data/item-names.ts'
import { useItemsLike } from '#web/data/item-options.ts'
import { Chip } from '#web/parts/chip.tsx'
import { Icon } from '#web/parts/icon.tsx'
import { ListBox } from '#web/filter/list-box.tsx'
import css from '#web/filter/condition-editor.module.css'

interface ItemsPickerProps {
  /** Tags whose items are meant. */
  of: readonly string[]
  many: boolean
  value: unknown
  onValue: (value: unknown) => void
}

/** Items by their names. */
export function ItemsPicker({ of, many, value, onValue }: ItemsPickerProps) {
  const [text, setText] = useState('')
  const chosen = (Array.isArray(value) ? value : value === undefined ? [] : [value]).map(String)
  const { items, isOld } = useItemsLike(text.trim(), of)
  const choices = items.map(({ item_id, name, what }) => ({
    key: item_id,
    look: (
      <>
        {chosen.includes(item_id) && <Icon name="check" size={14} />}
        <span>{name}</span>
        <span className={css.what}>{what}</span>
      </>
    ),
  }))
  const write = (ids: readonly string[]) => onValue(ids.length ? (many ? ids : ids.at(-1)) : undefined)
  return (
    <div>
      {chosen.length > 0 && (
        <p className={css.chosen}>
          {chosen.map((item_id) => (
            <Chosen
              key={item_id}
              item_id={item_id}
              onRemove={() => write(chosen.filter((each) => each !== item_id))}
            />
          ))}
        </p>
      )}
      <ListBox
        label="Items"
        placeholder="Find an item"
        text={text}
        onText={setText}
        choices={choices}
        onChoose={({ key }) => {
          // What is listed is not what was sought.
          if (isOld) return
          setText('')
          write(many ? [...chosen.filter((each) => each !== key), key] : [key])
        }}
        nothing="No item is called like that"
      />
    </div>
  )
}

function Chosen({ item_id, onRemove }: { item_id: string; onRemove: () => void }) {
  const name = useItemName(item_id) ?? item_id
  return (
    <Chip remove={`Remove ${name}`} onRemove={onRemove}>
      {name}
    </Chip>
  )
}
