import { expect, type Page } from 'playwright/test'
import { minute, second } from './altered-server.ts'
import { test, type PlayerScreen } from './player.ts'

const hour = 60 * minute

const lengthOf = ({ from, to }: { from: number; to: number }) => to - from

async function period(player: PlayerScreen): Promise<{ from: number; to: number }> {
  const [from = 0, to = 0] = await Promise.all(
    ['aria-valuemin', 'aria-valuemax'].map(async (name) => Number(await player.timeline.getAttribute(name)) * second),
  )
  return { from, to }
}

async function drag(page: Page, from: { x: number; y: number }, toX: number): Promise<void> {
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(toX, from.y, { steps: 4 })
  await page.mouse.up()
}

async function wheel(page: Page, player: PlayerScreen, at: number, deltaY: number): Promise<void> {
  const { x, y } = await player.pointOf(at)
  await page.mouse.move(x, y)
  await page.mouse.wheel(0, deltaY)
}

test('moving, zooming and centring the band', async ({ page, player, server, trail }) => {
  const now = Math.floor(Date.now() / second) * second
  const at = now - 30 * minute
  server.alter({ recorded: [{ from: now - 20 * hour, to: now }] })
  await trail.takes(
    [
      'timeline timeline.resized',
      'timeline timeline.ticked, otherwise',
      'timeline timeline.liveChanged',
      'timeline chunks.changed',
      'timeline coverage.changed',
      'timeline.idle timeline.pickRequested',
      'timeline.searching always, when isAnswered',
      'timeline.searching always, when isUnrequested',
    ],
    () => player.open({ at, span: '7200' }),
  )
  await player.expectPlaying()
  const expectLength = (length: number) =>
    expect.poll(async () => Math.abs(lengthOf(await period(player)) - length)).toBeLessThan(5 * second)
  await expectLength(2 * hour)
  await trail.takes(['timeline timeline.zoomedIn'], () => player.button('Zoom in').click())
  await expectLength((2 * hour) / 1.5)
  await trail.takes(['timeline timeline.zoomedOut'], () => player.button('Zoom out').click())
  await expectLength(2 * hour)
  const first = (await period(player)).from
  await trail.takes(['timeline timeline.movedEarlier'], () => player.button('Earlier').click())
  const expectFrom = (from: number) =>
    expect.poll(async () => Math.abs((await period(player)).from - from)).toBeLessThan(2 * second)
  await expectFrom(first - hour / 2)
  await trail.takes(['timeline timeline.movedLater'], () => player.button('Later').click())
  await expectFrom(first)
  await trail.takes(['timeline timeline.centred'], () => player.button('Centre').click())
  const middle = ({ from, to }: { from: number; to: number }) => (from + to) / 2
  // The playhead, in the middle then, has left the moment by what has played since.
  await expect.poll(async () => Math.abs(middle(await period(player)) - at)).toBeLessThan(5 * minute)
  const before = await period(player)
  const { x, y } = await player.pointOf(at)
  await trail.takes(['timeline timeline.panned'], () => drag(page, { x, y }, x + 100))
  await expect.poll(async () => (await period(player)).from).toBeLessThan(before.from)
  await trail.takes(['timeline timeline.zoomedAt'], () => wheel(page, player, at, -400))
  await expect.poll(async () => lengthOf(await period(player))).toBeLessThan(1.5 * hour)
})

test('the band follows a playhead that leaves it', async ({ page, player, server, trail }) => {
  const now = Math.floor(Date.now() / second) * second
  const at = now - 30 * minute
  server.alter({ recorded: [{ from: now - 20 * hour, to: now }] })
  await player.open({ at, span: '300' })
  await player.expectPlaying()
  const before = await period(player)
  const box = await player.timeline.boundingBox()
  if (box === null) throw new Error('no timeline')
  const rightEnd = box.x + box.width - 32
  await trail.takes(['timeline timeline.ticked, when hasPlayheadLeftPeriod'], async () => {
    await drag(page, await player.pointOf(at), rightEnd)
    await expect.poll(async () => (await period(player)).to).toBeLessThan(before.to)
  })
  await expect.poll(async () => (await period(player)).to).toBeGreaterThan(before.to)
})

test('questions whose answer is not known yet', async ({ player, server, trail }) => {
  const now = Math.floor(Date.now() / second) * second
  const [earlier, later] = [
    { from: now - 40 * minute, to: now - 30 * minute },
    { from: now - 20 * minute, to: now - 10 * minute },
  ] as const
  server.alter({ recorded: [earlier, later], annotated: [now - 35 * minute] })
  await player.open({ at: now - 36 * minute, span: '300' })
  await player.expectPlaying()
  await trail.takes(['timeline.idle timeline.nextRequested'], () => player.key(']'))
  await player.expectShown(later)
  await trail.takes(['timeline.idle timeline.previousRequested'], () => player.key('['))
  await player.expectShown(earlier)
  await trail.takes(['timeline.idle timeline.annotationRequested'], () => player.key('}'))

  server.alter({ ranges: 'held', settingsChanges: { rangesMaxSeconds: 60 } })
  await player.open()
  await player.expectPlaying()
  /** A question that is given up before the next one comes is asked again. */
  const asks = (at: number, edges: readonly string[], next: () => Promise<unknown>) =>
    trail.takesInTime(edges, async () => {
      await player.pick(at)
      await next()
    })
  await asks(
    now - 3 * hour,
    [
      'timeline.idle timeline.pickRequested',
      'timeline.searching always, when isUnrequested',
      'timeline.searching timeline.previousRequested',
    ],
    () => player.key('['),
  )
  await asks(
    now - 3 * hour,
    ['timeline.searching timeline.annotationRequested', 'timeline.searching always, when isAnswered'],
    () => player.key('}'),
  )
  await asks(
    now - 3 * hour,
    ['timeline.searching timeline.nextRequested', 'timeline.searching always, when isAnswered'],
    () => player.key(']'),
  )
  await asks(now - 3 * hour, ['timeline.searching timeline.searchCancelled'], () => player.button('Go live').click())
  await asks(now - 2 * hour, ['timeline.searching timeline.pickRequested'], () => player.pick(now - 35 * minute))
  await trail.takes(['timeline.searching always, when isRefused'], async () => server.alter({ ranges: 500 }))
})
