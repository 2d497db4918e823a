import { expect } from 'playwright/test'
import { layoutFindings } from '../screens/setup.ts'
import { test } from '../test.ts'
import { looks, visit } from './journey.ts'
import { administrator, hour, uidOf, waitForArchive } from './session.ts'

for (const look of looks) {
  const { language } = look
  const tag = language === 'en' ? [] : '@long'
  // Both may run at the same time, before the same server.
  const camera = language === 'en' ? 'Gate' : 'Yard'

  test(
    `what is marked is locked, shown on the timeline, listed and unlocked, in ${language}`,
    { tag },
    async ({ browser, address }) => {
      // An empty reason is refused by the server: an answer of 400, which browsers report by themselves.
      const { context, page, t, field, press, signIn, expectClean } = await visit(
        browser,
        address,
        look,
        /status of 40[01]/,
      )
      await signIn(administrator.name, administrator.password)
      const uid = await uidOf(page, camera)
      const at = Math.floor(Date.now() / 1000) * 1000 - hour / 2
      await waitForArchive(page, uid, at)
      const iso = (seconds: number) => new Date(at + seconds * 1000).toISOString()
      const view = `/ui/stream/${uid}/view?at=${iso(0)}&in=${iso(0)}&out=${iso(300)}`

      await page.route('**/v1/system/internal/ui/settings', async (route) => {
        const response = await route.fetch()
        const settings: { features: string[] } = await response.json()
        const features = settings.features.filter((feature) => feature !== 'locks')
        await route.fulfill({ response, json: { ...settings, features } })
      })
      await page.goto(view)
      const selection = page.getByRole('region', { name: t('Selection') })
      await expect(selection.getByRole('button', { name: t('Download selection') })).toBeVisible()
      await expect(selection.getByRole('button', { name: t('Lock'), exact: true })).toHaveCount(0)
      await expect(page.getByRole('button', { name: t('Locked recordings') })).toHaveCount(0)
      await page.unrouteAll()

      await page.goto(view)
      await selection.getByRole('button', { name: t('Lock'), exact: true }).focus()
      await page.keyboard.press('Enter')
      const draft = page.getByRole('dialog', { name: t('Lock the recording') })
      await expect(field('Reason')).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(field('Reason')).toHaveAttribute('aria-invalid', 'true')
      expect(await layoutFindings(page)).toEqual([])
      await expectClean()
      await field('Reason').fill('Theft')
      await field('Expires').selectOption('30')
      await draft.getByRole('button', { name: t('Lock'), exact: true }).click()
      await expect(page.getByText(t('The recording is locked'))).toBeVisible()
      const { items } = await (await page.request.get(`/v1/stream/${uid}/archive/locks`)).json()
      expect(items).toMatchObject([
        { startTime: iso(0), endTime: iso(300), reason: 'Theft', login: administrator.name },
      ])

      await press('Locked recordings')
      const list = page.getByRole('dialog', { name: t('Locked recordings') })
      const terms = t('By {login}, until {expiry}', { login: administrator.name, expiry: '.*' })
      await expect(list.getByRole('listitem')).toHaveText(new RegExp(`Theft.*${terms}${t('Unlock')}`))
      expect(await layoutFindings(page)).toEqual([])
      await expectClean()
      await list.getByRole('button', { name: t('Unlock {reason}', { reason: 'Theft' }) }).click()
      const asking = page.getByRole('alertdialog')
      await expect(asking).toContainText('Theft')
      await expectClean()
      await asking.getByRole('button', { name: t('Unlock'), exact: true }).click()
      await expect(list.getByRole('heading', { name: t('Nothing is locked') })).toBeVisible()
      await expectClean()
      await context.close()
    },
  )

  test(
    `what is marked in a mosaic is locked of its cameras, in ${language}`,
    { tag: '@long' },
    async ({ browser, address }) => {
      const { context, page, t, field, signIn, expectClean } = await visit(browser, address, look, /status of 40[01]/)
      await signIn(administrator.name, administrator.password)
      const headers = { origin: address }
      // The other test expects that nothing else is locked of its camera.
      const names = ['Porch', 'Attic'].map((name) => `${name} ${language}`)
      const uids: string[] = []
      for (const name of names) {
        const data = { name, streamSource: 'demo:gate', archive: { isEnable: true, depthHours: 1 } }
        uids.push((await (await page.request.post('/v1/stream', { headers, data })).json()).uid)
      }
      const at = Math.floor(Date.now() / 1000) * 1000 - hour / 2
      const [startTime, endTime] = [at, at + 300_000].map((moment) => new Date(moment).toISOString())
      const cells = uids.map((streamUid, x) => ({ streamUid, x, y: 0, w: 1, h: 1 }))
      const made = await page.request.post('/v1/mosaic', {
        data: { name: `Evidence ${language}`, columns: 2, rows: 1, cells },
        headers,
      })
      await page.goto(`/ui/mosaic/${(await made.json()).id}?at=${startTime}&in=${startTime}&out=${endTime}`)
      const selection = page.getByRole('region', { name: t('Selection') })
      await selection.getByRole('button', { name: t('Lock'), exact: true }).click()
      const draft = page.getByRole('dialog', { name: t('Lock the recordings') })
      for (const name of names) await expect(draft.getByRole('checkbox', { name })).toBeChecked()
      await page.keyboard.press('Enter')
      await expect(field('Reason')).toHaveAttribute('aria-invalid', 'true')
      await field('Reason').fill('Accident')

      const calls = `**/v1/stream/${uids[1]}/archive/locks`
      await page.route(calls, (route) => route.fulfill({ status: 400, json: { code: 'QuotaReached' } }))
      await draft.getByRole('button', { name: t('Lock'), exact: true }).click()
      await expect(draft.getByText(t('Quota is reached'))).toBeVisible()
      await expect(draft.getByRole('status')).toContainText(
        t('Locked: {locked} of {tried}', { locked: '1', tried: '2' }),
      )
      await expect(draft.getByRole('checkbox', { name: `Porch ${language}` })).toBeDisabled()
      expect(await layoutFindings(page)).toEqual([])
      await expectClean()
      await page.unroute(calls)
      await draft.getByRole('button', { name: t('Lock'), exact: true }).click()
      await expect(page.getByText(t('The recordings of {count} cameras are locked', { count: '2' }))).toBeVisible()
      await expect(draft).toBeHidden()
      for (const uid of uids) {
        const { items } = await (await page.request.get(`/v1/stream/${uid}/archive/locks`)).json()
        expect(items).toMatchObject([{ startTime, endTime, reason: 'Accident' }])
        const removed = await page.request.delete(`/v1/stream/${uid}?purge=true&unlock=true`, { headers })
        expect(removed.ok()).toBe(true)
      }
      await context.close()
    },
  )

  test(
    `locked recordings are deleted with their streams once that is confirmed by name, in ${language}`,
    { tag: '@long' },
    async ({ browser, address }) => {
      // Browsers report by themselves that the server refuses a deletion, and has no picture of a deleted stream.
      const reported = /status of 40[19]|status of 404 .*\/v1\/stream\/preview/
      const { context, page, t, press, signIn, expectClean } = await visit(browser, address, look, reported)
      await signIn(administrator.name, administrator.password)
      const headers = { origin: address }
      const names = ['Cellar', 'Garage', 'Stairs'].map((name) => `${name} ${language}`)
      const [cellar = '', garage = '', stairs = ''] = names
      const uids: string[] = []
      for (const name of names) {
        const data = { name, streamSource: 'demo:gate', archive: { isEnable: true, depthHours: 1 } }
        uids.push((await (await page.request.post('/v1/stream', { headers, data })).json()).uid)
      }
      const [startTime, endTime] = [-60_000, 60_000].map((offset) => new Date(Date.now() + offset).toISOString())
      for (const [index, reason] of [`Theft in the ${cellar}`, 'Accident'].entries()) {
        const lock = { startTime, endTime, reason }
        expect((await page.request.post(`/v1/stream/${uids[index]}/archive/locks`, { headers, data: lock })).ok()).toBe(
          true,
        )
      }
      const asking = page.getByRole('alertdialog')
      const remove = asking.getByRole('button', { name: t('Delete'), exact: true })
      const accept = asking.getByRole('checkbox', { name: t('Delete the locked recordings, too') })
      const askedAgain = (name: string) =>
        page.getByRole('alertdialog', { name: t('Delete locked recordings of “{name}”?', { name }) })
      const statusOf = async (uid = '') => (await page.request.get(`/v1/stream/${uid}`)).status()

      await page.goto(`/ui/stream/${uids[0]}/info`)
      await press('Delete')
      await expect(asking.getByRole('checkbox', { name: t('Also delete its archive') })).toBeChecked()
      await remove.click()
      await expect(askedAgain(cellar).getByRole('listitem')).toHaveText([`Theft in the ${cellar}`])
      await expect(remove).toBeDisabled()
      await expect(accept).not.toBeChecked()
      expect(await layoutFindings(page)).toEqual([])
      await expectClean()
      await asking.getByRole('button', { name: t('Cancel'), exact: true }).click()
      await expect(asking).toHaveCount(0)
      expect(await statusOf(uids[0])).toBe(200)
      await press('Delete')
      await remove.click()
      await accept.focus()
      await page.keyboard.press('Space')
      await remove.click()
      await expect(page).toHaveURL('/ui/streams')
      expect(await statusOf(uids[0])).toBe(404)

      await page.goto(`/ui/streams?search=${language}`)
      for (const name of [garage, stairs])
        await page.getByRole('checkbox', { name: t('Select {name}', { name }) }).check()
      const bar = page.getByRole('region', { name: t('Selected streams') })
      await bar.getByRole('button', { name: t('Delete…') }).click()
      await remove.click()
      await expect(askedAgain(garage).getByRole('listitem')).toHaveText([`${garage}: Accident`])
      await expect(remove).toBeDisabled()
      expect(await layoutFindings(page)).toEqual([])
      await expectClean()
      expect(await Promise.all(uids.map(statusOf))).toEqual([404, 200, 404])
      await accept.check()
      await remove.click()
      await expect(asking).toHaveCount(0)
      await expect(page.getByRole('link', { name: garage })).toHaveCount(0)
      await expect.poll(() => statusOf(uids[1])).toBe(404)
      await expectClean()
      await context.close()
    },
  )
}
