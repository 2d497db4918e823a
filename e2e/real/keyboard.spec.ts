import { type CDPSession, type Page, expect } from 'playwright/test'
import { test } from '../test.ts'
import { hour, openAt, signIn, uidOf, waitForArchive } from './session.ts'

/** What a screen reader announces of the focus: its role and its name, as Chromium computes them. */
async function focusOf(cdp: CDPSession): Promise<string> {
  const { result } = await cdp.send('Runtime.evaluate', { expression: 'document.activeElement' })
  const { nodes } = await cdp.send('Accessibility.getPartialAXTree', {
    objectId: result.objectId ?? '',
    fetchRelatives: false,
  })
  return `${nodes[0]?.role?.value} ${nodes[0]?.name?.value ?? ''}`.trim()
}

/** A user with a keyboard and a screen reader: what has the focus is known by its role and name. */
async function withKeyboard(page: Page) {
  const cdp = await page.context().newCDPSession(page)
  const isAt = (wanted: string | RegExp, found: string) =>
    typeof wanted === 'string' ? found === wanted : wanted.test(found)
  const expectFocus = (wanted: string | RegExp) =>
    expect.poll(() => focusOf(cdp)).toEqual(typeof wanted === 'string' ? wanted : expect.stringMatching(wanted))
  return {
    expectFocus,
    press: (key: string) => page.keyboard.press(key),
    /** Presses Tab until it is there; whatever has the focus on the way must have a name. */
    async goTo(wanted: string | RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab') {
      const passed: string[] = []
      for (let presses = 0; presses < 60; presses += 1) {
        await page.keyboard.press(key)
        const found = await focusOf(cdp)
        if (isAt(wanted, found)) return
        if (!found.includes(' ') && found !== 'RootWebArea')
          throw new Error(`'${found}' has no name, after ${passed.join(', ')}`)
        passed.push(found)
      }
      throw new Error(`${wanted} is not among ${passed.join(', ')}`)
    },
    /** By the palette, which needs no way there. */
    async find(words: string, option: string) {
      await page.keyboard.press('Control+k')
      await expectFocus('combobox Where to go')
      await page.keyboard.type(words)
      await expect(page.getByRole('option', { selected: true })).toHaveText(option)
      await page.keyboard.press('Enter')
    },
  }
}

test('the main jobs are done by keyboard, and whatever has the focus says what it is', async ({ page }) => {
  const { expectFocus, press, goTo, find } = await withKeyboard(page)

  await test.step('sign in', async () => {
    await page.goto('/ui/')
    await expectFocus('textbox Login')
    await page.keyboard.type('admin')
    await goTo('textbox Password')
    await page.keyboard.type('correct horse battery')
    await press('Enter')
    await expect(page).toHaveURL('/ui/streams')
  })

  const uid = await uidOf(page, 'Gate')
  await waitForArchive(page, uid, Date.now() - hour)
  const player = page.getByRole('region', { name: 'Player' })
  const timeline = player.getByRole('slider', { name: 'Timeline' })
  const isPlaying = () =>
    player
      .locator('video')
      .evaluate((video) => video instanceof HTMLVideoElement && !video.paused && video.readyState >= 2)

  await test.step('open a stream from the list', async () => {
    await expect(page.getByRole('link', { name: 'Gate' }).first()).toBeVisible()
    await goTo(/^link (?:Gate|Harbour|Yard|Court)/)
    for (let presses = 0; presses < 12 && (await page.locator(':focus').textContent())?.trim() !== 'Gate'; presses += 1)
      await press('ArrowRight')
    await expectFocus('link Gate')
    await press('Enter')
    await expect.poll(isPlaying).toBe(true)
  })

  await test.step('pause, seek and step', async () => {
    await goTo('button Pause')
    await press('Enter')
    await expectFocus('button Play')
    await goTo('slider Timeline')
    await press('Home')
    await expect(player).toHaveAttribute('data-view-mode', 'archive')
    await expect(timeline).toHaveAttribute('aria-valuetext', /, recorded/)
    await goTo('button Next frame', 'Shift+Tab')
    await expect
      .poll(() =>
        player.locator('video').evaluate((video) => video instanceof HTMLVideoElement && video.readyState >= 2),
      )
      .toBe(true)
    const before = await player
      .locator('video')
      .evaluate((video) => (video instanceof HTMLVideoElement ? video.currentTime : 0))
    await press('Enter')
    await expect
      .poll(() =>
        player.locator('video').evaluate((video) => (video instanceof HTMLVideoElement ? video.currentTime : 0)),
      )
      .toBeGreaterThan(before)
    await expectFocus('button Next frame')
  })

  await test.step('look for a day, read the timeline as a list, and go live', async () => {
    await goTo('button Calendar')
    await press('Enter')
    await expectFocus(/^gridcell \w+day/)
    await press('ArrowUp')
    await expectFocus(/^gridcell \w+day/)
    await press('Escape')
    await expectFocus('button Calendar')
    await goTo('button Events and recordings')
    await press('Enter')
    const moments = page.getByRole('complementary', { name: 'Events and recordings' })
    await expect(moments).toBeVisible()
    await goTo('button Recordings')
    await press('Enter')
    await expect(moments.getByRole('listitem').filter({ hasText: 'recorded' }).first()).toBeVisible()
    await goTo('button Go live', 'Shift+Tab')
    await press('Enter')
    await expect(player).toHaveAttribute('data-view-mode', 'live')
  })

  await test.step('watch a mosaic and one of its tiles', async () => {
    const cells = [0, 1].map((x) => ({ streamUid: uid, x, y: 0, w: 1, h: 1 }))
    await page.request.post('/v1/mosaic', {
      data: { name: 'By hand', columns: 2, rows: 1, cells },
      headers: { origin: new URL(page.url()).origin },
    })
    await find('By hand', 'By hand')
    const wall = page.getByRole('region', { name: 'By hand' })
    await expect(wall.getByRole('article')).toHaveCount(2)
    await goTo('button Enlarge Gate')
    await press('Enter')
    await expectFocus('button Show all')
    await expect(wall.getByRole('article')).toHaveCount(1)
    await press('Escape')
    await expect(wall.getByRole('article')).toHaveCount(2)
  })

  await test.step('add a stream', async () => {
    await find('Add stream', 'Add stream')
    await expectFocus('textbox Stream source')
    await page.keyboard.type('demo:gate')
    await goTo('textbox Name')
    await page.keyboard.type('By hand')
    await goTo('button Add stream')
    await press('Enter')
    await expect(page).toHaveURL(/\/ui\/stream\/[^/]+\/view/)
    await expect(page.getByRole('banner')).toContainText('By hand')
  })
})

test('the keys of a player work before anything in it has the focus, on a Russian layout too, and in it alone where that is chosen', async ({
  page,
}) => {
  await signIn(page)
  const uid = await uidOf(page, 'Gate')
  await waitForArchive(page, uid, Date.now() - hour)
  await openAt(page, uid, Date.now() - hour)
  const cdp = await page.context().newCDPSession(page)
  const player = page.getByRole('region', { name: 'Player' })
  const button = (name: string) => player.getByRole('button', { name, exact: true })
  const menuButton = page.getByRole('banner').getByRole('button', { name: 'Menu' })
  const keysReach = page.getByLabel("The player's keys work on the whole page")

  await test.step('at once, wherever the letter is printed', async () => {
    await expect(button('Pause')).toBeVisible()
    await page.keyboard.press('Space')
    await expect(button('Play')).toBeVisible()
    for (const type of ['keyDown', 'keyUp'] as const)
      await cdp.send('Input.dispatchKeyEvent', { type, key: 'ш', code: 'KeyI', text: type === 'keyDown' ? 'ш' : '' })
    await expect(player.getByRole('region', { name: 'Selection' })).toContainText('Press O to mark the end')
  })

  await test.step('but not what a button, a menu or a field takes for itself', async () => {
    await menuButton.focus()
    await page.keyboard.press('Space')
    await expect(page.getByRole('menu')).toBeVisible()
    await page.keyboard.press('7')
    await page.keyboard.press('Escape')
    await expect(menuButton).toBeFocused()
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('combobox', { name: 'Where to go' })).toBeFocused()
    await page.keyboard.press('7')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('combobox', { name: 'Where to go' })).toBeHidden()
    await expect(button('Play')).toBeVisible()
    await page.keyboard.press('k')
    await expect(button('Pause')).toBeVisible()
    await expect(button('Speed 1×')).toBeVisible()
  })

  await test.step('switched off, in the player alone', async () => {
    await page.keyboard.press('?')
    await keysReach.uncheck()
    await page.keyboard.press('Escape')
    await expect(keysReach).toBeHidden()
    await menuButton.focus()
    await page.keyboard.press('7')
    await page.keyboard.press('?')
    await button('Snapshot').focus()
    await page.keyboard.press('k')
    await expect(button('Play')).toBeVisible()
    await expect(button('Speed 1×')).toBeVisible()
    await expect(keysReach).toBeHidden()
    await page.goto('/ui/help')
    await expect(keysReach).not.toBeChecked()
  })
})
