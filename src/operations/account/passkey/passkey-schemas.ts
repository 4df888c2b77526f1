import { Type } from 'typebox'

const open = { additionalProperties: true } as const

/** What `navigator.credentials.create` and `.get` take, as JSON (WebAuthn §5.1.8, §5.1.9). */
export const PublicKeyOptions = Type.Object({
  publicKey: Type.Unsafe<object>({ type: 'object', additionalProperties: true }),
})

const credential = {
  id: Type.String({ minLength: 1, maxLength: 2000 }),
  rawId: Type.String(),
  type: Type.String(),
}

/** RegistrationResponseJSON (WebAuthn §5.1). Open: browsers add to it. */
export const CreatedCredential = Type.Object(
  {
    ...credential,
    response: Type.Object({ clientDataJSON: Type.String(), attestationObject: Type.String() }, open),
  },
  { ...open, title: 'CreatedCredential', description: "The browser's credential, as its toJSON() gives it" },
)

/** AuthenticationResponseJSON (WebAuthn §5.1). */
export const Assertion = Type.Object(
  {
    ...credential,
    response: Type.Object(
      { clientDataJSON: Type.String(), authenticatorData: Type.String(), signature: Type.String() },
      open,
    ),
  },
  { ...open, title: 'Assertion', description: "The browser's assertion, as its toJSON() gives it" },
)

export const KnownPasskeys = Type.Array(
  Type.Object({ credential_id: Type.String(), transports: Type.Array(Type.String()) }),
)
