import { describe, expect } from 'vitest'
import { flow } from '#test/web/support/flow.ts'
import { picture } from '#test/web/support/pictures.ts'
import { makeTasks } from '#test/web/support/tasks.ts'

const ID = /[0-7][0-9A-HJKMNP-TV-Z]{25}/

describe('proposals', () => {
  flow(
    'are accepted by A, in part, without what conflicts, and refused by R with a reason',
    async ({ page, signIn, open, axe, service }) => {
      const client = await signIn()
      const { task, ids } = await makeTasks(client, 6)
      const { key } = await client.ok('POST', '/api/keys', { name: 'Night\u202Eshift', scope: 'propose' })
      const asAgent = async (method: string, path: string, body: object) => {
        const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
        const answer = await fetch(service.url + path, { method, headers, body: JSON.stringify(body) })
        return (await answer.json()) as { proposal_id: string }
      }
      const first = ids[0]!
      await asAgent('PUT', `/api/items/${first}`, { name: 'Water the <b>roses</b>' })
      const { proposal_id } = await asAgent('POST', '/api/proposals', {
        message: 'Paid on Monday\n\u202Enot bold: <b>x</b>',
        operations: ids.slice(1, 4).map((item_id) => ({
          operation: 'updateTagValues',
          input: { item_id, tag_id: task, field_values: { note: 'paid' }, merge: true },
        })),
      })
      await client.ok('PUT', `/api/items/${ids[3]}/tags/${task}`, {
        field_values: { note: 'by hand' },
        merge: true,
      })
      const name = async (id: string) => (await client.ok('GET', `/api/items/${id}`)).name
      const note = async (id = '') =>
        (await client.ok('GET', `/api/items/${id}`)).data[task].field_values.note ?? null

      await page.goto('/')
      await page.getByRole('link', { name: 'Proposals 2' }).click()
      const list = page.getByRole('list', { name: 'Proposals' })
      await expect.poll(() => list.getByRole('listitem').count()).toBe(2)
      await list.getByText('Nightshift for you').first().waitFor()
      await picture(page, 'proposals')
      await axe()

      // One, whole, by its key; and back by Ctrl Z.
      await list.getByRole('link').last().click()
      await page.getByText('Water the <b>roses</b>').first().waitFor()
      await page.getByRole('button', { name: /^Accept/ }).waitFor()
      await page.keyboard.press('a')
      await page.getByRole('link', { name: 'The change that it made' }).waitFor()
      expect(await name(first)).toBe('Water the <b>roses</b>')
      await page.keyboard.press('Control+z')
      await expect.poll(() => name(first)).toBe('Water the plants 1')

      // The other: one of three, then what does not conflict, then no more.
      await page.goto(`/proposals/${proposal_id}`)
      await page.getByText('One thing has moved since').waitFor()
      await page.getByText('not bold: <b>x</b>').waitFor()
      await picture(page, 'proposal')
      await axe()
      const parts = page.getByRole('list', { name: 'What it would change' }).getByRole('listitem')
      await page.getByRole('checkbox').first().check()
      await page.getByRole('button', { name: 'Accept 1 selected' }).click()
      await page.getByText('Some of it was accepted').waitFor()
      await expect.poll(() => parts.count()).toBe(2)
      const notes = [await note(ids[1]), await note(ids[2])]
      expect(notes.filter((each) => each === 'paid')).toHaveLength(1)
      await page.getByRole('button', { name: 'Accept without conflicts' }).click()
      await expect.poll(() => parts.count()).toBe(1)
      expect([await note(ids[1]), await note(ids[2]), await note(ids[3])]).toEqual([
        'paid',
        'paid',
        'by hand',
      ])

      const reader = await open()
      await signIn(reader)
      await reader.goto(`/proposals/${proposal_id}`)
      await reader.getByText('One thing has moved since').waitFor()
      expect(await reader.getByRole('main').getByRole('button').count()).toBe(0)
      expect(await reader.getByRole('link', { name: /^Proposals/ }).count()).toBe(0)

      await page.keyboard.press('r')
      await page.getByLabel('Reason').fill('Ask <i>Ada</i>')
      await axe()
      const refuse = page.getByRole('dialog').getByRole('button', { name: 'Refuse', exact: true })
      const refused = { error: 'TooManyRequests', message: 'Too many requests' }
      await page.route('**/refuse', (route) => route.fulfill({ status: 429, json: refused }))
      await refuse.click()
      await page.getByText('Too many requests').first().waitFor()
      expect(await page.getByLabel('Reason').inputValue()).toBe('Ask <i>Ada</i>')
      await page.unroute('**/refuse')
      await refuse.click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.getByText('Ask <i>Ada</i>').waitFor()
      const decided = await client.ok('GET', `/api/proposals/${proposal_id}`)
      expect(decided).toMatchObject({ state: 'refused', reason: 'Ask <i>Ada</i>' })
      expect(await page.getByRole('button', { name: /^(Accept|Refuse)/ }).count()).toBe(0)
      await page.goto('/proposals')
      await page.getByRole('heading', { name: 'Nothing waits for a decision' }).waitFor()
    },
    { env: { DEFAULT_ROLE: 'reader' } },
  )

  flow('show what moves while they are looked at', async ({ page, signIn, open, axe }) => {
    const client = await signIn()
    const { task, ids, people } = await makeTasks(client, 3)
    const { body } = await client.post('/api/proposals', {
      operations: [
        { operation: 'updateItem', input: { item_id: ids[0], name: 'Mended' } },
        {
          operation: 'updateTagValues',
          input: { item_id: ids[1], tag_id: task, field_values: { assignee: people[2] }, merge: true },
        },
      ],
    })
    await page.goto(`/proposals/${body.proposal_id}`)
    await page.getByRole('checkbox', { name: /^Select Mend/ }).check()
    expect(await page.getByText('moved since').count()).toBe(0)
    await client.ok('PUT', `/api/items/${ids[0]}`, { name: 'Renamed by another' })
    await page.getByText('One thing has moved since, and stays open').waitFor()
    // What was chosen stays chosen.
    expect(await page.getByRole('checkbox', { name: /^Select Mend/ }).isChecked()).toBe(true)
    await axe()
    // What it refers to: on coming back.
    await client.ok('DELETE', `/api/items/${people[2]}`)
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
    await page.getByText('2 things have moved since').waitFor()
    await page.getByRole('checkbox', { name: /^Select Mend/ }).uncheck()
    await page.getByRole('button', { name: 'Accept without conflicts' }).waitFor()
    // Decided about by somebody else.
    const second = await open({ storageState: await page.context().storageState() })
    await second.goto(`/proposals/${body.proposal_id}`)
    await second.getByText('2 things have moved since').waitFor()
    await second.getByRole('button', { name: 'Withdraw' }).click()
    await second.getByText('Withdrawn by you').waitFor()
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
    await page.getByText('Withdrawn by you').waitFor()
  })

  flow('say by name what is gone that they are about', async ({ page, signIn, axe }) => {
    const client = await signIn()
    const { task, ids, people } = await makeTasks(client, 2)
    const field_values = { assignee: people[2] }
    const { body } = await client.post('/api/proposals', {
      operations: [
        { operation: 'updateItem', input: { item_id: ids[0], name: 'Mended' } },
        {
          operation: 'createItem',
          input: { name: 'New one', tags: [{ tag_ref: { Existing: task }, field_values }] },
        },
      ],
    })
    const gone = [ids[0], people[2]]
    for (const id of gone) await client.ok('DELETE', `/api/items/${id}`)
    await client.ok('POST', '/api/items/purge', { item_ids: gone })
    const text = async () => {
      await page.getByText('deleted item').first().waitFor()
      return page.getByRole('main').innerText()
    }
    await page.goto(`/proposals/${body.proposal_id}`)
    await page.getByText('Water the plants 1: The item has been purged').waitFor()
    await page.getByText('The item to which it would refer has been purged').waitFor()
    expect(await text()).not.toMatch(ID)
    await page.getByRole('button', { name: 'Withdraw' }).click()
    await page.getByText('Withdrawn by you').waitFor()
    expect(await text()).not.toMatch(ID)
    await axe()
  })
})
