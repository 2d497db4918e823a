import { expect } from 'playwright/test'
import { wordsIn } from '../../server/alerts/alert-words.ts'
import { startMailServer } from '../../tests/server/fixtures/mail-server.ts'
import { startMqttBroker } from '../../tests/server/fixtures/mqtt-server.ts'
import { ownServer } from '../own-server.ts'
import { layoutFindings } from '../screens/setup.ts'
import { test } from '../test.ts'
import { h265, startStripCamera } from './strip-camera.ts'
import { looks, visit } from './journey.ts'
import { administrator } from './session.ts'
import { startWebhookReceiver } from './webhook-receiver.ts'

for (const look of looks) {
  const { language } = look
  const tag = language === 'en' ? [] : '@long'

  test(
    `a camera fails: an e-mail is sent, and another one when it is back, in ${language}`,
    { tag },
    async ({ browser }) => {
      const mail = await startMailServer()
      const server = ownServer(8, {
        args: ['--no-demo'],
        env: {
          SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
          ALLOW_LOOPBACK_SOURCES: '1',
          SETTING_APPLICATION_DEFAULT_LANGUAGE: language,
        },
      })
      const [first, second] = [await startStripCamera(h265), await startStripCamera(h265)]
      const words = wordsIn(language)
      try {
        await server.start()
        const { context, page, t, field, press, signIn, expectClean } = await visit(browser, server.address, look)
        await signIn(administrator.name, administrator.password)
        const headers = { origin: server.address }
        const data = { name: 'Door', streamSource: first.address, archive: { isEnable: true, depthHours: 1 } }
        const { uid } = await (await page.request.post('/v1/stream', { headers, data })).json()
        const status = async () => (await (await page.request.get(`/v1/stream/${uid}`)).json()).status
        await expect.poll(status).toBe('running')

        await page.goto('/ui/administration/alerts')
        await page.getByRole('button', { name: t('Add alert') }).focus()
        await page.keyboard.press('Enter')
        await expect(field('Name')).toBeFocused()
        await field('Name').fill('Night watch')
        await field('Address').fill('guard@example.org')
        expect(await layoutFindings(page)).toEqual([])
        await expectClean()
        await page.keyboard.press('Enter')
        const item = page.getByRole('listitem', { name: 'Night watch' })
        await item.getByRole('button', { name: t('Send a test of {name}', { name: 'Night watch' }) }).click()
        await expect(item.getByText(t('{address}: a test was sent', { address: 'guard@example.org' }))).toBeVisible()
        expect((await mail.next()).body).toContain(words.test.text)

        first.stop()
        const failed = await mail.next()
        expect(failed.to).toEqual(['guard@example.org'])
        expect(failed.body).toContain(words.one.failed('Door'))
        const deliveries = page.getByRole('table', { name: t('Deliveries') }).locator('tbody tr')
        await expect(deliveries.filter({ hasText: `Door: ${t('A camera fails')}` })).toContainText(t('Sent'))

        await page.request.put(`/v1/stream/${uid}`, { headers, data: { ...data, streamSource: second.address } })
        expect((await mail.next()).body).toContain(words.one.recovered('Door'))
        await expect(deliveries.filter({ hasText: `Door: ${t('A camera recovers')}` })).toContainText(t('Sent'))
        expect(await layoutFindings(page)).toEqual([])
        await expectClean()

        await press('Delete {name}', { name: 'Night watch' })
        await page
          .getByRole('alertdialog')
          .getByRole('button', { name: t('Delete'), exact: true })
          .click()
        await expect(page.getByText(t('No alerts yet'))).toBeVisible()
        expect(mail.count()).toBe(3)
        await expectClean()
        await context.close()
      } finally {
        first.stop()
        second.stop()
        await server.dispose()
        await mail.close()
      }
    },
  )

  test(
    `a signed webhook: sent outside of quiet hours, kept within them, and summed up at their end, in ${language}`,
    { tag: '@long' },
    async ({ browser }) => {
      const secret = 'a secret of 24 letters..'
      const [night, day] = [await startWebhookReceiver(secret), await startWebhookReceiver(secret)]
      const server = ownServer(8, { args: ['--no-demo'], env: { ALLOW_LOOPBACK_SOURCES: '1' } })
      try {
        await server.start()
        const { context, page, t, field, press, signIn, expectClean } = await visit(browser, server.address, look)
        await signIn(administrator.name, administrator.password)
        const post = async (path: string, data: object) => {
          const answer = await page.request.post(path, { data, headers: { origin: server.address } })
          expect(answer.status()).toBe(200)
          return answer.json()
        }
        const { uid } = await post('/v1/stream', { name: 'Door', streamSource: 'demo:gate' })
        const report = (label: string) => {
          const items = [{ streamId: uid, type: 'event', time: new Date().toISOString(), label }]
          return post('/v1/annotations', { items })
        }
        const about = (label: string) => {
          const items = [{ on: 'event', streamId: uid, streamName: 'Door', label }]
          return { isSigned: true, body: { total: 1, items } }
        }
        // Without quiet hours: what it has reported, the other alert has handled, too.
        const to = [{ kind: 'webhook', address: day.address, secret }]
        await post('/v1/alerts', { name: 'Around the clock', on: ['event'], quietMinutes: 0, to })

        await page.goto('/ui/administration/alerts')
        await press('Add alert')
        await field('Name').fill('Night watch')
        await field('A camera fails').uncheck()
        await field('A camera recovers').uncheck()
        await field('A detector reports an event').check()
        await field('Labels').fill('van, bus')
        await field("Don't repeat for, minutes").fill('0')
        await press('Add quiet hours')
        const period = page.getByRole('group', { name: t('Quiet hours {number}', { number: 1 }) })
        const days = period.getByRole('group', { name: t('Days') }).getByRole('checkbox')
        const choose = async (from: string, to: string, isChosen: (day: number) => boolean) => {
          await expect(days).toHaveCount(7)
          for (let each = 0; each < 7; each += 1) await days.nth(each).setChecked(isChosen(each))
          await period.getByLabel(t('From'), { exact: true }).fill(from)
          await period.getByLabel(t('To'), { exact: true }).fill(to)
        }
        // In three days, counted from Monday.
        const later = (new Date().getUTCDay() + 2) % 7
        const chooseLater = () => choose('22:00', '06:00', (each) => each === later)
        await chooseLater()
        await field('Time zone').selectOption('UTC')
        await expect(field('Send a summary when they end')).toBeChecked()
        await field('Channel').selectOption('webhook')
        await field('Address').fill(night.address)
        await field('Secret').fill(secret)
        expect(await layoutFindings(page)).toEqual([])
        await expectClean()
        await press('Save')
        const item = page.getByRole('listitem', { name: 'Night watch' })
        await expect(item).toContainText(/22:00–06:00 \(UTC\)/)
        await report('dog')
        expect(await day.next()).toMatchObject(about('dog'))
        await report('van')
        expect(await night.next()).toMatchObject(about('van'))
        expect(await day.next()).toMatchObject(about('van'))
        const deliveries = page.getByRole('table', { name: t('Deliveries') }).locator('tbody tr')
        const sent = deliveries.filter({ hasText: 'Night watch' }).filter({ hasText: t('Sent') })
        await expect(sent).toHaveCount(1)

        const edit = () => press('Edit {name}', { name: 'Night watch' })
        await edit()
        await choose('00:00', '00:00', () => true)
        await expect(period.getByText(t('On the next day'))).toBeVisible()
        await expectClean()
        await press('Save')
        await expect(item).toContainText(/00:00–00:00 \(UTC\)/)
        await report('bus')
        expect(await day.next()).toMatchObject(about('bus'))
        const written = await (await page.request.get('/v1/alert-deliveries')).json()
        expect(written.items.map(({ alertName }: { alertName: string }) => alertName).toSorted()).toEqual([
          ...Array.from({ length: 3 }, () => 'Around the clock'),
          'Night watch',
        ])
        expect(night.count()).toBe(1)
        await press('Send a test of {name}', { name: 'Night watch' })
        expect(await night.next()).toMatchObject({ isSigned: true, body: { total: 0, items: [] } })

        await edit()
        await chooseLater()
        await press('Save')
        expect(await night.next()).toMatchObject(about('bus'))
        await expect(sent).toHaveCount(2)
        expect([night.count(), day.count()]).toEqual([3, 3])
        expect(await layoutFindings(page)).toEqual([])
        await expectClean()
        await context.close()
      } finally {
        await server.dispose()
        night.close()
        day.close()
      }
    },
  )
}

for (const look of looks) {
  test(`what is pushed to a browser is shown by it, in ${look.language}`, { tag: '@long' }, async ({ browser }) => {
    const server = ownServer(8, { args: ['--no-demo'] })
    try {
      await server.start()
      const { context, page, t, field, press, signIn, expectClean } = await visit(browser, server.address, look)
      await context.grantPermissions(['notifications'])
      await signIn(administrator.name, administrator.password)
      await page.goto('/ui/administration/alerts')
      await press('Add alert')
      await field('Channel').selectOption('push')
      await expect(page.getByRole('button', { name: t('Use this browser') })).toBeVisible()
      expect(await layoutFindings(page)).toEqual([])
      await expectClean()
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
      const failed = wordsIn(look.language).one.failed('Door')
      const shownText = { title: `Sightline: ${failed}`, body: `03:00:12  ${failed}`, tag: 'a1' }
      const path = '/ui/stream/door/view'
      await cdp.send('ServiceWorker.deliverPushMessage', {
        origin: server.address,
        registrationId: await registration,
        data: JSON.stringify({ ...shownText, path }),
      })
      const shown = () =>
        page.evaluate(async () => {
          const notifications = await (await navigator.serviceWorker.ready).getNotifications()
          return notifications.map(({ title, body, tag, data }) => ({ title, body, tag, data }))
        })
      await expect.poll(shown).toEqual([{ ...shownText, data: path }])
      await context.close()
    } finally {
      await server.dispose()
    }
  })
}

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
