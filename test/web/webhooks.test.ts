import { describe, expect } from 'vitest'
import { isSigned, WebhookReceiver } from '#test/support/webhook-receiver.ts'
import { choose } from '#test/web/support/choose.ts'
import { flow } from '#test/web/support/flow.ts'
import { picture } from '#test/web/support/pictures.ts'

describe('webhooks', () => {
  flow(
    'are made, tried, seen to fail and to be sent again, changed, disabled and deleted',
    async ({ page, signIn, axe }) => {
      const receiver = new WebhookReceiver()
      const url = await receiver.listen()
      try {
        const client = await signIn()
        await client.ok('POST', '/api/tags', { name: 'Order', fields: { paid: 'Boolean' } })
        const filter = { 'Order.paid': true }
        await client.ok('POST', '/api/views', { name: 'Paid', filter })
        await page.goto('/settings/webhooks')
        await page.getByText('There are none yet.').waitFor()
        await page.getByRole('button', { name: 'New webhook' }).click()
        const dialog = page.getByRole('dialog', { name: 'New webhook' })
        await dialog.getByLabel('Address').fill('https://user:word@example.org/')
        await dialog.getByLabel('What it is for').fill('Warehouse')
        await dialog.getByLabel('values change').check()
        await dialog.getByLabel('an item gets a tag').check()
        await choose(dialog.getByLabel(/^Only about these tags/), 'Order')
        await dialog.getByRole('button', { name: 'Not about Order' }).waitFor()
        await choose(dialog.getByLabel('Of which items'), 'those of the view Paid')
        await dialog.getByText(/^As they are after the change/).waitFor()
        await dialog.getByRole('button', { name: 'Make it' }).click()
        await dialog.getByText('must not name a user or a password').waitFor()
        await picture(page, 'webhook-form')
        await axe()
        await dialog.getByLabel('Address').fill(url)
        await dialog.getByRole('button', { name: 'Make it' }).click()
        const secret = (
          await page
            .locator('code')
            .filter({ hasText: /^whsec_/ })
            .innerText()
        ).trim()
        const entry = page.getByRole('listitem').filter({ hasText: 'Warehouse' })
        await entry.getByText('When values change, an item gets a tag · about Order').waitFor()
        expect(await client.ok('GET', '/api/webhooks')).toMatchObject([
          { description: 'Warehouse', event_types: ['tag_values_updated', 'tag_applied'] },
        ])

        await page.getByRole('button', { name: 'Test Warehouse' }).click()
        await page.getByText('It answered 204').first().waitFor()
        expect(isSigned(receiver.received[0]!, secret)).toBe(true)

        receiver.answer = () => 503
        const tags = [{ tag_ref: { Existing: 'Order' }, field_values: { paid: true } }]
        await client.ok('POST', '/api/items', { name: 'Two lamps', tags })
        await page.getByRole('button', { name: 'Deliveries of Warehouse' }).click()
        await page.getByRole('link', { name: 'Two lamps' }).waitFor()
        await page.getByText(/the answer was 503/).waitFor()
        await picture(page, 'settings-webhooks')
        await axe()
        receiver.answer = () => 200
        await page.getByRole('button', { name: /^Send now: Tag applied/ }).click()
        await page.getByText('answered 200').waitFor()

        await page.getByRole('button', { name: 'Disable Warehouse' }).click()
        await page.getByText(/^Disabled since/).waitFor()
        await page.getByRole('button', { name: 'Enable Warehouse' }).click()
        await page.getByText(/^Disabled since/).waitFor({ state: 'detached' })

        await page.getByRole('button', { name: 'Change Warehouse' }).click()
        const change = page.getByRole('dialog', { name: 'Change the webhook' })
        await change.getByLabel('What it is for').fill('Shop')
        await change.getByRole('button', { name: 'Not about Order' }).click()
        await change.getByRole('button', { name: 'Save' }).click()
        await page.getByRole('button', { name: 'Delete Shop' }).waitFor()
        const [changed] = await client.ok('GET', '/api/webhooks')
        expect(changed).toMatchObject({ description: 'Shop', tag_ids: null, filter: expect.anything() })
        await page.getByRole('button', { name: 'Delete Shop' }).click()
        await page.getByRole('button', { name: 'Delete it' }).click()
        await page.getByText('There are none yet.').waitFor()
        await page.getByRole('link', { name: 'Security log' }).click()
        await page.getByText('Webhook deleted').waitFor()
      } finally {
        await receiver.close()
      }
    },
    { env: { WEBHOOK_PRIVATE: 'true' } },
  )

  flow('are not told of everything where the view that was chosen is gone', async ({ page, signIn }) => {
    const client = await signIn()
    await client.ok('POST', '/api/tags', { name: 'Order', fields: { paid: 'Boolean' } })
    const filter = { 'Order.paid': true }
    const { view_id } = await client.ok('POST', '/api/views', { name: 'Paid', filter })
    await page.goto('/settings/webhooks')
    await page.getByRole('button', { name: 'New webhook' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'New webhook' })
    await dialog.getByLabel('Address').fill('https://hooks.example.org/facet')
    await choose(dialog.getByLabel('Of which items'), 'those of the view Paid')
    const words = dialog.getByText(/^As they are after the change/)
    await words.waitFor()
    await client.ok('DELETE', `/api/views/${view_id}`)
    // Views are read again after a tag has changed.
    await client.ok('POST', '/api/tags', { name: 'Customer', fields: {} })
    await words.waitFor({ state: 'detached' })
    await dialog.getByRole('button', { name: 'Make it' }).click()
    await dialog.getByRole('alert').getByText('not there any more').waitFor()
    expect(await client.ok('GET', '/api/webhooks')).toEqual([])
    await choose(dialog.getByLabel('Of which items'), 'all items, and what happens to tags')
    await dialog.getByRole('alert').waitFor({ state: 'detached' })
  })
})
