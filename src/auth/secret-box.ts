import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

/** Before what is sealed; no secret that is kept begins so (those of TOTP are Base32). */
const FORM = 'sealed1:'
const CIPHER = 'aes-256-gcm'
/** NIST SP 800-38D §8.2.2: random, so that no two processes need to agree. */
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Bytes of a key. */
export const KEY_BYTES = 32

/**
 * Seals secrets that the service must be able to read again, so that anyone who has the database alone has none of them.
 * What is sealed names its key and is bound to its owner: moved to another row it does not open (decision 60).
 */
export class SecretBox {
  private readonly keys: ReadonlyMap<string, Buffer>
  private readonly current: string

  /** In base64; the first one seals, all of them open. */
  constructor(keys: readonly [string, ...string[]]) {
    const buffers = keys.map((key) => Buffer.from(key, 'base64'))
    this.keys = new Map(buffers.map((key) => [idOf(key), key]))
    this.current = idOf(buffers[0]!)
  }

  seal(secret: string, owner: string): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(CIPHER, this.keys.get(this.current)!, nonce)
    cipher.setAAD(Buffer.from(owner))
    const sealed = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return `${this.prefix}${sealed.toString('base64url')}`
  }

  /** null: of a key that is not here, or not of that owner. */
  open(sealed: string, owner: string): string | null {
    const [, id = '', text = ''] = /^sealed1:([^:]*):(.*)$/.exec(sealed) ?? []
    const key = this.keys.get(id)
    if (!key) return null
    const bytes = Buffer.from(text, 'base64url')
    const nonce = bytes.subarray(0, NONCE_BYTES)
    try {
      const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(owner))
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
      const secret = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES))
      return Buffer.concat([secret, decipher.final()]).toString('utf8')
    } catch {
      return null
    }
  }

  /** What begins so is sealed with the key that seals now. */
  get prefix(): string {
    return `${FORM}${this.current}:`
  }
}

/** A secret as an older version, or an import, has left it. */
export const isSealed = (secret: string): boolean => secret.startsWith(FORM)

/** Tells keys apart and says nothing of them. */
const idOf = (key: Buffer): string =>
  createHash('sha256').update('facet key id').update(key).digest('hex').slice(0, 16)

/** Whose a TOTP secret is. */
export const totpOf = (user_id: string): string => `totp ${user_id}`
