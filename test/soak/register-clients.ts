import { Client } from '#test/support/client.ts'

/** As many accounts, each signed in. */
export const registerClients = (url: string, name: string, count: number): Promise<Client[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const client = new Client(url)
      await client.ok('POST', '/api/auth/register', {
        email: `${name}-${i}@example.org`,
        password: 'correct horse',
      })
      return client
    }),
  )
