import fastify from 'fastify'
import { expect, it } from 'vitest'
import { RouteTable } from '#src/api/http/route-table.ts'

const serverWith = (known: readonly string[]) => {
  const app = fastify()
  return { app, table: new RouteTable(app, known) }
}

it('takes the routes that are known, with a HEAD for each GET', async () => {
  const { app, table } = serverWith(['GET /api/items/{item_id}', 'POST /api/items'])
  app.get('/api/items/:item_id', () => 'an item')
  app.post('/api/items', () => 'made')
  await app.ready()
  expect(table.list().sort()).toEqual([
    'GET /api/items/{item_id}',
    'HEAD /api/items/{item_id}',
    'POST /api/items',
  ])
})

it('refuses a route that is in no table', () => {
  const { app } = serverWith(['GET /api/items'])
  expect(() => app.get('/api/hidden', () => '')).toThrow('GET /api/hidden is in no table')
})

it('does not start while a row of a table has no handler', async () => {
  const { app } = serverWith(['GET /api/items', 'GET /api/tags'])
  app.get('/api/items', () => '')
  await expect(app.ready()).rejects.toThrow('Nothing answers to GET /api/tags')
})
