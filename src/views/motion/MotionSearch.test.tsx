// @vitest-environment jsdom
import { I18nProvider } from '@lingui/react'
import { act, cleanup, fireEvent, render } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { createActor, fromPromise } from 'xstate'
import { MotionAnswer } from '../../api/contract/motion.ts'
import type { TimeRange } from '../../api/contract/time-range.ts'
import type { Reply } from '../../api/reply.ts'
import type { MotionQuery } from '../../api/resources/motion.ts'
import { ok, refused } from '../../../tests/fixtures/replies.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { supplement } from '../../../tests/views/supplement.ts'
import { i18n } from '../../i18n/i18n.ts'
import { motionMachine } from '../../machines/motion/motion.machine.ts'
import { AreaFrame } from './AreaFrame.tsx'
import { MotionSearch } from './MotionSearch.tsx'

const hourMs = 3_600_000
const now = Date.UTC(2026, 10, 21, 12)
const iso = (minutes: number) => new Date(now + minutes * 60_000).toISOString()
const answer = (items: object[], source = 'picture'): Reply<MotionAnswer> =>
  ok(
    MotionAnswer.parse({
      items: items.map((item) => ({ source, ...item })),
      coverage: [{ startTime: iso(-60), endTime: iso(0), source }],
      searchedUntil: iso(0),
    }),
  )

/** The panel and the area on the picture, in front of a server that gives these answers in turn. */
function open(answers: Reply<MotionAnswer>[]) {
  supplement()
  i18n.loadAndActivate({ locale: 'en', messages: {} })
  const asked: MotionQuery[] = []
  const actor = createActor(
    motionMachine.provide({
      actors: {
        search: fromPromise(({ input }) => {
          asked.push(input)
          const next = answers.shift()
          return next === undefined ? new Promise<never>(() => undefined) : Promise.resolve(next)
        }),
      },
    }),
    { input: { uid: 'gate' } },
  ).start()
  const onPick = vi.fn<(at: number) => void>()
  const onSelect = vi.fn<(range: TimeRange, at: number) => void>()
  const screen = render(
    <I18nProvider i18n={i18n}>
      <AreaFrame actor={actor} />
      <MotionSearch
        actor={actor}
        zone="UTC"
        readTimes={() => ({ now, visible: { from: now - 2 * hourMs, to: now + hourMs } })}
        onPick={onPick}
        onSelect={onSelect}
      />
    </I18nProvider>,
  )
  const press = async (name: string) => {
    fireEvent.click(screen.getByRole('button', { name }))
    await act(settle)
  }
  return { ...screen, actor, asked, onPick, onSelect, press }
}

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('an area moved by keys is searched in the last hour; a range that was found is opened', async () => {
  const found = [
    { startTime: iso(-40), endTime: iso(-39.5), score: 0.8 },
    { startTime: iso(-10), endTime: iso(-9), score: 0.33 },
  ]
  const { getByRole, getAllByRole, press, asked, onPick, onSelect } = open([answer(found)])
  const area = getByRole('application', { name: 'Search area' })
  for (const key of ['ArrowLeft', 'ArrowUp'])
    for (let count = 0; count < 10; count += 1) fireEvent.keyDown(area, { key, shiftKey: true })
  fireEvent.keyDown(area, { key: 'ArrowRight' })
  expect(fireEvent.keyDown(area, { key: 'ArrowDown' })).toBe(false)
  expect(getAllByRole('status')[0]?.textContent).toBe('80% wide, 80% high, 2% from the left, 2% from the top')
  await press('Last hour')
  fireEvent.change(getByRole('slider', { name: 'Sensitivity' }), { target: { value: '70' } })
  await press('Search')
  expect(asked).toEqual([
    { uid: 'gate', from: now - hourMs, to: now, area: { x: 0.02, y: 0.02, w: 0.8, h: 0.8 }, sensitivity: 70 },
  ])
  expect(getAllByRole('status').map(({ textContent }) => textContent)).toContain('2 ranges with motion')
  const items = getAllByRole('listitem')
  expect(items.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/11:20:00.*80%.*0:30/),
    expect.stringMatching(/11:50:00.*33%.*1:00/),
  ])
  fireEvent.click(getByRole('button', { name: /^11:50:00/ }))
  expect(onPick.mock.calls).toEqual([[now - 600_000]])
  await press('Select the recording: 11:20:00, Sat, Nov 21')
  expect(onSelect.mock.calls).toEqual([[{ from: now - 2_415_000, to: now - 2_355_000 }, now - 2_400_000]])
})

test('dragging draws an area, and the corner resizes it; a press alone does nothing', () => {
  const { getByRole, actor } = open([])
  const area = getByRole('application', { name: 'Search area' })
  const surface = area.parentElement
  const corner = area.querySelector('[data-corner]')
  if (surface === null || corner === null) throw new Error('no area')
  surface.getBoundingClientRect = () => new DOMRect(100, 100, 200, 100)
  surface.setPointerCapture = () => undefined
  const drag = (target: Element, ...points: [number, number][]) => {
    const [first, ...rest] = points.map(([clientX, clientY]) => ({ clientX, clientY, button: 0, bubbles: true }))
    fireEvent(target, new MouseEvent('pointerdown', first))
    for (const point of rest) fireEvent(surface, new MouseEvent('pointermove', point))
    fireEvent(surface, new MouseEvent('pointerup', rest.at(-1) ?? first))
    return actor.getSnapshot().context.area
  }
  expect(drag(area, [120, 110], [121, 110])).toEqual({ x: 0, y: 0, w: 1, h: 1 })
  expect(drag(area, [120, 110], [200, 160])).toEqual({ x: 0.1, y: 0.1, w: 0.4, h: 0.5 })
  expect(drag(area, [150, 150], [170, 150])).toEqual({ x: 0.2, y: 0.1, w: 0.4, h: 0.5 })
  expect(drag(corner, [220, 160], [180, 130])).toEqual({ x: 0.2, y: 0.1, w: 0.2, h: 0.2 })
})

test('a search shows its progress, and says nothing of what it has not searched when it is cancelled', async () => {
  const { getByRole, queryByRole, press } = open([])
  await press('Search')
  expect(getByRole('progressbar', { name: 'Search progress' })).toBeDefined()
  await press('Cancel')
  expect(queryByRole('progressbar')).toBe(null)
  expect(queryByRole('heading', { name: 'No motion found' })).toBe(null)
})

test('a search says that nothing was found', async () => {
  const { getByRole, press } = open([answer([])])
  await press('Last hour')
  await press('Search')
  expect(getByRole('heading', { name: 'No motion found' })).toBeDefined()
})

test('an error says why and is tried again; motion by size is told from motion in the area', async () => {
  const found = [{ startTime: iso(-40), endTime: iso(-39.5), score: 0.8 }]
  const { getByRole, getByText, press } = open([refused(503, 'Unavailable'), answer(found, 'size')])
  await press('Last hour')
  await press('Search')
  expect(getByRole('alert').textContent).toContain('Retry')
  await press('Retry')
  expect(getByText(/has no motion index/)).toBeDefined()
})
