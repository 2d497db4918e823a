import { expect } from 'playwright/test'
import { problemsOf } from '../problems.ts'
import { startMailServer } from '../../tests/server/fixtures/mail-server.ts'
import { startMqttBroker } from '../../tests/server/fixtures/mqtt-server.ts'
import { axeFindings } from '../axe.ts'
import { ownServer } from '../own-server.ts'
import { signInAs } from '../screens/setup.ts'
import { test } from '../test.ts'
import { h265, startStripCamera } from './strip-camera.ts'
import { looks, visit } from './journey.ts'
import { administrator, signInByHand } from './session.ts'

test('a camera fails: an e-mail is sent, and another one when it is back', async ({ browser }) => {
  const mail = await startMailServer()
  const server = ownServer(8, {
    args: ['--no-demo'],
    env: { SMTP_URL: `smtp://127.0.0.1:${mail.port}`, ALLOW_LOOPBACK_SOURCES: '1' },
  })
  const [first, second] = [await startStripCamera(h265), await startStripCamera(h265)]
  try {
    await server.start()
    const context = await browser.newContext({ baseURL: server.address, viewport: { width: 1440, height: 900 } })
    const page = await context.newPage()
    const problems = problemsOf(page)
    await signInAs(page.request, server.address, administrator)
    const headers = { origin: server.address }
    const data = { name: 'Door', streamSource: first.address, archive: { isEnable: true, depthHours: 1 } }
    const { uid } = await (await page.request.post('/v1/stream', { headers, data })).json()
    const status = async () => (await (await page.request.get(`/v1/stream/${uid}`)).json()).status
    await expect.poll(status).toBe('running')

    await page.goto('/ui/administration/alerts')
    await page.getByRole('button', { name: 'Add alert' }).focus()
    await page.keyboard.press('Enter')
    const adding = page.getByRole('dialog', { name: 'Add alert' })
    await expect(adding.getByLabel('Name')).toBeFocused()
    await adding.getByLabel('Name').fill('Night watch')
    await adding.getByLabel('Address', { exact: true }).fill('guard@example.org')
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('Enter')
    const item = page.getByRole('listitem', { name: 'Night watch' })
    await item.getByRole('button', { name: 'Send a test' }).click()
    await expect(item.getByText('guard@example.org: a test was sent')).toBeVisible()
    expect((await mail.next()).body).toContain('This is a test')

    first.stop()
    const failed = await mail.next()
    expect(failed.to).toEqual(['guard@example.org'])
    expect(failed.headers).toContain('Subject: Sightline: Door failed')
    const deliveries = page.getByRole('table', { name: 'Deliveries' })
    await expect(deliveries.getByRole('row', { name: /Door: A camera fails .* Sent/ })).toBeVisible()

    await page.request.put(`/v1/stream/${uid}`, { headers, data: { ...data, streamSource: second.address } })
    expect((await mail.next()).headers).toContain('Subject: Sightline: Door recovered')
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(deliveries.getByText('Door: A camera recovers')).toBeVisible()
    expect(await axeFindings(page)).toEqual([])

    await item.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('No alerts yet')).toBeVisible()
    expect([mail.count(), problems]).toEqual([3, []])
    await context.close()
  } finally {
    first.stop()
    second.stop()
    await server.dispose()
    await mail.close()
  }
})

test('what is pushed to a browser is shown by it', { tag: '@long' }, async ({ browser }) => {
  const server = ownServer(8, { args: ['--no-demo'] })
  try {
    await server.start()
    const context = await browser.newContext({ baseURL: server.address, locale: 'en-GB' })
    await context.grantPermissions(['notifications'])
    const page = await context.newPage()
    await signInByHand(page)
    // A message that comes while the worker is still activating may be lost.
    const state = () => page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state)
    await expect.poll(state).toBe('activated')
    const cdp = await context.newCDPSession(page)
    const registration = new Promise<string>((resolve) =>
      cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [one] }) => {
        if (one !== undefined) resolve(one.registrationId)
      }),
    )
    await cdp.send('ServiceWorker.enable')
    const message = { title: 'Sightline: Door failed', body: '03:00:12  Door failed', tag: 'a1' }
    await cdp.send('ServiceWorker.deliverPushMessage', {
      origin: server.address,
      registrationId: await registration,
      data: JSON.stringify(message),
    })
    const shown = () =>
      page.evaluate(async () => {
        const notifications = await (await navigator.serviceWorker.ready).getNotifications()
        return notifications.map(({ title, body, tag }) => ({ title, body, tag }))
      })
    await expect.poll(shown).toEqual([message])
    await context.close()
  } finally {
    await server.dispose()
  }
})

for (const look of looks) {
  test(
    `what goes to the MQTT broker is listed and tested, also while the broker is away, in ${look.language}`,
    {
      tag: '@long',
    },
    async ({ browser }) => {
      const broker = await startMqttBroker()
      const { port, login, password, topic } = broker.options
      const address = `mqtt://127.0.0.1:${port}`
      const server = ownServer(8, {
        args: ['--no-demo'],
        env: { MQTT_URL: `mqtt://${login}:${encodeURIComponent(password)}@127.0.0.1:${port}`, MQTT_TOPIC: topic },
      })
      try {
        await server.start()
        const { page, t, press, signIn, expectClean, context } = await visit(browser, server.address, look)
        await signIn(administrator.name, administrator.password)
        await page.goto('/ui/administration/alerts')
        const panel = page.getByRole('region', { name: 'MQTT', exact: true })
        const connected = t('Connected to {address} since {since}', { address, since: '' }).trim()
        await expect(panel.getByText(connected)).toBeVisible()
        await expect(panel.getByText(`${topic}/status`, { exact: true })).toBeVisible()
        await expect(panel.getByText('online', { exact: true })).toBeVisible()

        await press('Send a test by MQTT')
        await expect(
          panel.getByText(t('The broker received the test: {topic}', { topic: `${topic}/test` })),
        ).toBeVisible()
        expect((await broker.until((message) => message.topic === `${topic}/test`)).isRetained).toBe(false)
        await expect(panel.getByText(`${topic}/test`, { exact: true })).toBeVisible()
        await expectClean()

        await broker.close()
        const lost = t(
          'Not connected to {address} since {since}: {reason}. The server tries again every few seconds.',
          {
            address,
          },
        )
        await expect(panel.getByText(lost.slice(0, lost.indexOf(address) + address.length))).toBeVisible()
        await press('Send a test by MQTT')
        // Said of the test, and soon in the table, too.
        await expect(panel.getByText(t('Not sent: {words}', { words: '' }).trim()).first()).toBeVisible()
        await expectClean()

        const again = await startMqttBroker(port)
        try {
          await expect(panel.getByText(connected)).toBeVisible()
          await press('Send a test by MQTT')
          await again.until((message) => message.topic === `${topic}/test`)
          await expect(
            panel.getByText(t('The broker received the test: {topic}', { topic: `${topic}/test` })),
          ).toBeVisible()
          expect(again.retained()).toMatchObject({ [`${topic}/status`]: 'online' })
        } finally {
          await again.close()
        }
        await context.close()
      } finally {
        await server.dispose()
        await broker.close()
      }
    },
  )
}
