import type { Hand } from './hand.ts'

export const inPlayer = (name: string) => ({ role: 'button', name, within: 'Player' })

export const isIn = async (hand: Hand, mode: 'live' | 'archive'): Promise<void> =>
  void (await hand.until(
    () => hand.find({ role: 'region', name: 'Player' }),
    ({ attributes }) => attributes['data-view-mode'] === mode,
    `the player is in ${mode}`,
  ))

/** Presses the timeline at a moment. */
export async function pressTimeline(hand: Hand, at: number): Promise<void> {
  const { attributes, left, width, y } = await hand.find({ role: 'slider', name: 'Timeline' })
  const [from, to] = [Number(attributes['aria-valuemin']) * 1000, Number(attributes['aria-valuemax']) * 1000]
  await hand.clickAt(left + ((at - from) / (to - from)) * width, y)
}

export const uidOf = (hand: Hand, stream: string): Promise<string> =>
  hand.engine.evaluate(async (wanted): Promise<string> => {
    const { items } = await (await fetch('/v1/streams')).json()
    return items.find(({ name }: { name: string }) => name === wanted).uid
  }, stream)

/** The path of one of a stream's pages. */
export const pathOf = async (hand: Hand, stream: string, page: string): Promise<string> =>
  `/ui/stream/${await uidOf(hand, stream)}/${page}`

/** The demo archive is made in the background after the first start; waits until it holds a moment. */
export async function waitForArchive(hand: Hand, stream: string, at: number): Promise<void> {
  const uid = await uidOf(hand, stream)
  const query = new URLSearchParams({
    start_time: new Date(at - 60_000).toISOString(),
    end_time: new Date(at + 60_000).toISOString(),
  })
  const statuses = () =>
    hand.engine.evaluate(async (path): Promise<number[]> => {
      const { ranges } = await (await fetch(path)).json()
      return ranges.map(({ status }: { status: number }) => status)
    }, `/v1/stream/${uid}/archive/ranges?${query}`)
  await hand.until(statuses, (all) => all.every((status) => status !== 0), 'the archive is made', 240_000)
}

/** Closes a menu where it is still open. */
export async function leave(hand: Hand): Promise<void> {
  await hand.press('Escape')
  await hand.until(
    () => hand.engine.evaluate(() => document.querySelector('[role=menu]') === null),
    (isClosed) => isClosed,
    'the menu is closed',
  )
}
