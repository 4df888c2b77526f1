import type { Service } from '#web/data/service-query.ts'
import { Icon } from '#web/parts/icon.tsx'
import css from '#web/account/account.module.css'

/** The ways to the identity providers; they lead away from the page. */
export function ProviderLinks({ service }: { service: Service }) {
  return service.providers.map(({ id, name }) => (
    <a key={id} className={css.way} href={`/api/auth/oauth/${id}`}>
      <Icon name="external" /> Sign in with {name}
    </a>
  ))
}
