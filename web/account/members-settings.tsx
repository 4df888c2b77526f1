import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { formText } from '#web/parts/form-text.ts'
import { ResetLinkButton } from '#web/account/reset-link-button.tsx'
import { type Role, ROLES, RoleSelect } from '#web/account/role-select.tsx'
import { useConfirmed } from '#web/account/use-confirmed.tsx'
import { call } from '#web/api/call.ts'
import { Fault } from '#web/api/fault.ts'
import {
  createInvitation,
  deleteInvitation,
  deleteUser,
  listInvitations,
  type listUsers,
  updateUser,
} from '#web/api/operations.ts'
import type { OutputOf } from '#web/api/route.ts'
import { meQuery } from '#web/data/me-query.ts'
import { usersQuery } from '#web/data/users-query.ts'
import { usePasswords } from '#web/data/use-passwords.ts'
import { Button } from '#web/parts/button.tsx'
import { CopyButton } from '#web/parts/copy-button.tsx'
import { Dialog } from '#web/parts/dialog.tsx'
import { Field } from '#web/parts/field.tsx'
import { Listbox } from '#web/parts/listbox.tsx'
import { Note } from '#web/parts/note.tsx'
import { PageSection } from '#web/parts/page.tsx'
import { resetSent } from '#web/parts/reset-sent.ts'
import { toast } from '#web/parts/toast.tsx'
import { useTypedForm } from '#web/parts/use-typed.ts'
import { useBusy } from '#web/parts/use-busy.ts'
import { sayMoment, sayShort } from '#web/rules/say-time.ts'
import { Name } from '#web/parts/name.tsx'
import { plainName } from '#web/rules/plain-name.ts'
import css from '#web/parts/settings.module.css'

type Member = Extract<OutputOf<typeof listUsers>[number], { email: string }>

/** People, what they may do, and how others come in. */
export function MembersSettings() {
  const me = useQuery(meQuery).data
  const [confirmed, dialog] = useConfirmed()
  if (me && me.role !== 'owner')
    return <p>Only owners see who is here. Ask one of them for another role or an invitation.</p>
  return (
    <>
      <People confirmed={confirmed} />
      <Invitations confirmed={confirmed} />
      {dialog}
    </>
  )
}

type Confirmed = ReturnType<typeof useConfirmed>[0]

function People({ confirmed }: { confirmed: Confirmed }) {
  const client = useQueryClient()
  const me = useQuery(meQuery).data
  const { data: users = [] } = useQuery({ ...usersQuery, staleTime: 0 })
  const [deleted, setDeleted] = useState<Member>()
  const passwords = usePasswords()
  const members = users.filter((user): user is Member => 'email' in user)
  const run = async (change: () => Promise<unknown>, words: string) => {
    const answer = await confirmed(change)
    if (answer instanceof Fault) toast({ text: answer.message, kind: 'danger' })
    else toast({ text: words })
    await client.invalidateQueries({ queryKey: usersQuery.queryKey })
    await client.invalidateQueries({ queryKey: meQuery.queryKey })
  }
  return (
    <PageSection title="People">
      <ul className={css.list} aria-label="People">
        {members.map((member) => {
          const { user_id, email, display_name, role, disabled, has_totp, has_passkey, last_used_at } = member
          const name = plainName(display_name || email)
          return (
            <li key={user_id} className={css.row}>
              <div className={css.what}>
                <Name of={name} /> {user_id === me?.user_id && '· you'}{' '}
                {disabled && <strong>· disabled</strong>}
                <p className={css.about}>
                  {[
                    display_name && email,
                    has_totp && 'second factor',
                    has_passkey && 'passkey',
                    last_used_at ? `last here ${sayShort(last_used_at)}` : 'never here',
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </p>
              </div>
              <div className={css.controls}>
                <RoleSelect
                  name={name}
                  role={role}
                  onRole={(next) =>
                    run(() => call(updateUser, { user_id, role: next }), `${name} is ${next} now`)
                  }
                />
                {passwords && role !== 'owner' && !disabled && (
                  <ResetLinkButton {...{ user_id, name, confirmed }} />
                )}
                {user_id !== me?.user_id && (
                  <Button
                    kind="quiet"
                    aria-label={`${disabled ? 'Enable' : 'Disable'} ${name}`}
                    onClick={() =>
                      void run(
                        () => call(updateUser, { user_id, disabled: !disabled }),
                        disabled
                          ? `${name} may sign in again`
                          : `${name} is out; sessions, keys and apps have ended`,
                      )
                    }
                  >
                    {disabled ? 'Enable' : 'Disable'}
                  </Button>
                )}
                {disabled && (
                  <Button kind="danger" aria-label={`Delete ${name}`} onClick={() => setDeleted(member)}>
                    Delete
                  </Button>
                )}
              </div>
            </li>
          )
        })}
      </ul>
      {deleted && (
        <Dialog
          title={`Delete the account of ${deleted.display_name || deleted.email}?`}
          onClose={() => setDeleted(undefined)}
          footer={
            <>
              <Button onClick={() => setDeleted(undefined)}>Cancel</Button>
              <Button
                kind="danger"
                onClick={() => {
                  setDeleted(undefined)
                  void run(() => call(deleteUser, { user_id: deleted.user_id }), 'Deleted the account')
                }}
              >
                Delete it for good
              </Button>
            </>
          }
        >
          <p>Its views, chats and keys go for good. What it did in the base stays.</p>
        </Dialog>
      )}
    </PageSection>
  )
}

function Invitations({ confirmed }: { confirmed: Confirmed }) {
  const client = useQueryClient()
  const [made, setMade] = useState<OutputOf<typeof createInvitation>>()
  const [fault, setFault] = useState<Fault>()
  const { data: invitations = [] } = useQuery({
    queryKey: ['invitations'],
    queryFn: async ({ signal }) => (await call(listInvitations, {}, { signal })).data,
    staleTime: 0,
  })
  const renew = () => client.invalidateQueries({ queryKey: ['invitations'] })
  const [isBusy, alone] = useBusy()
  const typed = useTypedForm()
  const passwords = usePasswords()
  const [role, setRole] = useState<Role>('editor')
  const invite = async (form: HTMLFormElement) => {
    const email = formText(form, 'email').trim()
    setFault(undefined)
    const reset = resetSent(form)
    const answer = await confirmed(() => call(createInvitation, { role, ...(email && { email }) }))
    if (answer instanceof Fault) return setFault(answer)
    reset()
    setMade(answer.data)
    await renew()
  }
  const revoke = async (invitation_id: string) => {
    const answer = await confirmed(() => call(deleteInvitation, { invitation_id }))
    if (answer instanceof Fault) toast({ text: answer.message, kind: 'danger' })
    await renew()
  }
  return (
    <PageSection title="Invitations" lead="A link that lets one person in, once, for a week.">
      <form
        className={css.inline}
        {...typed}
        onSubmit={(event) => {
          event.preventDefault()
          const form = event.currentTarget
          void alone(() => invite(form))
        }}
      >
        <Field
          label={passwords ? 'E-mail (may be left empty)' : 'E-mail'}
          required={!passwords}
          name="email"
          type="email"
          autoComplete="off"
          fault={fault?.message}
        />
        <Labelled label="Role">
          <Listbox label="Role of the invited" value={role} options={ROLES} onValue={setRole} />
        </Labelled>
        <Button kind="primary" type="submit" disabled={isBusy}>
          Make a link
        </Button>
      </form>
      {made && (
        <Note kind="good">
          <p>Send this to whom you invite. It is shown only here.</p>
          <code className={css.code}>{made.url}</code>
          <div>
            <CopyButton text={made.url} label="Copy the link" />
          </div>
        </Note>
      )}
      {invitations.length > 0 && (
        <ul className={css.list} aria-label="Open invitations">
          {invitations.map(({ invitation_id, role, email, expires_at }) => (
            <li key={invitation_id} className={css.row}>
              <div className={css.what}>
                {email ?? 'Anybody with the link'}, as {role}
                <p className={css.about}>until {sayMoment(expires_at)}</p>
              </div>
              <Button
                kind="quiet"
                aria-label={`Revoke the invitation of ${email ?? 'anybody'}`}
                onClick={() => void revoke(invitation_id)}
              >
                Revoke
              </Button>
            </li>
          ))}
        </ul>
      )}
    </PageSection>
  )
}

const Labelled = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className={css.labelled}>
    <p>{label}</p>
    {children}
  </div>
)
