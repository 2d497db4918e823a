import type { Driver } from './driver.ts'

export const inPlayer = (name: string) => ({ role: 'button', name, within: 'Player' })

export const waitForMode = async (driver: Driver, mode: 'live' | 'archive'): Promise<void> =>
  void (await driver.waitFor(
    () => driver.find({ role: 'region', name: 'Player' }),
    ({ attributes }) => attributes['data-view-mode'] === mode,
    `the player is in ${mode}`,
  ))

/** Clicks the timeline at a moment in epoch milliseconds. */
export async function pressTimeline(driver: Driver, at: number): Promise<void> {
  const { attributes, left, width, y } = await driver.find({ role: 'slider', name: 'Timeline' })
  const [from, to] = [Number(attributes['aria-valuemin']) * 1000, Number(attributes['aria-valuemax']) * 1000]
  await driver.clickAt(left + ((at - from) / (to - from)) * width, y)
}

export const uidOf = (driver: Driver, stream: string): Promise<string> =>
  driver.tab.evaluate(async (streamName): Promise<string> => {
    const { items } = await (await fetch('/v1/streams')).json()
    return items.find(({ name }: { name: string }) => name === streamName).uid
  }, stream)

/** The path of a page of a stream. */
export const pathOf = async (driver: Driver, stream: string, page: string): Promise<string> =>
  `/ui/stream/${await uidOf(driver, stream)}/${page}`

/** Waits until the demo archive, which is made in the background after the first start, contains a moment. */
export async function waitForArchive(driver: Driver, stream: string, at: number): Promise<void> {
  const uid = await uidOf(driver, stream)
  const query = new URLSearchParams({
    start_time: new Date(at - 60_000).toISOString(),
    end_time: new Date(at + 60_000).toISOString(),
  })
  const statuses = () =>
    driver.tab.evaluate(async (path): Promise<number[]> => {
      const { ranges } = await (await fetch(path)).json()
      return ranges.map(({ status }: { status: number }) => status)
    }, `/v1/stream/${uid}/archive/ranges?${query}`)
  await driver.waitFor(statuses, (all) => all.every((status) => status !== 0), 'the archive is made', 240_000)
}

/** Closes the menu if it is open. */
export async function closeMenu(driver: Driver): Promise<void> {
  await driver.press('Escape')
  await driver.waitFor(
    () => driver.tab.evaluate(() => document.querySelector('[role=menu]') === null),
    (isClosed) => isClosed,
    'the menu is closed',
  )
}
