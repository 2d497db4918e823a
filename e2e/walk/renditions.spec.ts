import { expect } from 'playwright/test'
import { minute } from './altered-server.ts'
import { test } from './player.ts'

const renditions = ['main', 'sub']
const narrow = { width: 600, height: 900 }
const wide = { width: 1440, height: 900 }
const switched = ['media.ready always, when isOtherRendition', 'media.switching engine.loaded']

test('a picture that gets small takes the substream; the last frame stays meanwhile, and its time', async ({
  page,
  player,
  server,
  trail,
}) => {
  server.alter({ streamChanges: { renditions } })
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname.endsWith('/index.m3u8')) asked.push(searchParams.get('rendition') ?? 'main')
  })
  await trail.takes(['media media.offered, when canPlay', 'media picture.resized', 'media.loading engine.loaded'], () =>
    player.open({ at: Date.now() - 30 * minute }),
  )
  await player.expectPlaying()
  await player.key('k')
  await expect(player.button('Play')).toBeVisible()
  const moment = player.region.locator('time').first()
  const still = player.region.locator('canvas[aria-hidden="true"]').first()
  const before = await moment.getAttribute('datetime')
  server.alter({ playlist: 'held' })
  await trail.takes(['media.ready always, when isOtherRendition'], () => page.setViewportSize(narrow))
  await expect(still).toBeVisible()
  await expect(moment).toHaveAttribute('datetime', before ?? '')
  await trail.takes(['media.switching engine.loaded'], async () => server.alter({ playlist: 'served' }))
  await expect(still).toBeHidden()
  await expect(moment).toHaveAttribute('datetime', before ?? '')
  await expect(player.button('Play')).toBeVisible()

  const choose = async (item: string) => {
    await player.button('Show more').click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await trail.takes(['media media.magnified', ...switched], () => choose('Magnify'))
  await expect(moment).toHaveAttribute('datetime', before ?? '')
  await trail.takes(switched, () => choose('Shrink'))
  await trail.takes(switched, () => page.setViewportSize(wide))
  await trail.takes(['media media.rateChosen', ...switched], () => player.key('5'))
  await expect(moment).toHaveAttribute('datetime', before ?? '')
  await player.key('k')
  await player.expectPlaying()
  await player.region.getByRole('button', { name: 'Statistics' }).click()
  await expect(player.region.getByText('Substream: fast playback')).toBeVisible()
  expect(asked).toEqual(['main', 'sub', 'main', 'sub', 'main', 'sub'])
})

test('a picture that gets small while it loads begins with the substream', async ({ page, player, server, trail }) => {
  server.alter({ streamChanges: { renditions }, playlist: 'held' })
  await trail.takes(['media picture.resized', 'media media.loadRequested'], () =>
    player.open({ at: Date.now() - 30 * minute }),
  )
  await trail.takes(['media.loading always, when isOtherRendition'], () => page.setViewportSize(narrow))
  server.alter({ playlist: 'served' })
  await player.expectPlaying()
})

test('a browser that can not play the camera takes the compatible picture, and says so', async ({
  player,
  server,
  trail,
}) => {
  const note = player.region.getByText("Transcoded video: this browser can't play H.265")
  const compatible = { renditions: ['main', 'compatible'] }
  const mainOnly = { renditions: ['main'] }
  server.alter({ streamChanges: compatible, codecs: 'hvc1.1.6.L93.B0' })
  await trail.takes(['media.loading engine.failed, when hasOtherRendition', 'media.loading engine.loaded'], () =>
    player.open(),
  )
  await expect(note).toBeVisible()
  await player.expectPlaying()

  const video = { codec: 'hvc1.1.6.L93.B0', width: 3840, height: 2160, fps: 25 }
  server.alter({ streamChanges: mainOnly, codecs: null })
  await player.open()
  await player.expectPlaying()
  await expect(note).toBeHidden()
  await trail.takes(['media media.offered, otherwise', ...switched], async () =>
    server.alter({ streamChanges: { ...compatible, video } }),
  )
  await expect(note).toBeVisible()
  await player.expectPlaying()

  server.alter({ streamChanges: mainOnly, codecs: 'hvc1.1.6.L93.B0' })
  await trail.takes(['media.loading engine.failed, when isUnplayable'], () => player.open())
  await expect(player.region.getByText("This browser can't play H.265")).toBeVisible()
  await trail.takes(['media.unplayable always, when isOtherRendition', 'media.loading engine.loaded'], async () =>
    server.alter({ streamChanges: compatible }),
  )
  await player.expectPlaying()

  server.alter({ streamChanges: mainOnly })
  await trail.takes(['media.loading engine.failed, when isUnplayable'], () => player.open())
  await trail.takes(['media.unplayable always, when isMainPlayable', 'media.loading engine.loaded'], async () =>
    server.alter({ streamChanges: { ...mainOnly, video: { ...video, codec: 'avc1.640028' } }, codecs: null }),
  )
  await player.expectPlaying()
})
