import { expect } from 'playwright/test'
import type { Tab } from './tab.ts'
import { type FoundElement, type Target, locate } from './in-page.ts'

/** The code points of WebDriver for keys without a character (WebDriver §15). */
const keys = {
  Enter: '\uE007',
  Escape: '\uE00C',
  Backspace: '\uE003',
  Control: '\uE009',
  Tab: '\uE004',
  End: '\uE010',
  Home: '\uE011',
} as const

type Key = keyof typeof keys

/** Does what a user does in a tab and waits for the results. */
export interface Driver {
  readonly tab: Tab
  find(target: Target): Promise<FoundElement>
  /** Reads until the value is as expected, and returns it; `what` is the message of a timeout. */
  waitFor<Value>(
    read: () => Promise<Value>,
    isExpected: (value: Value) => boolean,
    what: string,
    timeoutMs?: number,
  ): Promise<Value>
  waitUntilGone(target: Target): Promise<void>
  click(target: Target): Promise<void>
  clickAt(x: number, y: number): Promise<void>
  enterText(target: Target, text: string): Promise<void>
  type(text: string): Promise<void>
  press(key: Key | string, held?: Key): Promise<void>
  path(): Promise<string>
  waitForPath(path: string): Promise<void>
}

const codeOf = (key: string): string => Object.entries(keys).find(([name]) => name === key)?.[1] ?? key

export function driverOf(tab: Tab): Driver {
  const waitFor: Driver['waitFor'] = async (read, isExpected, what, timeoutMs = 80_000) => {
    let value = await read()
    await expect
      .poll(
        async () => {
          if (isExpected(value)) return true
          value = await read()
          return isExpected(value) || value
        },
        { message: what, intervals: [50, 100, 200], timeout: timeoutMs },
      )
      .toBe(true)
    return value
  }
  const query = (target: Target) => tab.evaluate(locate, target)
  const nameOf = (target: Target) =>
    `${target.role} “${target.name}”${target.within === undefined ? '' : ` in “${target.within}”`}`
  const find: Driver['find'] = async (target) => {
    const found = await waitFor(
      () => query(target),
      (element) => element !== null,
      `${nameOf(target)} is there`,
    )
    if (found === null) throw new Error(nameOf(target))
    return found
  }
  const mouse = (actions: readonly object[]) =>
    tab.act([{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }])
  const move = (x: number, y: number) => ({ type: 'pointerMove', x: Math.round(x), y: Math.round(y), duration: 0 })
  const clickAt: Driver['clickAt'] = (x, y) =>
    mouse([move(x, y), { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 }])
  const click: Driver['click'] = async (target) => {
    // Moves the mouse first, as controls that have faded come back then.
    const { x, y } = await find(target)
    await mouse([move(x - 1, y), move(x, y)])
    let before: FoundElement | null = null
    const found = await waitFor(
      async () => {
        const now = await query(target)
        const isStill = now !== null && before !== null && now.x === before.x && now.y === before.y
        before = now
        return { now, isStill }
      },
      ({ now, isStill }) => isStill && now?.isOnTop === true && now.attributes['disabled'] === undefined,
      `${nameOf(target)} can be pressed`,
    )
    await clickAt(found.now?.x ?? 0, found.now?.y ?? 0)
  }
  const keyboard = (actions: readonly object[]) => tab.act([{ type: 'key', id: 'keyboard', actions }])
  const down = (key: string) => ({ type: 'keyDown', value: codeOf(key) })
  const up = (key: string) => ({ type: 'keyUp', value: codeOf(key) })
  const type: Driver['type'] = (text) => keyboard([...text].flatMap((letter) => [down(letter), up(letter)]))
  const press: Driver['press'] = (key, held) =>
    keyboard(held === undefined ? [down(key), up(key)] : [down(held), down(key), up(key), up(held)])
  const path = () => tab.evaluate(() => location.pathname)
  return {
    tab,
    find,
    waitFor,
    waitUntilGone: async (target) =>
      void (await waitFor(
        () => query(target),
        (element) => element === null,
        `${nameOf(target)} is gone`,
      )),
    click,
    clickAt,
    async enterText(target, text) {
      await click(target)
      await waitFor(
        () => query(target),
        (element) => element?.isFocused === true,
        `${nameOf(target)} has the focus`,
      )
      await press('a', 'Control')
      await press('Backspace')
      await type(text)
      await waitFor(
        () => query(target),
        (element) => element?.value === text,
        `${nameOf(target)} has the value “${text}”`,
      )
    },
    type,
    press,
    path,
    waitForPath: async (expected) =>
      void (await waitFor(path, (current) => current === expected, `the path is ${expected}`)),
  }
}
