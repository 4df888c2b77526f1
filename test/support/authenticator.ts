import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

export interface AuthenticatorOptions {
  /** The page's origin, which the browser writes into each answer. */
  origin: string
  /** Whether it asks for a PIN or a fingerprint; default true. */
  verifies?: boolean
  /** Whether it counts its uses; default true. Synced passkeys do not. */
  counts?: boolean
}

interface CreationOptions {
  challenge: string
  rp: { id?: string }
}
interface RequestOptions {
  challenge: string
  rpId?: string
}

// WebAuthn §6.1: flags of the authenticator data.
const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const ATTESTED = 0x40

/** A browser with a passkey in software: one ES256 credential, attestation `none` (WebAuthn §6.1, §6.5). */
export class Authenticator {
  readonly credential_id = randomBytes(32).toString('base64url')
  /** Uses so far; a test may set it back. */
  counter = 0
  origin: string
  verifies: boolean
  private readonly counts: boolean
  private readonly key = generateKeyPairSync('ec', { namedCurve: 'P-256' })

  constructor({ origin, verifies = true, counts = true }: AuthenticatorOptions) {
    this.origin = origin
    this.verifies = verifies
    this.counts = counts
  }

  /** What `navigator.credentials.create` resolves to, as JSON. */
  create({ challenge, rp }: CreationOptions) {
    const id = Buffer.from(this.credential_id, 'base64url')
    const length = Buffer.alloc(2)
    length.writeUInt16BE(id.length)
    const attested = Buffer.concat([Buffer.alloc(16), length, id, this.publicKey()])
    const authData = this.authenticatorData(rp.id!, ATTESTED, attested)
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ])
    return {
      ...this.head(),
      response: {
        clientDataJSON: this.clientData('webauthn.create', challenge).toString('base64url'),
        attestationObject: cbor(attestation).toString('base64url'),
        transports: ['internal'],
      },
    }
  }

  /** What `navigator.credentials.get` resolves to, as JSON. */
  get({ challenge, rpId }: RequestOptions) {
    const authData = this.authenticatorData(rpId!, 0)
    const clientData = this.clientData('webauthn.get', challenge)
    const signature = sign('sha256', Buffer.concat([authData, sha256(clientData)]), this.key.privateKey)
    return {
      ...this.head(),
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: signature.toString('base64url'),
      },
    }
  }

  private head() {
    const { credential_id: id } = this
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {} }
  }

  private clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.origin, crossOrigin: false }))
  }

  private authenticatorData(rpId: string, flags: number, rest = Buffer.alloc(0)): Buffer {
    if (this.counts) this.counter++
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.counter)
    const all = flags | USER_PRESENT | (this.verifies ? USER_VERIFIED : 0)
    return Buffer.concat([sha256(Buffer.from(rpId)), Buffer.from([all]), counter, rest])
  }

  /** COSE_Key of ES256 (RFC 9053 §2.1, §7.1). */
  private publicKey(): Buffer {
    const { x, y } = this.key.publicKey.export({ format: 'jwk' })
    const coordinate = (text?: string) => Buffer.from(text!, 'base64url')
    return cbor(
      new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, coordinate(x)],
        [-3, coordinate(y)],
      ]),
    )
  }
}

const sha256 = (data: Buffer) => createHash('sha256').update(data).digest()

/** CBOR (RFC 8949) of whole numbers, text, bytes and maps. */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value >= 0 ? cborHead(0, value) : cborHead(1, -1 - value)
  if (typeof value === 'string')
    return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([cborHead(2, value.length), value])
  if (value instanceof Map)
    return Buffer.concat([cborHead(5, value.size), ...[...value].flat().map((each) => cbor(each))])
  throw new Error(`not written here: ${typeof value}`)
}

function cborHead(major: number, n: number): Buffer {
  if (n < 24) return Buffer.from([(major << 5) | n])
  if (n < 256) return Buffer.from([(major << 5) | 24, n])
  return Buffer.from([(major << 5) | 25, n >> 8, n & 255])
}
