import { Type } from 'typebox'

const open = { additionalProperties: true } as const

/** What `navigator.credentials.create` and `.get` take, as JSON (WebAuthn §5.1.8, §5.1.9). */
export const PublicKeyOptions = Type.Object({
  publicKey: Type.Unsafe<object>({ type: 'object', additionalProperties: true }),
})

/** In base64url; a chain of certificates is some kilobytes. */
const Part = Type.String({ maxLength: 65_536 })

const credential = {
  id: Type.String({ minLength: 1, maxLength: 2000 }),
  rawId: Type.String({ maxLength: 2000 }),
  type: Type.String({ maxLength: 100 }),
}

/** RegistrationResponseJSON (WebAuthn §5.1). Open: browsers add to it. */
export const CreatedCredential = Type.Object(
  {
    ...credential,
    response: Type.Object({ clientDataJSON: Part, attestationObject: Part }, open),
  },
  { ...open, title: 'CreatedCredential', description: "The browser's credential, as its toJSON() gives it" },
)

/** AuthenticationResponseJSON (WebAuthn §5.1). */
export const Assertion = Type.Object(
  {
    ...credential,
    response: Type.Object({ clientDataJSON: Part, authenticatorData: Part, signature: Part }, open),
  },
  { ...open, title: 'Assertion', description: "The browser's assertion, as its toJSON() gives it" },
)
