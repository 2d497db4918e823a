import type { Page } from 'playwright'
import { openAt, openLive, type Measure } from './harness.ts'

/** Until the controls are hidden and what loads at first is there. */
const settleMs = 6000
const watchMs = 20_000

/** Runs in the page before React: records which components rendered in each commit. */
const installCommitCounter = (): void => {
  interface Fiber {
    type: unknown
    alternate: Fiber | null
    child: Fiber | null
    sibling: Fiber | null
    flags: number
    memoizedProps: unknown
  }
  const commits: string[] = []
  const nameOf = ({ type }: Fiber) => (typeof type === 'function' ? type.name : '')
  const performedWork = 1
  const collect = (fiber: Fiber | null, names: Set<string>): void => {
    for (let one = fiber; one !== null; one = one.sibling) {
      if (one.alternate !== null && one.alternate.child === one.child && (one.flags & performedWork) === 0) continue
      if ((one.flags & performedWork) !== 0 && nameOf(one) !== '') names.add(nameOf(one))
      collect(one.child, names)
    }
  }
  Object.assign(globalThis, {
    benchCommits: commits,
    __REACT_DEVTOOLS_GLOBAL_HOOK__: {
      supportsFiber: true,
      inject: () => 1,
      onCommitFiberUnmount: () => undefined,
      onCommitFiberRoot: (_id: number, root: { current: Fiber }) => {
        const names = new Set<string>()
        collect(root.current, names)
        commits.push([...names].join(' '))
      },
    },
  })
}

declare global {
  var benchCommits: string[]
}

/** Counts commits without any input; prints which components each commit rendered. */
async function commitsOf(page: Page, what: string): Promise<number> {
  await page.mouse.move(2, 2)
  await page.waitForTimeout(settleMs)
  await page.evaluate(() => (globalThis.benchCommits.length = 0))
  await page.waitForTimeout(watchMs)
  const seen = await page.evaluate(() => globalThis.benchCommits)
  for (const [names, list] of Map.groupBy(seen, (names) => names))
    process.stdout.write(`${what}: ${list.length} × ${names || '(nothing by name)'}\n`)
  return seen.length
}

/** React commits while a player only plays: clock and playhead are updated without React. */
export const commits: Measure = async (bench) => {
  const { page, recorded } = bench
  await page.addInitScript(installCommitCounter)
  await page.reload()
  await openLive(bench)
  const live = await commitsOf(page, 'live')
  await openAt(bench, (recorded[0]?.from ?? 0) + 600_000)
  const archive = await commitsOf(page, 'archive')
  return [
    { name: `React commits in ${watchMs / 1000} s of live`, unit: 'commits', values: [live], goal: { worst: 0 } },
    {
      name: `React commits in ${watchMs / 1000} s of the archive`,
      unit: 'commits',
      values: [archive],
      goal: { worst: 0 },
    },
  ]
}
