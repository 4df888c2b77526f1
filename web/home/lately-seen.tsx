import { Link } from 'wouter'
import { useItemName } from '#web/data/item-names.ts'
import { useLatelySeen } from '#web/data/lately-seen.ts'
import type { User } from '#web/data/me-query.ts'
import { Section } from '#web/home/section.tsx'
import css from '#web/home/lately-seen.module.css'

/** Items that one has looked at, where the side bar, which has them too, is not there. */
export function LatelySeen({ me }: { me: User }) {
  const ids = useLatelySeen(me.user_id)
  if (!ids.length) return null
  return (
    <div className={css.narrow}>
      <Section title="Lately seen">
        <ul className={css.list}>
          {ids.map((item_id) => (
            <Seen key={item_id} item_id={item_id} />
          ))}
        </ul>
      </Section>
    </div>
  )
}

function Seen({ item_id }: { item_id: string }) {
  const name = useItemName(item_id)
  if (!name) return null
  return (
    <li>
      <Link href={`/items/${item_id}`} className={css.item}>
        {name}
      </Link>
    </li>
  )
}
