import { expect } from 'playwright/test'
import type { Engine } from './engine.ts'
import { type Found, type Sought, locate } from './in-page.ts'

/** Keys by the code points of Unicode's private use area that WebDriver has for them. */
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

/** What a person does, and what is seen then; everything is waited for. */
export interface Hand {
  readonly engine: Engine
  find(sought: Sought): Promise<Found>
  /** Asks until the answer is as wanted, and gives it. */
  until<Answer>(
    ask: () => Promise<Answer>,
    isWanted: (answer: Answer) => boolean,
    what: string,
    timeoutMs?: number,
  ): Promise<Answer>
  isGone(sought: Sought): Promise<void>
  click(sought: Sought): Promise<void>
  clickAt(x: number, y: number): Promise<void>
  write(sought: Sought, text: string): Promise<void>
  type(text: string): Promise<void>
  press(key: Key | string, held?: Key): Promise<void>
  path(): Promise<string>
  leadsTo(path: string): Promise<void>
}

const codeOf = (key: string): string => Object.entries(keys).find(([name]) => name === key)?.[1] ?? key

export function handOf(engine: Engine): Hand {
  const until: Hand['until'] = async (ask, isWanted, what, timeoutMs = 80_000) => {
    let answer = await ask()
    await expect
      .poll(
        async () => {
          if (isWanted(answer)) return true
          answer = await ask()
          return isWanted(answer) || answer
        },
        { message: what, intervals: [50, 100, 200], timeout: timeoutMs },
      )
      .toBe(true)
    return answer
  }
  const look = (sought: Sought) => engine.evaluate(locate, sought)
  const nameOf = (sought: Sought) =>
    `${sought.role} “${sought.name}”${sought.within === undefined ? '' : ` in “${sought.within}”`}`
  const find: Hand['find'] = async (sought) => {
    const found = await until(
      () => look(sought),
      (one) => one !== null,
      `${nameOf(sought)} is there`,
    )
    if (found === null) throw new Error(nameOf(sought))
    return found
  }
  const mouse = (actions: readonly object[]) =>
    engine.act([{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }])
  const move = (x: number, y: number) => ({ type: 'pointerMove', x: Math.round(x), y: Math.round(y), duration: 0 })
  const clickAt: Hand['clickAt'] = (x, y) =>
    mouse([move(x, y), { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 }])
  const click: Hand['click'] = async (sought) => {
    // Controls that have faded come back.
    const { x, y } = await find(sought)
    await mouse([move(x - 1, y), move(x, y)])
    let before: Found | null = null
    const found = await until(
      async () => {
        const now = await look(sought)
        const isStill = now !== null && before !== null && now.x === before.x && now.y === before.y
        before = now
        return { now, isStill }
      },
      ({ now, isStill }) => isStill && now?.isOnTop === true && now.attributes['disabled'] === undefined,
      `${nameOf(sought)} can be pressed`,
    )
    await clickAt(found.now?.x ?? 0, found.now?.y ?? 0)
  }
  const strokes = (some: readonly object[]) => engine.act([{ type: 'key', id: 'keyboard', actions: some }])
  const down = (key: string) => ({ type: 'keyDown', value: codeOf(key) })
  const up = (key: string) => ({ type: 'keyUp', value: codeOf(key) })
  const type: Hand['type'] = (text) => strokes([...text].flatMap((letter) => [down(letter), up(letter)]))
  const press: Hand['press'] = (key, held) =>
    strokes(held === undefined ? [down(key), up(key)] : [down(held), down(key), up(key), up(held)])
  const path = () => engine.evaluate(() => location.pathname)
  return {
    engine,
    find,
    until,
    isGone: async (sought) =>
      void (await until(
        () => look(sought),
        (one) => one === null,
        `${nameOf(sought)} is gone`,
      )),
    click,
    clickAt,
    async write(sought, text) {
      await click(sought)
      await until(
        () => look(sought),
        (one) => one?.isFocused === true,
        `${nameOf(sought)} has the focus`,
      )
      await press('a', 'Control')
      await press('Backspace')
      await type(text)
      await until(
        () => look(sought),
        (one) => one?.value === text,
        `${nameOf(sought)} holds “${text}”`,
      )
    },
    type,
    press,
    path,
    leadsTo: async (wanted) => void (await until(path, (now) => now === wanted, `the address is ${wanted}`)),
  }
}
