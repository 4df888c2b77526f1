import { passkeyAssertion } from '#web/account/passkey.ts'
import { call } from '#web/api/call.ts'
import { toFault } from '#web/api/fault.ts'
import { confirm } from '#web/api/operations.ts'

/** On the page where an app asks for access (`src/api/apps/consent-page.ts`): a passkey proves who allows it. */
const button = document.querySelector<HTMLButtonElement>('button[data-passkey]')
const words = document.querySelector<HTMLElement>('[data-passkey-fault]')

async function allow({ form, dataset }: HTMLButtonElement): Promise<void> {
  await call(confirm, await passkeyAssertion(dataset['passkey']!), { anonymous: true })
  const decision = Object.assign(document.createElement('input'), {
    type: 'hidden',
    name: 'decision',
    value: 'allow',
  })
  form!.append(decision)
  form!.requestSubmit()
}

if (button && words && 'PublicKeyCredential' in window) {
  button.hidden = false
  button.addEventListener('click', () => {
    button.disabled = true
    words.textContent = ''
    allow(button).catch((error: unknown) => {
      words.textContent = toFault(error).message
      button.disabled = false
    })
  })
}
