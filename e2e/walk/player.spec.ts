import { expect } from 'playwright/test'
import { minute, second, type Fragment } from './altered-server.ts'
import { test } from './player.ts'

test.describe.configure({ mode: 'parallel' })

test('live: what the controls and the keys do', async ({ page, player, trail }) => {
  await trail.takes(
    [
      'player.view.starting always, otherwise',
      'player.view.live.deciding always, when hasStream',
      'media media.loadRequested',
      'media.loading engine.loaded',
      'media.ready.resting engine.played',
      'player media.running, otherwise',
      'media media.loopChosen',
    ],
    () => player.open(),
  )
  await player.expectMode('live')
  await player.expectPlaying()

  await trail.takes(
    [
      'player pause.requested',
      'media media.pauseRequested',
      'media.ready.running engine.paused',
      'player media.resting',
    ],
    () => player.key('k'),
  )
  await expect(player.button('Play')).toBeVisible()
  await trail.takes(['player step.requested', 'media.ready media.stepRequested', 'media.ready engine.sought'], () =>
    player.button('Previous frame').click(),
  )
  await trail.takes(['player play.requested', 'media media.playRequested', 'media.ready.resting engine.played'], () =>
    player.button('Play').click(),
  )
  await player.expectPlaying()
  await trail.takes(
    ['player.view live.requested, when canGoLive', 'media.ready media.loadRequested, when isLiveAlready'],
    () => player.button('Go live').click(),
  )

  await trail.takes(['player mute.toggled', 'media media.muteToggled'], () => player.key('m'))
  await trail.takes(['player volume.chosen', 'media media.volumeChosen'], () =>
    player.region.getByLabel('Volume').fill('0.3'),
  )
  await expect(player.button('Mute')).toHaveAttribute('aria-pressed', 'false')

  await trail.takes(['player speed.chosen', 'media media.rateChosen', 'media.ready engine.edgeReached'], () =>
    player.key('4'),
  )
  await expect(player.button('Speed 1×')).toBeVisible()

  await trail.takes(['player.screen.windowed fullScreen.toggled', 'player.screen.windowed screen.filled'], () =>
    player.key('f'),
  )
  await expect(player.button('Full screen')).toHaveAttribute('aria-pressed', 'true')
  await trail.takes(['player.screen.full fullScreen.toggled', 'player.screen.full screen.left'], () => player.key('f'))
  await expect(player.button('Full screen')).toHaveAttribute('aria-pressed', 'false')

  const saved = page.waitForEvent('download')
  await trail.takes(['player.snapshot.idle snapshot.requested', 'player.snapshot.taking done takeSnapshot'], () =>
    player.button('Snapshot').click(),
  )
  expect((await saved).suggestedFilename()).toMatch(/^Gate .*\.png$/)

  await trail.takes(['player.panel panel.opened, when isCalendar'], () => player.button('Calendar').click())
  await expect(page.getByRole('grid').first()).toBeVisible()
  await trail.takes(['player.panel panel.closed'], () => page.keyboard.press('Escape'))
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await trail.takes(['player.panel panel.opened, when canBookmark'], () => player.key('b'))
  await page.getByRole('dialog').getByRole('textbox').fill('the walk')
  await trail.takes(['player.panel.bookmark done bookmark'], () => page.keyboard.press('Enter'))
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await trail.takes(['player zone.chosen', 'timeline timeline.zoneChosen'], async () => {
    await player.region.getByRole('button', { name: /Time zone|Berlin/ }).click()
    await page.getByLabel('Find a time zone').fill('Tokyo')
    await page.keyboard.press('Enter')
  })
  await expect(player.region.getByRole('button', { name: /Tokyo/ })).toBeVisible()
  await trail.takes(['media.ready.running.playing after settledAfter'], () => player.expectPlaying())
})

test('a stream that is elsewhere, paused, or back', async ({ page, player, server, trail }) => {
  const away = { node: { id: 'other', available: false } }
  const here = { node: { id: 'other', available: true } }
  const unavailable = player.region.getByText('The stream is unavailable')
  const paused = player.region.getByText('The stream is paused')
  server.alter({ settingsChanges: { clusterEnabled: true, nodeId: 'this' }, streamChanges: away })
  await trail.takes(['player.view.live.deciding always, when isUnavailable', 'media media.unloadRequested'], () =>
    player.open(),
  )
  await expect(unavailable).toBeVisible()
  await trail.takes(
    [
      'player stream.reported',
      'player.view.live.empty always, when isAvailable',
      'player.view.live.deciding always, when isHalted',
    ],
    async () => server.alter({ streamChanges: { ...here, status: 'paused' } }),
  )
  await expect(paused).toBeVisible()
  await trail.takes(['player.view.live.halted always, when isUnavailable'], async () =>
    server.alter({ streamChanges: { ...away, status: 'paused' } }),
  )
  await expect(unavailable).toBeVisible()
  await trail.takes(
    ['player.view.live.empty always, when isAvailable', 'player.view.live.deciding always, when hasStream'],
    async () => server.alter({ streamChanges: here }),
  )
  await player.expectPlaying()
  await trail.takes(['player.view.live.watching always, when isHalted'], async () =>
    server.alter({ streamChanges: { ...here, status: 'paused' } }),
  )
  await expect(paused).toBeVisible()
  await trail.takes(['player.view.live.halted always, when isResumed'], async () =>
    server.alter({ streamChanges: here }),
  )
  await player.expectPlaying()
  await trail.takes(['player.view.live.watching always, when isUnavailable'], async () =>
    server.alter({ streamChanges: away }),
  )
  await expect(unavailable).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('live that does not come, is refused, can not be played, or breaks off', async ({
  page,
  player,
  server,
  trail,
}) => {
  const retry = player.region.getByRole('button', { name: 'Retry' })
  const none = player.region.getByText('No live picture')
  server.alter({ playlist: 500, streamChanges: { renditions: ['main'] } })
  await trail.takes(['media.loading engine.failed, otherwise'], () => player.open())
  await expect(none).toBeVisible()
  await trail.takes(['media.interrupted after retryPause', 'media.loading engine.failed, otherwise'], () =>
    expect(none).toBeVisible(),
  )
  await trail.takesInTime(['player retry.requested', 'media.interrupted media.retried'], () => retry.click())
  await expect(none).toBeVisible()
  await trail.takesInTime(['media.interrupted media.playRequested'], async () => {
    await player.button('Pause').click()
    await player.button('Play').click()
  })
  server.alter({ playlist: 403 })
  await trail.takes(['media.loading engine.failed, when isForbidden'], () =>
    expect(player.region.getByText('You may not watch this stream live.')).toBeVisible(),
  )
  await trail.takes(['player.snapshot.taking error takeSnapshot'], () => player.button('Snapshot').click())
  server.alter({ playlist: 'served', codecs: 'hvc1.1.6.L93.B0' })
  await trail.takes(['media.forbidden media.retried', 'media.loading engine.failed, when isUnplayable'], () =>
    retry.click(),
  )
  await expect(player.region.getByText("This browser can't play H.265")).toBeVisible()
  server.alter({ codecs: null })
  await trail.takes(['media.unplayable media.retried', 'media.loading engine.loaded'], () => retry.click())
  await player.expectPlaying()
  server.alter({ segments: 'cut' })
  await trail.takes(['media.ready.running.playing engine.stalled', 'media.ready engine.failed, otherwise'], () =>
    expect(none).toBeVisible(),
  )
  server.alter({ segments: 'served' })
  await retry.click()
  await player.expectPlaying()
  server.alter({ segments: 403 })
  await trail.takes(['media.ready engine.failed, when isForbidden'], () =>
    expect(player.region.getByText('You may not watch this stream live.')).toBeVisible(),
  )
  server.alter({ segments: 'served' })
  await retry.click()
  await player.expectPlaying()
  server.alter({ isLiveOver: true })
  await trail.takes(['media.ready engine.ended, when isLive'], () => expect(none).toBeVisible())
  expect(page.url()).not.toContain('at=')
})

test('a stall that is paused, played on and ends', async ({ player, server, trail }) => {
  server.alter({ segments: 'held', segmentsServed: 4 })
  const waiting = player.region.getByText('Waiting for the video…')
  await trail.takes(['media.ready.running.playing engine.stalled'], () => player.open({ at: Date.now() - 30 * minute }))
  await expect(waiting).toBeVisible()
  await trail.takes(['media.ready.running engine.paused'], () => player.key('k'))
  await expect(waiting).toBeHidden()
  await trail.takes(['media.ready.resting engine.stalled'], () => player.key('k'))
  await expect(waiting).toBeVisible()
  await trail.takes(['media.ready.running.stalled engine.played'], async () => server.alter({ segments: 'served' }))
  await player.expectPlaying()
})

test('live that stalls as its camera fails begins anew once it is back', async ({ player, server, trail }) => {
  await player.open()
  await player.expectPlaying()
  await trail.takes(['player stream.reported'], async () =>
    server.alter({ streamChanges: { status: 'failed', failureReason: '' } }),
  )
  server.alter({ segments: 'held' })
  await trail.takes(['media.ready.running.playing engine.stalled'], () =>
    expect(player.region.getByText('Waiting for the video…')).toBeVisible(),
  )
  await trail.takes(['media.ready.running.stalled media.retried, when isLive'], async () =>
    server.alter({ streamChanges: {} }),
  )
  await trail.takes(['media.loading engine.loaded'], async () => server.alter({ segments: 'served' }))
  await player.expectPlaying()
})

/** Nothing sounds before the page was touched; the browser's own rule takes whatever a test looks at for a touch. */
function refuseSound(): void {
  const play = HTMLMediaElement.prototype.play
  const page = { isTouched: false }
  for (const touch of ['pointerdown', 'keydown'])
    addEventListener(touch, () => (page.isTouched = true), { capture: true })
  HTMLMediaElement.prototype.play = function () {
    if (this.muted || page.isTouched) return play.call(this)
    return Promise.reject(new DOMException('the page was not touched', 'NotAllowedError'))
  }
}

/** Nothing plays before the page was touched, with sound or without. */
function refusePlay(): void {
  const play = HTMLMediaElement.prototype.play
  const page = { isTouched: false }
  for (const touch of ['pointerdown', 'keydown'])
    addEventListener(touch, () => (page.isTouched = true), { capture: true })
  HTMLMediaElement.prototype.play = function () {
    if (page.isTouched) return play.call(this)
    return Promise.reject(new DOMException('the page was not touched', 'NotAllowedError'))
  }
}

test('a browser that lets nothing play waits for a press', async ({ page, player, trail }) => {
  await page.addInitScript(refusePlay)
  await trail.takes(['media engine.blocked'], () => player.open())
  await player.button('Play').press('Enter')
  await player.expectPlaying()
})

test.describe('a camera with sound', () => {
  test.use({ camera: 'Yard' })

  test('is muted by the browser until the page is touched', async ({ page, player, trail }) => {
    await page.addInitScript(refuseSound)
    await trail.takes(['media engine.silenced'], () => player.open())
    await player.expectPlaying()
    await trail.takes(['media media.muteToggled'], () =>
      player.region.getByRole('button', { name: 'Turn the sound on' }).press('Enter'),
    )
    await expect(player.button('Mute')).toHaveAttribute('aria-pressed', 'false')
  })
})

/** Two fragments and a gap before, between and after them; all of it is really recorded, so that its video plays. */
function recording(): { first: Fragment; last: Fragment; recorded: Fragment[] } {
  const now = Math.floor(Date.now() / second) * second
  const first = { from: now - 40 * minute, to: now - 30 * minute }
  const last = { from: now - 20 * minute, to: now - 10 * minute }
  return { first, last, recorded: [first, last] }
}

test('going about the archive by the band, the keys, the buttons, the calendar and the address', async ({
  page,
  player,
  server,
  trail,
}) => {
  const { first, last, recorded } = recording()
  server.alter({ recorded, annotated: [first.from + minute, last.from + minute] })
  await trail.takes(
    [
      'player.view.starting always, when startsInArchive',
      'player.view.archive.inGap timeline.picked, when isFragment',
      'player media.running, when isArchive',
      'player.view.archive clock.ticked',
    ],
    () => player.open({ at: first.from + 5 * minute, span: '3600' }),
  )
  await player.expectMode('archive')
  await player.expectPlaying()
  await trail.takes(
    [
      'player moment.requested',
      'player.view timeline.picked, when isFragment',
      'media.ready media.loadRequested, when isLoaded',
      'media.ready engine.sought',
    ],
    () => player.key('ArrowRight'),
  )
  await trail.takes(
    [
      'player skip.requested, when isToFragment',
      'player.view timeline.nextFound, when isFragment',
      'media.ready media.loadRequested, otherwise',
    ],
    () => player.key(']'),
  )
  await player.expectPlaying()
  await trail.takes(
    ['player skip.requested, otherwise', 'player timeline.annotationFound, when isAnnotationFound'],
    () => player.key('}'),
  )
  await trail.takes(['player.view timeline.previousFound, when isFragment'], () => player.key('['))
  await player.expectPlaying()
  await trail.takes(['player.view timeline.picked, when hasNextFragment'], () => player.pick(first.to + 5 * minute))
  await player.expectPlaying()
  await trail.takes(['player.view timeline.nextFound, when isLiveInterval'], () => player.key(']'))
  await player.expectMode('live')
  await player.expectPlaying()
  await trail.takes(['player.view timeline.picked, when isFragment'], () => player.pick(first.from + 2 * minute))
  await player.expectPlaying()
  await trail.takes(['player timeline.spanChanged'], () => player.button('Zoom in').click())
  await expect(page).toHaveURL(/span=2400/)
  await trail.takes(['player.view address.moved, otherwise'], () =>
    page.evaluate(() => {
      location.hash = 'note'
    }),
  )
  // The band goes back to what plays by itself after a while.
  await trail.takesInTime(
    ['timeline timeline.movedLater', 'player.view timeline.picked, when isLiveInterval'],
    async () => {
      for (let quarter = 0; quarter < 4; quarter += 1) await player.button('Later').click()
      await player.timeline.press('End')
      await expect(player.region).toHaveAttribute('data-view-mode', 'live')
    },
  )
  await trail.takes(['player.view address.moved, when isOtherMoment', 'timeline timeline.shown'], () => page.goBack())
  await player.expectMode('archive')
  await trail.takes(['player.view address.moved, when isReturnToLive'], () => page.goForward())
  await player.expectMode('live')
  await trail.takes(['player.panel panel.closed'], async () => {
    await player.button('Calendar').click()
    await page.locator('[data-marked]').last().click()
  })
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('the archive backwards', async ({ player, server, trail }) => {
  const { first, last, recorded } = recording()
  const reversing = 'player.view.archive.reversing'
  server.alter({ recorded })
  await player.open({ at: last.from + 5 * minute, span: '3600' })
  await player.expectPlaying()
  await trail.takes(['player.view.archive.inFragment reverse.requested'], () => player.key('<'))
  await trail.takes(
    [
      `${reversing} reverse.requested`,
      'media.ready engine.startReached',
      `${reversing}.showing media.startReached, otherwise`,
      `${reversing}.searching timeline.precedingFound, when isFragment`,
    ],
    () => player.key('<'),
  )
  await trail.takes([`${reversing} timeline.picked, when isPast`], () => player.pick(first.from + 5 * minute))
  await trail.takes([`${reversing} step.requested`], () => player.key(','))
  await player.key('<')
  await trail.takes([`${reversing} speed.chosen`], () => player.key('3'))
  await player.key('<')
  await trail.takes([`${reversing} pause.requested`], () => player.key('k'))
  const begin = async () => {
    await player.open({ at: first.from + 5 * second })
    await player.expectPlaying()
    await trail.takes([`${reversing}.searching timeline.precedingFound, otherwise`], async () => {
      for (let press = 0; press < 5; press += 1) await player.key('<')
    })
  }
  await begin()
  await expect(player.region.getByText('The recording begins here')).toBeVisible()
  await trail.takes(['player.view.archive.atStart step.requested'], () => player.key('.'))
  await begin()
  await trail.takes(['player.view.archive.atStart play.requested'], () => player.key('k'))
  await player.expectPlaying()
  const at = first.from + 5 * minute
  await player.open({ at, in: at, out: at + minute, loop: '1' })
  await player.expectPlaying()
  await trail.takes([`${reversing}.showing media.startReached, when isAtLoopStart`], () => player.key('<'))
  await expect(player.button('Play')).toBeVisible()
})

test('searches in between that find nothing', async ({ player, server, trail }) => {
  const [inGap, reversing] = ['player.view.archive.inGap', 'player.view.archive.reversing']
  const now = Math.floor(Date.now() / second) * second
  const settingsChanges = { clusterEnabled: true, nodeId: 'this', rangesMaxSeconds: (5 * minute) / second }
  const older = { from: now - 40 * minute, to: now - 38 * minute }
  server.alter({ settingsChanges, annotated: [], recorded: [older], archiveSegments: 2 })
  await trail.takes([`${inGap} timeline.picked, when isFragment`], () =>
    player.open({ at: older.from + minute, span: '300' }),
  )
  server.alter({ ranges: 'held' })
  await trail.takes(['player.view.archive.inFragment media.ended'], () => player.expectMode('archive'))
  await trail.takes([`${inGap} timeline.previousFound, when isNothing`], () => player.key('['))
  await trail.takes([`${inGap} timeline.annotationFound, when isNoAnnotation`], () => player.key('}'))
  await trail.takes([`${inGap} timeline.nextFound, when isLiveInterval`], async () =>
    server.alter({ ranges: 'served' }),
  )
  await player.expectMode('live')

  const recent = { from: now - 5 * minute, to: now - 4 * minute }
  server.restore()
  server.alter({ settingsChanges, annotated: [], recorded: [older, recent] })
  await player.open({ at: recent.from + 5 * second, span: '300' })
  await player.expectPlaying()
  server.alter({ ranges: 'held' })
  // The first start is that of what was loaded, the second that of the fragment.
  await trail.takes(['timeline.searching always, when isUnrequested'], async () => {
    for (let press = 0; press < 5; press += 1) await player.key('<')
  })
  await trail.takes([`${reversing}.searching timeline.annotationFound, when isNoAnnotation`], () => player.key('}'))
  await player.key('[')
  await trail.takes(
    [
      `${reversing}.searching timeline.previousFound, when isNothing`,
      `${reversing}.searching timeline.precedingFound, otherwise`,
    ],
    async () => server.alter({ recorded: [recent], ranges: 'served' }),
  )
  await expect(player.region.getByText('The recording begins here')).toBeVisible()
})

test('marking a range, saving it and playing it over and over', async ({ page, player, server, trail }) => {
  const { first, recorded } = recording()
  server.alter({ recorded })
  await player.open({ at: first.from + 5 * minute })
  await player.expectPlaying()
  await player.key('i')
  await player.key('ArrowRight')
  await trail.takes(['player selection.changed'], () => player.key('o'))
  await trail.takes(['player loop.toggled, when hasSelection'], () => player.key('r'))
  await expect(player.button('Loop')).toHaveAttribute('aria-pressed', 'true')
  await trail.takes(['player loop.toggled, when isLooping'], () => player.button('Loop').click())
  await expect(player.button('Loop')).toHaveAttribute('aria-pressed', 'false')
  await trail.takes(['player.panel panel.opened, when isDownload'], () => player.button('Download selection').click())
  await trail.takes(['player.panel.download clip.chosen'], () =>
    page.getByRole('button', { name: 'Save video' }).click(),
  )
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const at = first.from + 5 * minute
  await trail.takes(['media.ready engine.loopEnded', 'player media.loopEnded'], () =>
    player.open({ at, in: at - minute, out: at + 3 * second, loop: '1' }),
  )
  await expect(player.button('Loop')).toHaveAttribute('aria-pressed', 'true')
  await player.expectPlaying()
})

test('where the address points: a gap, the end, live, beyond a loop', async ({ page, player, server, trail }) => {
  const { first, last, recorded } = recording()
  const cluster = { settingsChanges: { clusterEnabled: true, nodeId: 'this' } }
  server.alter({ recorded })
  await trail.takes(['player.view.archive.inGap timeline.picked, when hasNextFragment'], () =>
    player.open({ at: first.to + minute }),
  )
  await player.expectPlaying()

  /** What is recorded is shown once the stream is known. */
  const openOnceThere = async (query: Readonly<Record<string, number | string>>) => {
    server.alter({ ranges: 'held' })
    const known = page.waitForResponse(/\/v1\/stream\/(?!preview)[\w-]+(?:\?|$)/)
    await player.open(query)
    await known
    await expect(player.region.getByRole('progressbar')).toBeVisible()
    server.alter({ ranges: 'served' })
  }
  await trail.takes(['player.view.archive.inGap timeline.picked, when isLiveNext'], () =>
    openOnceThere({ at: last.to + minute }),
  )
  await player.expectMode('live')
  await trail.takes(['player.view.archive.inGap timeline.picked, when isLiveInterval'], () =>
    openOnceThere({ at: Date.now() - 3 * second }),
  )
  await player.expectMode('live')
  await trail.takes(
    [
      'player.view.archive.inGap timeline.picked, when isBeyondLoop',
      'player.view.archive.inGap timeline.picked, when isFragment',
    ],
    () => player.open({ at: first.to + minute, in: first.to - minute, out: first.to + 2 * minute, loop: '1' }),
  )
  await player.expectMode('archive')
  await player.expectPlaying()
  server.alter({ ...cluster, streamChanges: { node: { id: 'other', available: false } } })
  await trail.takes(['player.view.archive.inGap timeline.picked, otherwise'], () =>
    player.open({ at: last.to + minute }),
  )
  await expect(player.region.getByText('The recording ends here')).toBeVisible()
  await trail.takes(
    ['player.view.archive.atEnd play.requested', 'player.view.archive.inGap timeline.picked, otherwise'],
    () => player.key('k'),
  )
  await expect(player.region.getByText('The recording ends here')).toBeVisible()
  await trail.takes(['player.view.archive.atEnd reverse.requested'], () => player.key('<'))
})

test('what follows when a recording has played to its end', async ({ player, server, trail }) => {
  const { first, last, recorded } = recording()
  const ended = ['player.view.archive.inFragment media.ended', 'media.ready engine.ended, otherwise']
  server.alter({ recorded, archiveSegments: 2 })
  await trail.takes([...ended, 'player.view.archive.inGap timeline.nextFound, when isFragment'], () =>
    player.open({ at: first.from + minute }),
  )
  await player.expectMode('archive')
  await trail.takes([...ended, 'player.view.archive.inGap timeline.nextFound, when isLiveInterval'], () =>
    player.open({ at: last.from + minute }),
  )
  await player.expectMode('live')
  await trail.takes([...ended, 'player.view.archive.inGap timeline.nextFound, when isBeyondLoop'], () =>
    player.open({ at: first.from + 2 * minute, in: first.from + minute, out: first.from + 3 * minute, loop: '1' }),
  )
  await player.expectMode('archive')
  await player.expectPlaying()
})

test('what follows when nobody says what is recorded later', async ({ player, server, trail }) => {
  const { first, recorded } = recording()
  const cell = 15 * minute
  const settingsChanges = { clusterEnabled: true, nodeId: 'this', rangesMaxSeconds: cell / second }
  server.alter({ recorded, archiveSegments: 2, ranges: 500, rangesServedUntil: first.to + cell, settingsChanges })
  const query = { at: first.to - minute, span: '300' }
  await trail.takes(
    ['player.view.archive.inGap timeline.nextFound, when isLiveNext', 'timeline.searching always, when isRefused'],
    () => player.open(query),
  )
  await player.expectMode('live')
  server.alter({ streamChanges: { node: { id: 'other', available: false } } })
  await trail.takes(['player.view.archive.inGap timeline.nextFound, otherwise'], () => player.open(query))
  await expect(player.region.getByText('The recording ends here')).toBeVisible()
  await trail.takes(['player.view.archive.atEnd play.requested'], () => player.button('Play').click())
  await expect(player.region.getByText('The recording ends here')).toBeVisible()
  // Play first asks once more what follows.
  await trail.takesInTime(['player.view.archive.atEnd step.requested'], () => player.key(','))
})
